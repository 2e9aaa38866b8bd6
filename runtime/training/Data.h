// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training data: the inputs of each step.

#ifndef TERT_TRAINING_DATA_H
#define TERT_TRAINING_DATA_H

#include "session/Session.h"
#include "training/DataFiles.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tert::training {

/// Format of a data file.
enum class DataFormat {
  Auto,  ///< By the name: .safetensors, .bin (U16), otherwise Bytes.
  Bytes, ///< Text: every byte is a token.
  U16,   ///< Little-endian 16-bit token ids.
  U32,
  Safetensors ///< Tensors named after the inputs.
};

/// Order of the batches.
enum class DataOrder {
  Shuffled,  ///< For training: endless, each window drawn on its own.
  Epochs,    ///< For training: endless, every window once in each epoch.
  Sequential ///< For evaluation: from the beginning, every token once.
};

/// Batches as a function of their number alone, so that a resumed run reads the
/// same data as an uninterrupted one.
class BatchSource {
public:
  virtual ~BatchSource() = default;
  /// Sets the inputs of `call` to a batch (from 0; below batches() if
  /// sequential): that of a step, or of one of its microbatches, depending on
  /// how the data was opened.
  virtual session::Error fill(uint64_t batch, session::EntryCall &call) = 0;
  /// Lets the system read a batch ahead.
  virtual void prepare(uint64_t batch) const {}
  /// Number of batches in sequential order; at least one.
  virtual uint64_t batches() const = 0;
  /// For the first line of a run with `perStep` batches per step: "1.1M bytes
  /// of text, 8 windows of 256 a step".
  virtual std::string describe(uint64_t perStep = 1) const = 0;
  /// Number of labels of a batch that the loss counts, on all ranks that share
  /// the data, and so the divisor of its mean. Nothing if it counts something
  /// else.
  virtual session::Expected<std::optional<uint64_t>> labels(uint64_t batch) {
    return std::optional<uint64_t>();
  }
  /// The values of a batch's integer input 'labels'; fails without one.
  virtual session::Error readLabels(uint64_t batch,
                                    std::vector<int64_t> &values) {
    return session::Error("the data has no labels");
  }
  /// Checks all of the data, if need be concurrently with fill(). Returns
  /// warnings, or the error that would end the run when it reaches the data.
  /// Returns early when `stop` is set.
  virtual session::Expected<std::vector<std::string>>
  scan(const std::atomic<bool> &stop) const {
    return std::vector<std::string>();
  }
  /// Number of bytes that scan() reads.
  virtual uint64_t bytesToScan() const { return 0; }
};

/// Opens data for the inputs of `call`. Token data provides the entry's only
/// integer input with one window of the stream per row, and `labels`, if the
/// entry has that input, with the same window one token later; a loss whose
/// labels are annotations (training/Loss.h) does not support token data then.
/// An input `position_ids` like the tokens gets their positions in their
/// documents, from 0, by which models of Hugging Face keep attention within
/// documents: a window begins at 0, wherever in a document it is, and so does
/// what follows `names.documentEnd` or begins a document by the index of a file
/// of Megatron. That input requires one of them, and `names.documentEnd`
/// requires that input. Shuffled windows are drawn from the stream of (seed,
/// batch), sequential ones are consecutive; a remainder that does not fill a
/// batch is skipped. Those of epochs are the sequential ones in another order
/// in every epoch, without weights of sources. Batches of safetensors files are
/// used cyclically in any order. The header of an llm.c token file is skipped.
/// Filling returns an error if the file has been truncated meanwhile.
session::Expected<std::unique_ptr<BatchSource>>
openData(const DataNames &names, DataFormat format, uint64_t seed,
         const session::EntryCall &call, DataOrder order = DataOrder::Shuffled);

/// The batches of one rank: every `shares`-th one, starting with number `share`
/// after batch `first`.
struct DataShare {
  uint64_t first = 0;
  uint64_t share = 0, shares = 1;
};

/// Batch i is batch first + i * shares + share (modulo 2^64) of `source`, so
/// that all shares together have the same data as a single one.
std::unique_ptr<BatchSource> shareOf(std::unique_ptr<BatchSource> source,
                                     const DataShare &share);

/// The format itself, or, for Auto, the one for the file's name.
DataFormat resolveFormat(const std::string &path, DataFormat format);

/// Amount of data that a call of an entry processes, for rates.
struct Workload {
  int64_t perCall = 1;
  std::string unit = "tokens"; ///< "tokens", "images", "samples"
};

/// Tokens of the first integer input of two or more dimensions, or else
/// positions of a first input [batch, sequence, features]; images for one of
/// four or more dimensions, otherwise samples. Labels do not count.
Workload workloadOf(const session::EntryDescription &entry);

/// Number of positions that a step processes: the elements of the first integer
/// input, or else all but the last dimension of the first input.
int64_t tokensPerCall(const session::EntryDescription &entry);

} // namespace tert::training

#endif // TERT_TRAINING_DATA_H
