// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implementations of the kinds of data that training/Data.h opens.

#ifndef TERT_TRAINING_DATASOURCES_H
#define TERT_TRAINING_DATASOURCES_H

#include "training/Data.h"

namespace tert::training {

struct Loss;

bool isInteger(const session::ArgumentDescription &argument);

/// A stream of tokens; the rows of a batch are windows of it.
session::Expected<std::unique_ptr<BatchSource>>
openTokenWindows(const DataNames &names, DataFormat format, bool guessed,
                 uint64_t seed, DataOrder order,
                 const session::EntryDescription &entry, const Loss &loss);

/// Safetensors files with a tensor for every input; the batches of one after
/// those of the other.
session::Expected<std::unique_ptr<BatchSource>>
openTensorBatches(const std::vector<std::string> &paths,
                  const session::EntryDescription &entry, const Loss &loss);

} // namespace tert::training

#endif // TERT_TRAINING_DATASOURCES_H
