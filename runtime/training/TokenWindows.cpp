// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Text.h"
#include "training/DataSources.h"
#include "training/Loss.h"
#include "training/TokenCorpus.h"
#include "training/TokenScan.h"

#include <algorithm>

using namespace tert::training;
using namespace tert::session;

namespace {
using Role = ArgumentDescription::Role;

/// The input for positions within documents.
constexpr char positionsName[] = "position_ids";

/// Windows of long sequences of tokens.
class TokenWindows : public BatchSource {
public:
  TokenWindows(TokenCorpus corpus, bool guessed, DataOrder order,
               const ArgumentDescription &tokens,
               const ArgumentDescription *labels,
               const ArgumentDescription *positions,
               std::optional<uint64_t> documentEnd, const Loss &loss)
      : corpus(std::move(corpus)), guessed(guessed), order(order),
        tokens(tokens), labelInput(labels), positionInput(positions),
        documentEnd(documentEnd), length(tokens.type.shape.back()),
        rows(tokens.type.elements() / length),
        window(static_cast<size_t>(length) + (labels ? 1 : 0)),
        ignored(loss.ignoreIndex) {}

  static Expected<std::unique_ptr<BatchSource>>
  open(const DataNames &names, DataFormat format, bool guessed, uint64_t seed,
       DataOrder order, const EntryDescription &entry, const Loss &loss) {
    const ArgumentDescription *tokens = nullptr;
    const ArgumentDescription *labels = entry.find(Role::Input, "labels");
    const ArgumentDescription *positions =
        entry.find(Role::Input, positionsName);
    for (const ArgumentDescription &argument : entry.arguments) {
      if (argument.role != Role::Input || &argument == labels ||
          &argument == positions)
        continue;
      if (tokens || !isInteger(argument) || argument.type.shape.size() < 2 ||
          argument.type.elements() == 0)
        return Error("entry '" + entry.name + "' takes the input '" +
                     argument.name + "', " + toString(argument.type) +
                     ", which a stream of tokens cannot fill; give batches in "
                     "a .safetensors file, with a tensor for every input");
      tokens = &argument;
    }
    if (!tokens)
      return Error("entry '" + entry.name + "' has no input for tokens");
    if (labels && loss.hasAnnotatedLabels)
      return Error("entry '" + entry.name + "' takes the input 'labels', " +
                   toString(labels->type) + ", which the loss " + loss.kind +
                   " does not find in a stream of tokens: it would get the "
                   "next tokens. Give batches in a .safetensors file, with a "
                   "tensor for every input");
    if (labels &&
        (!isInteger(*labels) || labels->type.shape != tokens->type.shape))
      return Error("the input 'labels', " + toString(labels->type) +
                   ", does not have the shape of '" + tokens->name + "', " +
                   toString(tokens->type) +
                   "; give batches in a .safetensors file");
    if (Error error = checkPositions(entry, *tokens, positions, names))
      return error;
    const int64_t length = tokens->type.shape.back();
    Expected<TokenCorpus> corpus = TokenCorpus::open(
        names, format, guessed, seed,
        static_cast<size_t>(length) + (labels ? 1 : 0), length);
    if (!corpus)
      return corpus.takeError();
    if (positions)
      if (Error error = corpus->readDocuments(names.documentEnd.has_value()))
        return Error("entry '" + entry.name + "' takes the input '" +
                     positionsName + "', positions within documents; " +
                     error.message());
    const uint64_t count = corpus->count();
    auto source = std::make_unique<TokenWindows>(
        std::move(*corpus), guessed, order, *tokens, labels, positions,
        names.documentEnd, loss);
    if (order != DataOrder::Shuffled && source->batches() == 0)
      return Error("'" + names.front() + "' has " + std::to_string(count) +
                   " tokens, fewer than a batch of " +
                   std::to_string(source->rows) + " windows side by side has");
    return std::unique_ptr<BatchSource>(std::move(source));
  }

