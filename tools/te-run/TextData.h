// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts as data for a model of Hugging Face, through its tokenizer.

#ifndef TE_RUN_TEXTDATA_H
#define TE_RUN_TEXTDATA_H

#include "ModelFolder.h"
#include "training/DataFiles.h"

namespace tert::run {

/// Replaces names of texts in `names` by folders with their tokens, which
/// Python (temlir_data) makes with the model's tokenizer in the folder of the
/// program, unless they are there and the texts have not changed. Tokens (.bin)
/// and batches (.safetensors), and folders and globs with such, stay; so do
/// weights.
session::Error tokenizeTexts(const ModelFolder &source,
                             const ProgramFolder &folder,
                             training::DataNames &names, bool isQuiet);

} // namespace tert::run

#endif // TE_RUN_TEXTDATA_H
