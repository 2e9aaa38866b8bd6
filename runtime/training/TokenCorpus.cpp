// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/TokenCorpus.h"

#include <algorithm>

using namespace tert::session;
using namespace tert::training;

Expected<TokenCorpus> TokenCorpus::open(const DataNames &names,
                                        DataFormat format, bool guessed,
                                        uint64_t seed, size_t window,
                                        int64_t length) {
  TokenCorpus corpus(seed, length);
  Expected<std::vector<DataSource>> found =
      findData(names, guessed ? DataFormat::Auto : format);
  if (!found)
    return found.takeError();
  double weights = 0;
  for (const DataSource &source : *found) {
    const size_t first = corpus.all.size();
    for (const std::string &path : source.files) {
      Expected<TokenFile> file = TokenFile::open(
          path, guessed ? resolveFormat(path, DataFormat::Auto) : format,
          guessed);
      if (!file)
        return file.takeError();
      const uint64_t count = file->count();
      if (count < window)
        return Error("'" + path + "' has " + std::to_string(count) +
                     " tokens, fewer than one row of the batch needs (" +
                     std::to_string(window) + ")");
      corpus.tokens += count;
      corpus.positionsBefore.push_back(corpus.positionsBefore.back() + count -
                                       window + 1);
      corpus.numWindows += (count - (window - corpus.length)) / corpus.length;
      corpus.windowsBefore.push_back(corpus.numWindows);
      corpus.all.push_back(std::move(*file));
    }
    weights += source.weight.value_or(0);
    corpus.sources.push_back({first, corpus.all.size(), weights});
  }
  if (weights == 0)
    corpus.sources = {{0, corpus.all.size(), 1.0}};
  for (Source &source : corpus.sources)
    source.upTo /= weights == 0 ? 1 : weights;
  return corpus;
}

Error TokenCorpus::readDocuments(bool haveEndToken) {
  for (TokenFile &file : all) {
    if (!file.hasIndex() && !haveEndToken)
      return Error("say with --document-end which token ends a document: '" +
                   file.path() +
                   "' has no .idx of Megatron beside it, which would say it");
    if (Error error = file.readDocuments())
      return error;
  }
  return Error::success();
}

/// The number of the file that has element `index`, where `before` counts those
/// of the files before each.
static size_t fileWith(const std::vector<uint64_t> &before, uint64_t index) {
  return static_cast<size_t>(
             std::upper_bound(before.begin(), before.end(), index) -
             before.begin()) -
         1;
}

TokenCorpus::Place TokenCorpus::random(uint64_t index) const {
  const Source *source = &sources.front();
  if (sources.size() > 1) {
    constexpr uint64_t steps = uint64_t(1) << 53; // of a double
    const double share = static_cast<double>(choices.below(steps, index)) /
                         static_cast<double>(steps);
    while (source != &sources.back() && share >= source->upTo)
      ++source;
  }
  const uint64_t first = positionsBefore[source->first];
  const uint64_t position =
      first + places.below(positionsBefore[source->end] - first, index);
  const size_t file = fileWith(positionsBefore, position);
  return {&all[file], position - positionsBefore[file]};
}

TokenCorpus::Place TokenCorpus::sequential(uint64_t index) const {
  const size_t file = fileWith(windowsBefore, index);
  return {&all[file], (index - windowsBefore[file]) * length};
}

/// A permutation of [0, size): a Feistel network of four rounds on the next
/// power of four, applied again to what falls outside.
static uint64_t permute(uint64_t value, uint64_t size,
                        const RandomStream &rounds) {
  unsigned half = 1;
  while (half < 32 && (uint64_t(1) << (2 * half)) < size)
    ++half;
  const uint64_t mask = (uint64_t(1) << half) - 1;
  do {
    uint64_t left = value >> half, right = value & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      const tert::RandomWords words = rounds.block(round << 32 | right);
      const uint64_t next = left ^ (words.low() & mask);
      left = right;
      right = next;
    }
    value = left << half | right;
  } while (value >= size);
  return value;
}

TokenCorpus::Place TokenCorpus::inEpochs(uint64_t index) const {
  const uint64_t epoch = index / numWindows;
  const RandomStream rounds(seed, "data.epoch." + std::to_string(epoch));
  return sequential(permute(index % numWindows, numWindows, rounds));
}

bool TokenCorpus::isBytes() const {
  return std::all_of(all.begin(), all.end(),
                     [](const TokenFile &file) { return file.width() == 1; });
}

std::string TokenCorpus::describe() const {
  if (all.size() > 1)
    return " in " + std::to_string(all.size()) + " files";
  return all.front().hasHeader() ? " after a header of llm.c" : "";
}