  Error fill(uint64_t batch, EntryCall &call) override {
    Expected<std::vector<TokenCorpus::Place>> places = readWindows(batch);
    if (!places)
      return places.takeError();
    if (Error error = setWindows(call, tokens, *places, 0))
      return error;
    if (labelInput)
      if (Error error = setWindows(call, *labelInput, *places, 1))
        return error;
    return positionInput ? setPositions(call, *places) : Error::success();
  }

  void prepare(uint64_t batch) const override {
    for (int64_t row = 0; row < rows; ++row) {
      const TokenCorpus::Place place = placeOf(batch, row);
      place.file->prepare(place.start, window);
    }
  }

  Expected<std::optional<uint64_t>> labels(uint64_t batch) override {
    std::optional<uint64_t> counted;
    if (!ignored)
      return counted;
    // The first token of a window is never a label, whether labels are an input
    // or the shifted tokens.
    counted = static_cast<uint64_t>(rows) * (window - 1);
    if (!mayBeIgnored())
      return counted;
    if (Expected<std::vector<TokenCorpus::Place>> places = readWindows(batch);
        !places)
      return places.takeError();
    for (size_t i = 0; i < read.size(); ++i)
      if (i % window && read[i] == *ignored)
        --*counted;
    return counted;
  }

  Expected<std::vector<std::string>>
  scan(const std::atomic<bool> &stop) const override {
    TokenScan scan = {rangeOf(tokens), {}, guessed};
    if (labelInput) {
      auto [first, end] = rangeOf(*labelInput);
      scan.range = {std::max(scan.range.first, first),
                    std::min(scan.range.second, end)};
    }
    if (mayBeIgnored())
      scan.ignored = ignored;
    std::vector<std::string> warnings;
    for (const TokenFile &file : corpus.files()) {
      Expected<std::vector<std::string>> found = scanTokens(file, scan, stop);
      if (!found)
        return found;
      warnings.insert(warnings.end(), found->begin(), found->end());
    }
    return warnings;
  }
  uint64_t bytesToScan() const override {
    uint64_t bytes = 0;
    for (const TokenFile &file : corpus.files())
      bytes += file.count() * file.width();
    return bytes;
  }

  uint64_t batches() const override {
    return corpus.windows() / static_cast<uint64_t>(rows);
  }

  std::string describe(uint64_t perStep) const override {
    return formatCount(static_cast<double>(corpus.count())) +
           (corpus.isBytes() ? " bytes of text" : " tokens") +
           corpus.describe() + ", " + std::to_string(rows) + " windows of " +
           std::to_string(length) +
           (order == DataOrder::Sequential ? " a batch"
            : perStep == 1 ? " a step"
                           : " in each of " + std::to_string(perStep) +
                                 " microbatches a step");
  }

private:
  static Error checkPositions(const EntryDescription &entry,
                              const ArgumentDescription &tokens,
                              const ArgumentDescription *positions,
                              const DataNames &names) {
    if (!positions && names.documentEnd)
      return Error("entry '" + entry.name + "' has no input '" + positionsName +
                   "', by which attention stays within documents "
                   "(--document-end); export the model with one");
    if (!positions)
      return Error::success();
    if ((positions->type.dtype != TERT_I64 &&
         positions->type.dtype != TERT_I32) ||
        positions->type.shape != tokens.type.shape)
      return Error("the input '" + std::string(positionsName) + "', " +
                   toString(positions->type) +
                   ", is not of integers in the shape of '" + tokens.name +
                   "', " + toString(tokens.type) +
                   "; give batches in a .safetensors file");
    return Error::success();
  }

  TokenCorpus::Place placeOf(uint64_t batch, int64_t row) const {
    const uint64_t index =
        batch * static_cast<uint64_t>(rows) + static_cast<uint64_t>(row);
    return order == DataOrder::Shuffled ? corpus.random(index)
           : order == DataOrder::Epochs ? corpus.inEpochs(index)
                                        : corpus.sequential(index);
  }

  /// Reads them into `read`, one after another; returns their places.
  Expected<std::vector<TokenCorpus::Place>> readWindows(uint64_t batch) {
    std::vector<TokenCorpus::Place> places;
    read.clear();
    for (int64_t row = 0; row < rows; ++row) {
      places.push_back(placeOf(batch, row));
      if (Error error =
              places.back().file->read(places.back().start, window, read))
        return error;
    }
    return places;
  }

