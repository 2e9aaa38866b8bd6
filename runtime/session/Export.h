// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trained parameters for other programs.

#ifndef TERT_SESSION_EXPORT_H
#define TERT_SESSION_EXPORT_H

#include "session/Description.h"
#include "session/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tert::session {

struct ExportOptions {
  std::string checkpoint; ///< To read: a file, or a folder of parts.
  std::string output;     ///< The safetensors file to write.
  /// F32 or BF16 (rounded to nearest even); without it as the checkpoint has
  /// them.
  std::optional<DType> dtype;
  /// Leaves out what was frozen: of a LoRA model the adapters remain.
  bool trainedOnly = false;
  /// Text to take out of names: PyTorch's "lora_A.default.weight" is
  /// "lora_A.weight" in a file of PEFT. Empty: names stay.
  std::string removed{};
};

struct ExportSummary {
  size_t parameters = 0;
  size_t names = 0;   ///< Of those: a tied parameter has several.
  size_t buffers = 0; ///< Besides them.
  uint64_t bytes = 0; ///< Of all tensors written.
  uint64_t step = 0;  ///< Of the checkpoint.
};

/// Writes the parameters of a checkpoint and the buffers of the model, and
/// nothing else of it, under the names that they have in the model that was
/// exported: a tied parameter under each of its names, so that a framework
/// finds every entry of its state dictionary. The file says {"format": "pt"},
/// which Hugging Face asks for.
///
/// `program` is needed for a checkpoint that does not say which of its tensors
/// are parameters, as those written before this function was; null otherwise.
Expected<ExportSummary> exportParameters(const ExportOptions &options,
                                         const Description *program);

} // namespace tert::session

#endif // TERT_SESSION_EXPORT_H
