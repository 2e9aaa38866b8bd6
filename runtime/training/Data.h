// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training data: what fills the inputs of a step.

#ifndef TERT_TRAINING_DATA_H
#define TERT_TRAINING_DATA_H

#include "session/Session.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// Batches as a function of their number alone, so that a resumed run sees what
/// the uninterrupted one would have seen.
class BatchSource {
public:
  virtual ~BatchSource() = default;
  /// Sets the inputs of `call` to a batch (from 0; below batches() in
  /// sequence): what the data was opened for, which is a step's, or one
  /// microbatch of it.
  virtual session::Error fill(uint64_t batch, session::EntryCall &call) = 0;
  /// How many batches there are in sequence; at least one.
  virtual uint64_t batches() const = 0;
  /// For the first line of a run, with so many batches a step: "1.1M bytes of
  /// text, 8 windows of 256 a step".
  virtual std::string describe(uint64_t perStep = 1) const = 0;
  /// How many labels of a batch the loss counts, on all ranks that share the
  /// data: what its mean is over. Nothing where it counts something else.
  virtual session::Expected<std::optional<uint64_t>> labels(uint64_t batch) {
    return std::optional<uint64_t>();
  }
  /// The values of a batch's integer input 'labels'; fails without one.
  virtual session::Error readLabels(uint64_t batch,
                                    std::vector<int64_t> &values) {
    return session::Error("the data has no labels");
  }
  /// Looks through all of the data, beside fill() if need be: warnings, or what
  /// would end a run once it comes to it. Ends early when `stop` is set.
  virtual session::Expected<std::vector<std::string>>
  scan(const std::atomic<bool> &stop) const {
    return std::vector<std::string>();
  }
  /// How much that reads.
  virtual uint64_t bytesToScan() const { return 0; }
};

/// Opens `path` for the inputs of `call`. Token data gives the one integer
/// input of the entry a window of the stream per row, and `labels`, if the
/// entry has that input, the same window one token later; a loss whose labels
/// are annotations (training/Loss.h) takes no token data then. Shuffled windows
/// are drawn from the stream of (seed, batch), sequential ones stand side by
/// side; the end of the data that fills no whole batch is left out. Batches of
/// a safetensors file are taken in turn in either order. The header of a token
/// file that llm.c wrote is no data. Filling fails, and nothing worse, when the
/// file is cut short meanwhile.
session::Expected<std::unique_ptr<BatchSource>>
openData(const std::string &path, DataFormat format, uint64_t seed,
         const session::EntryCall &call, DataOrder order = DataOrder::Shuffled);

/// Which batches of the data one rank takes: of every `shares` in turn the one
/// at `share`, from batch `first` on.
struct DataShare {
  uint64_t first = 0;
  uint64_t share = 0, shares = 1;
};

/// Batch i is batch first + i * shares + share (modulo 2^64) of `source`, so
/// that all shares together see what one alone would.
std::unique_ptr<BatchSource> shareOf(std::unique_ptr<BatchSource> source,
                                     const DataShare &share);

/// The format itself, or what the name says for Auto.
DataFormat resolveFormat(const std::string &path, DataFormat format);

/// What a call of an entry works through, for rates.
struct Workload {
  int64_t perCall = 1;
  std::string unit = "tokens"; ///< "tokens", "images", "samples"
};

/// Tokens of the first integer input of two dimensions or more, or else
/// positions of a first input [batch, sequence, features]; images of one with
/// four dimensions or more, samples of another. Labels are none of them.
Workload workloadOf(const session::EntryDescription &entry);

/// Positions that a step processes: the elements of the first integer input, or
/// else all but the last dimension of the first input.
int64_t tokensPerCall(const session::EntryDescription &entry);

} // namespace tert::training

#endif // TERT_TRAINING_DATA_H