  /// Returns whether a token can be the ignored label.
  bool mayBeIgnored() const {
    return ignored && *ignored >= 0 &&
           *ignored < int64_t(1) << (corpus.isBytes() ? 8 : 32);
  }

  template <typename T> void copyWindows(size_t shift) {
    buffer.resize(static_cast<size_t>(rows * length) * sizeof(T));
    auto *out = reinterpret_cast<T *>(buffer.data());
    for (size_t row = 0; row < static_cast<size_t>(rows); ++row)
      for (size_t i = 0; i < static_cast<size_t>(length); ++i)
        *out++ = static_cast<T>(read[row * window + shift + i]);
  }

  template <typename T>
  void countPositions(const std::vector<TokenCorpus::Place> &places) {
    buffer.resize(static_cast<size_t>(rows * length) * sizeof(T));
    auto *out = reinterpret_cast<T *>(buffer.data());
    for (size_t row = 0; row < static_cast<size_t>(rows); ++row) {
      const std::vector<uint64_t> &starts = places[row].file->documentStarts();
      auto next =
          std::upper_bound(starts.begin(), starts.end(), places[row].start);
      T position = 0;
      for (size_t i = 0; i < static_cast<size_t>(length); ++i) {
        if (next != starts.end() && *next == places[row].start + i) {
          position = 0;
          ++next;
        }
        *out++ = position++;
        if (read[row * window + i] == documentEnd)
          position = 0;
      }
    }
  }

  Error setPositions(EntryCall &call,
                     const std::vector<TokenCorpus::Place> &places) {
    if (positionInput->type.dtype == TERT_I64)
      countPositions<int64_t>(places);
    else
      countPositions<int32_t>(places);
    return call.setInput(*positionInput, buffer.data());
  }

  Error setWindows(EntryCall &call, const ArgumentDescription &input,
                   const std::vector<TokenCorpus::Place> &places,
                   size_t shift) {
    if (Error error = checkRange(input, places, shift))
      return error;
    switch (input.type.dtype) {
    case TERT_I64:
      copyWindows<int64_t>(shift);
      break;
    case TERT_I32:
      copyWindows<int32_t>(shift);
      break;
    default:
      copyWindows<uint8_t>(shift);
      break;
    }
    return call.setInput(input, buffer.data());
  }

  /// The range that the program declares, or else that of the input's integer
  /// type; the program checks the rest itself.
  static std::pair<int64_t, int64_t> rangeOf(const ArgumentDescription &input) {
    if (input.range)
      return *input.range;
    return {0, input.type.dtype == TERT_U8    ? 256
               : input.type.dtype == TERT_I32 ? INT32_MAX
                                              : INT64_MAX};
  }

  Error checkRange(const ArgumentDescription &input,
                   const std::vector<TokenCorpus::Place> &places,
                   size_t shift) const {
    const std::pair<int64_t, int64_t> range = rangeOf(input);
    for (size_t row = 0; row < places.size(); ++row)
      for (size_t i = 0; i < static_cast<size_t>(length); ++i) {
        int64_t token = read[row * window + shift + i];
        if (token < range.first || token >= range.second)
          return outsideVocabulary(*places[row].file,
                                   places[row].start + shift + i, token, range);
      }
    return Error::success();
  }

  TokenCorpus corpus;
  bool guessed; ///< Width of tokens was guessed.
  DataOrder order;
  const ArgumentDescription &tokens;
  const ArgumentDescription *labelInput, *positionInput;
  std::optional<uint64_t> documentEnd;
  int64_t length, rows;
  size_t window; ///< Tokens of a row, and its last label.
  std::optional<int64_t> ignored;
  std::vector<uint32_t> read;
  std::vector<char> buffer;
};
} // namespace

Expected<std::unique_ptr<BatchSource>> tert::training::openTokenWindows(
    const DataNames &names, DataFormat format, bool guessed, uint64_t seed,
    DataOrder order, const EntryDescription &entry, const Loss &loss) {
  return TokenWindows::open(names, format, guessed, seed, order, entry, loss);
}
