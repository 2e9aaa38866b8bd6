// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of a frontend: a function and the location of its parameters.

#ifndef TE_FRONTEND_IMPORTEDMODEL_H
#define TE_FRONTEND_IMPORTEDMODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <utility>
#include <vector>

namespace mlir::te {

/// The location of one parameter's values.
struct ParameterData {
  enum class Kind {
    Inline,   ///< in `bytes`
    External, ///< in the file `path`, `length` bytes from `offset`
    Absent,   ///< in a file that does not exist
  };

  std::string name;
  RankedTensorType type; ///< static shape, f32 or bf16
  Kind kind = Kind::Absent;
  /// Inline: the elements, row-major, little-endian, without padding.
  std::string bytes;
  /// External: absolute, links resolved, inside the model's directory. Absent:
  /// the name in the model.
  std::string path;
  /// In bytes. `length` is the size of the whole parameter, and the file was at
  /// least `offset + length` long at import.
  uint64_t offset = 0, length = 0;
};

struct ImportOptions {
  /// Most bytes of a constant computed at import time (masks, position ids). A
  /// boolean mask of [16,1,1024,1024] takes 2^24.
  int64_t maxConstantBytes = int64_t(1) << 30;
};

struct ImportedModel {
  /// One function, @forward: arguments are the model's inputs {te.input} and
  /// its parameters {te.param}; results are its outputs {te.output}.
  OwningOpRef<ModuleOp> module;
  /// In the order of the te.param arguments.
  std::vector<ParameterData> parameters;
  /// Tensors that the exported model keeps besides its parameters, all inline,
  /// of f32, i64 or i8. Those used in computation are also constants of the
  /// program; these are for exporting the trained parameters back.
  std::vector<ParameterData> buffers;
  /// Properties of the model for descriptions: "producer", "opset",
  /// "ir_version" and the like.
  std::vector<std::pair<std::string, std::string>> properties;
};

} // namespace mlir::te

#endif // TE_FRONTEND_IMPORTEDMODEL_H
