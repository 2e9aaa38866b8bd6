// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training data: what fills the inputs of a step.

#ifndef TERT_TRAINING_DATA_H
#define TERT_TRAINING_DATA_H

#include "session/Session.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tert::training {

/// How the bytes of a data file are read.
enum class DataFormat {
  Auto,  ///< By the name: .safetensors, .bin (U16), anything else (Bytes).
  Bytes, ///< Text: every byte is a token.
  U16,   ///< Little-endian 16-bit token ids.
  U32,
  Safetensors ///< Tensors named after the inputs.
};

/// How batches follow each other.
enum class DataOrder {
  Shuffled,  ///< For training: without end.
  Sequential ///< For evaluation: from the beginning, every token once.
};

/// Batches as a function of the step alone, so that a resumed run sees what the
/// uninterrupted one would have seen.
class BatchSource {
public:
  virtual ~BatchSource() = default;
  /// Sets the inputs of step `step` (from 0; below batches() in sequence).
  virtual session::Error fill(uint64_t step, session::EntryCall &call) = 0;
  /// How many batches there are in sequence; at least one.
  virtual uint64_t batches() const = 0;
  /// For the first line of a run: "1.1 MB of text, windows of 256 tokens".
  virtual std::string describe() const = 0;
};

/// Opens `path` for the inputs of `call`. Token data gives the one integer
/// input of the entry a window of the stream per row, and `labels`, if the
/// entry has that input, the same window one token later; a loss whose labels
/// are annotations (training/Loss.h) takes no token data then. Shuffled windows
/// are drawn from the stream of (seed, step), sequential ones stand side by
/// side; the end of the data that fills no whole batch is left out. Batches of
/// a safetensors file are taken in turn in either order. The header of a token
/// file that llm.c wrote is no data. Filling fails, and nothing worse, when the
/// file is cut short meanwhile.
session::Expected<std::unique_ptr<BatchSource>>
openData(const std::string &path, DataFormat format, uint64_t seed,
         const session::EntryCall &call, DataOrder order = DataOrder::Shuffled);

/// Of every `shares` batches of `source` in turn, the one at `share`: batch i
/// is its batch first + i * shares + share (modulo 2^64), so that all shares
/// together see what one alone would.
std::unique_ptr<BatchSource> shareOf(std::unique_ptr<BatchSource> source,
                                     uint64_t first, uint64_t share,
                                     uint64_t shares);

/// The format itself, or what the name says for Auto.
DataFormat resolveFormat(const std::string &path, DataFormat format);

/// Positions that a step processes: the elements of the first integer input, or
/// else all but the last dimension of the first input.
int64_t tokensPerCall(const session::EntryDescription &entry);

} // namespace tert::training

#endif // TERT_TRAINING_DATA_H
