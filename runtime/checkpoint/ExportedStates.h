// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The states of a checkpoint that an export writes: parameters and buffers.

#ifndef TERT_CHECKPOINT_EXPORTEDSTATES_H
#define TERT_CHECKPOINT_EXPORTEDSTATES_H

#include "checkpoint/ParameterNames.h"
#include "checkpoint/TensorFiles.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tert::session {

struct ExportedParameter {
  Names names;                ///< In the exported model.
  const StoredTensor *tensor; ///< Or its average, of the open file.
  bool isFrozen;
};

struct ExportedStates {
  std::vector<ExportedParameter> parameters; ///< At least one.
  std::vector<std::string> buffers;          ///< All are in the file.
  uint64_t step = 0;
};

/// `program` is required for a checkpoint that does not identify its
/// parameters, as older versions wrote; otherwise null. With `averages` the
/// averages of parameters that have one, in place of these; fails if none has.
Expected<ExportedStates> findExportedStates(const TensorFiles &file,
                                            const Description *program,
                                            bool averages);

/// Appends a tensor in another type (StoredTensor::readAs), piece by piece.
Error appendConverted(SafetensorsWriter &writer, const std::string &name,
                      const StoredTensor &tensor, DType dtype);

} // namespace tert::session

#endif // TERT_CHECKPOINT_EXPORTEDSTATES_H
