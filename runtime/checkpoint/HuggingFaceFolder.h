// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Export of a checkpoint as a folder that from_pretrained of Hugging Face's
// transformers or peft loads.

#ifndef TERT_CHECKPOINT_HUGGINGFACEFOLDER_H
#define TERT_CHECKPOINT_HUGGINGFACEFOLDER_H

#include "artifact/Description.h"
#include "support/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tert::session {

struct FolderExportOptions {
  std::string checkpoint; ///< As in ExportOptions.
  std::string output;     ///< The folder to write.
  std::string model;      ///< The folder that the model was exported from.
  std::string adapter{};  ///< That of its adapters, which are exported instead
                          ///< of the model; empty: none.
  /// Of all floats: F32 or BF16; if absent, the types of the original files.
  std::optional<DType> dtype{};
  bool averages = false; ///< As in ExportOptions.
  /// Files of weights with more bytes are split, unless of a single tensor.
  uint64_t shardBytes = 5'000'000'000;
  /// Writes into a folder with files of others. Of these, files of weights and
  /// those that are copied from the original folder are replaced.
  bool replaceOthers = false;
};

struct FolderExportSummary {
  size_t parameters = 0; ///< Of the checkpoint.
  size_t tensors = 0;    ///< In the files of weights.
  size_t files = 0;      ///< Files of weights.
  uint64_t bytes = 0;    ///< Size of all tensors written.
  uint64_t step = 0;     ///< Step of the checkpoint.
  std::string warning;   ///< If not empty.
};

/// Writes a folder like the original one, with the parameters of a checkpoint
/// in place of its weights: under the names that they have there, without those
/// of tied weights that it leaves out, and in its types. Tensors of the
/// original that are no parameters are copied, and so are the configuration and
/// the files of the tokenizer. Parameters that have other names in the original
/// (experts that transformers joins as it loads them) are written under their
/// own, with a warning.
///
/// Adapters are written as PEFT does: parameters that are trained or belong to
/// an adapter, without the adapter's name in theirs, in
/// adapter_model.safetensors beside adapter_config.json.
///
/// Fails, and changes nothing, if the original is not the model of the
/// checkpoint, if `output` is one of the originals, or if it has files that
/// te-run did not write. Each file appears when it is complete, weights before
/// the configuration.
Expected<FolderExportSummary> exportFolder(const FolderExportOptions &options,
                                           const Description *program);

} // namespace tert::session

#endif // TERT_CHECKPOINT_HUGGINGFACEFOLDER_H
