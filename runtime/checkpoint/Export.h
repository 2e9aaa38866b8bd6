// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Export of trained parameters for other programs.

#ifndef TERT_CHECKPOINT_EXPORT_H
#define TERT_CHECKPOINT_EXPORT_H

#include "artifact/Description.h"
#include "support/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tert::session {

struct ExportOptions {
  std::string checkpoint; ///< Input: a file, or the folder of a sharded
                          ///< checkpoint.
  std::string output;     ///< The safetensors file to write.
  /// F32 or BF16 (rounded to nearest even); if absent, the checkpoint's type.
  std::optional<DType> dtype;
  /// Writes the averages of parameters that have one, in place of these.
  bool averages = false;
  /// Omits frozen parameters: the adapters of a LoRA model remain.
  bool trainedOnly = false;
  /// Text to remove from names: PyTorch's "lora_A.default.weight" is
  /// "lora_A.weight" in a PEFT file. Empty: names are kept.
  std::string removed{};
};

struct ExportSummary {
  size_t parameters = 0;
  size_t names = 0;   ///< Names of these: a tied parameter has several.
  size_t buffers = 0; ///< Not included above.
  uint64_t bytes = 0; ///< Size of all tensors written.
  uint64_t step = 0;  ///< Step of the checkpoint.
};

/// Writes the parameters of a checkpoint and the buffers of the model, and
/// nothing else, under the names of the exported model: a tied parameter under
/// each of its names, so that a framework finds every entry of its state
/// dictionary. The file's metadata is {"format": "pt"}, which Hugging Face
/// requires.
///
/// `program` is required for a checkpoint that does not identify its
/// parameters, as older versions wrote; otherwise null.
Expected<ExportSummary> exportParameters(const ExportOptions &options,
                                         const Description *program);

} // namespace tert::session

#endif // TERT_CHECKPOINT_EXPORT_H
