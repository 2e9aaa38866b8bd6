// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters that a model came with: found in a file, and written beside
// the artifact.

#ifndef TE_LIB_DRIVER_WEIGHTS_H
#define TE_LIB_DRIVER_WEIGHTS_H

#include "te/Frontend/ImportedModel.h"

#include "support/File.h"

#include "llvm/ADT/StringMap.h"

#include <optional>

namespace mlir::te {

/// Element types of parameters in the program, by name.
using ParameterTypes = llvm::StringMap<Type>;

/// Points parameters to their values in the safetensors file `path`. Tensors
/// that no parameter has, and parameters that the file does not have, are left
/// alone; there is a warning when nothing matches. Errors, such as another
/// shape, are emitted at an unknown location.
LogicalResult findWeights(MLIRContext &context, llvm::StringRef path,
                          std::vector<ParameterData> &parameters);

/// The metadata "format" of the file.
inline constexpr char kWeightsFormat[] = "te-mlir parameters";

/// A file that is written but has no name yet.
struct WeightsFile {
  ::tert::session::AtomicFile file;
  std::string checksum;
};

/// Writes every parameter with data, and every buffer, to a safetensors file,
/// to be called `path`; nothing when there is none. Values are rounded to the
/// type that `types` has for a parameter, if it has one. Errors are emitted at
/// `loc`.
FailureOr<std::optional<WeightsFile>> writeWeights(Location loc,
                                                   const ImportedModel &model,
                                                   const ParameterTypes &types,
                                                   llvm::StringRef path);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_WEIGHTS_H
