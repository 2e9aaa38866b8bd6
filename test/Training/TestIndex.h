// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of Megatron, valid ones and others.

#ifndef TE_TEST_TRAINING_TESTINDEX_H
#define TE_TEST_TRAINING_TESTINDEX_H

#include "TestFiles.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace test {

/// The parts of the file, in the order and the types that Megatron's
/// IndexedDatasetBuilder writes (_IndexWriter in
/// megatron/core/datasets/indexed_dataset.py).
struct TestIndex {
  unsigned char type = 8; ///< 4 for int32, 8 for uint16.
  std::vector<int32_t> lengths = {2, 3, 5};
  std::vector<int64_t> offsets = {0, 4, 10};
  std::vector<int64_t> documents = {0, 1, 2, 3};
  uint64_t version = 1;
  std::optional<uint64_t> sequences{}, boundaries{};

  std::string text() const {
    return std::string("MMIDIDX\0\0", 9) + bytesOf<uint64_t>({version}) +
           static_cast<char>(type) +
           bytesOf<uint64_t>({sequences.value_or(lengths.size()),
                              boundaries.value_or(documents.size())}) +
           bytesOf(lengths) + bytesOf(offsets) + bytesOf(documents);
  }
};

} // namespace test

#endif // TE_TEST_TRAINING_TESTINDEX_H
