// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/InputFile.h"
#include "training/DataSources.h"
#include "training/Inputs.h"
#include "training/Loss.h"

#include <algorithm>

using namespace tert::training;
using namespace tert::session;

namespace {
using Role = ArgumentDescription::Role;

/// A safetensors file with a tensor for every input: of the input's shape (the
/// same batch every step), or with an outer dimension of batches, which are
/// used cyclically.
class TensorBatches : public BatchSource {
public:
  TensorBatches(SafetensorsFile file, InputFile bytes)
      : file(std::move(file)), bytes(std::move(bytes)) {}

  static Expected<std::unique_ptr<BatchSource>>
  open(const std::string &path, const EntryDescription &entry,
       const Loss &loss) {
    Expected<SafetensorsFile> file = SafetensorsFile::open(path);
    if (!file)
      return file.takeError();
    Expected<InputFile> bytes = InputFile::open(path);
    if (!bytes)
      return bytes.takeError();
    auto source =
        std::make_unique<TensorBatches>(std::move(*file), std::move(*bytes));
    std::string problems;
    for (const ArgumentDescription &argument : entry.arguments) {
      if (argument.role != Role::Input)
        continue;
      const TensorView *tensor = findInput(source->file, argument.name, {});
      std::string problem =
          tensor ? source->add(argument, *tensor)
                 : "missing, " + toString(argument.type) + " expected";
      if (!problem.empty())
        problems += "\n  " + argument.name + ": " + problem;
    }
    if (!problems.empty())
      return Error("the batches in '" + path + "' do not fit:" + problems +
                   "\nEvery input needs a tensor of its name, with the "
                   "batches along the first dimension");
    source->findLabels(entry, loss);
    return std::unique_ptr<BatchSource>(std::move(source));
  }

  Error fill(uint64_t number, EntryCall &call) override {
    for (const Input &input : inputs) {
      const TensorType &type = input.argument->type;
      const uint64_t batch = number % input.batches;
      if (Error error = readStored(input, batch, stored))
        return error;
      buffer.resize(type.bytes());
      if (Error error =
              convert(input, batch, toFileDType(type.dtype), buffer.data()))
        return error;
      if (Error error = call.setInput(*input.argument, buffer.data()))
        return error;
    }
    return Error::success();
  }

  Expected<std::optional<uint64_t>> labels(uint64_t number) override {
    if (!labelled)
      return std::optional<uint64_t>();
    const uint64_t batch = number % labelled->batches;
    std::optional<uint64_t> &known = counted[batch];
    if (!known) {
      std::vector<int64_t> values;
      if (Error error = readIntegers(*labelled, batch, values))
        return error;
      known = countLabels(values);
    }
    // A loss computed by the model itself is a mean over an unknown count.
    return isOwn && *known ? std::optional<uint64_t>() : known;
  }

  Error readLabels(uint64_t number, std::vector<int64_t> &values) override {
    if (!labelled || isShifted)
      return Error("'" + file.path() + "' has no labels that are integers");
    return readIntegers(*labelled, number % labelled->batches, values);
  }

  Expected<std::vector<std::string>>
  scan(const std::atomic<bool> &stop) const override {
    std::vector<std::string> warnings;
    std::vector<int64_t> values;
    uint64_t any = 0, empty = 0;
    for (const Input &input : inputs) {
      const bool isLabelled = labelled && labelled->argument == input.argument;
      if (!isLabelled && !input.argument->range)
        continue;
      for (uint64_t batch = 0; batch < input.batches && !stop; ++batch) {
        if (Error error = readIntegers(input, batch, values))
          return error;
        if (Error error = checkRange(input, batch, values))
          return error;
        if (isLabelled && countLabels(values))
          ++any;
        else if (isLabelled)
          ++empty;
      }
    }
    if (stop || empty == 0)
      return warnings;
    const std::string which = "'" + labelled->argument->name + "' of '" +
                              file.path() + "' is " + std::to_string(ignored) +
                              ", which the loss does not count";
    if (any == 0)
      return Error("every label in " + which +
                   ": nothing can be learned from it. Give labels that count, "
                   "or compile with another --ignore-index");
    warnings.push_back(
        std::to_string(empty) + " of " + std::to_string(any + empty) +
        " batches have no label that counts: every label there in " + which +
        ". Nothing is learned from them");
    return warnings;
  }

  uint64_t bytesToScan() const override {
    uint64_t bytes = 0;
    for (const Input &input : inputs)
      if (input.argument->range ||
          (labelled && labelled->argument == input.argument))
        bytes += input.batches * storedBytes(input);
    return bytes;
  }

  uint64_t batches() const override { return count; }

  std::string describe(uint64_t perStep) const override {
    return std::to_string(count) +
           (count == 1 ? " batch, the same every step" : " batches in turn") +
           (perStep == 1
                ? ""
                : ", " + std::to_string(perStep) + " microbatches a step");
  }

private:
  struct Input {
    const ArgumentDescription *argument;
    const TensorView *tensor;
    uint64_t batches;
  };

  static size_t storedBytes(const Input &input) {
    return static_cast<size_t>(input.argument->type.elements()) *
           sizeOf(input.tensor->dtype);
  }

  Error readStored(const Input &input, uint64_t batch,
                   std::vector<char> &to) const {
    to.resize(storedBytes(input));
    const auto begin =
        static_cast<uint64_t>(input.tensor->data - file.header().data());
    return bytes.read(begin + batch * to.size(), to.data(), to.size());
  }

  /// Converts a batch of the data in `stored`.
  Error convert(const Input &input, uint64_t batch, DType dtype,
                void *to) const {
    return convert(input, batch, stored, dtype, to);
  }
  Error convert(const Input &input, uint64_t batch,
                const std::vector<char> &from, DType dtype, void *to) const {
    if (Error error = convertExactly(input.tensor->dtype, from.data(), dtype,
                                     to, input.argument->type.elements()))
      return Error("input '" + input.argument->name + "', batch " +
                   std::to_string(batch) + " of '" + file.path() +
                   "': " + error.message());
    return Error::success();
  }

  Error readIntegers(const Input &input, uint64_t batch,
                     std::vector<int64_t> &values) const {
    std::vector<char> raw;
    if (Error error = readStored(input, batch, raw))
      return error;
    values.resize(static_cast<size_t>(input.argument->type.elements()));
    return convert(input, batch, raw, DType::I64, values.data());
  }

  Error checkRange(const Input &input, uint64_t batch,
                   const std::vector<int64_t> &values) const {
    if (!input.argument->range)
      return Error::success();
    auto [first, end] = *input.argument->range;
    for (int64_t value : values)
      if (value < first || value >= end)
        return Error("the value " + std::to_string(value) + " of input '" +
                     input.argument->name + "', batch " +
                     std::to_string(batch) + " of '" + file.path() +
                     "', is outside what the model takes, " +
                     std::to_string(first) + " to " + std::to_string(end - 1) +
                     "; use the tokenizer of this model");
    return Error::success();
  }

  /// Finds the labels: an input of that name, or the tokens, each of which is
  /// the label of the previous one.
  void findLabels(const EntryDescription &entry, const Loss &loss) {
    isOwn = loss.kind == "output";
    if (!loss.ignoreIndex && !isOwn)
      return;
    const ArgumentDescription *argument = entry.find(Role::Input, "labels");
    isShifted = !argument;
    for (const ArgumentDescription &other : entry.arguments)
      if (isShifted && !isOwn && other.role == Role::Input &&
          isInteger(other) && other.type.shape.size() == 2 &&
          (!argument || other.name == "input_ids"))
        argument = &other;
    if (!argument || !isInteger(*argument))
      return;
    // The default of PyTorch, for models that compute their loss themselves.
    ignored = loss.ignoreIndex.value_or(-100);
    for (const Input &input : inputs)
      if (input.argument == argument)
        labelled = input;
    if (labelled)
      counted.resize(labelled->batches);
  }

  uint64_t countLabels(const std::vector<int64_t> &values) const {
    const auto length =
        static_cast<size_t>(labelled->argument->type.shape.back());
    uint64_t number = 0;
    for (size_t i = 0; i < values.size(); ++i)
      number += values[i] != ignored && !(isShifted && i % length == 0);
    return number;
  }

  /// Returns an error, or an empty text.
  std::string add(const ArgumentDescription &argument,
                  const TensorView &tensor) {
    const Shape &shape = argument.type.shape;
    if (isFloat(tensor.dtype) != isFloat(toFileDType(argument.type.dtype)))
      return std::string(nameOf(tensor.dtype)) + " cannot stand for " +
             std::string(descriptionName(argument.type.dtype));
    uint64_t own = 1;
    if (tensor.shape != shape) {
      if (tensor.shape.size() != shape.size() + 1 ||
          !std::equal(shape.begin(), shape.end(), tensor.shape.begin() + 1) ||
          tensor.shape[0] == 0)
        return "has shape " + toString(tensor.shape) + ", expected " +
               toString(shape) + " with or without batches before it";
      own = static_cast<uint64_t>(tensor.shape[0]);
    }
    if (!inputs.empty() && own != count)
      return "has " + std::to_string(own) + " batches, other inputs have " +
             std::to_string(count);
    count = own;
    inputs.push_back({&argument, &tensor, own});
    return {};
  }

  /// Offsets and shapes; the tensors themselves are read from `bytes`, not from
  /// its mapping.
  SafetensorsFile file;
  InputFile bytes;
  std::vector<Input> inputs;
  uint64_t count = 1;
  std::vector<char> stored, buffer;
  std::optional<Input> labelled; ///< The labels, or the tokens used as labels.
  bool isShifted = false, isOwn = false;
  int64_t ignored = 0;
  std::vector<std::optional<uint64_t>> counted; ///< Indexed by batch of
                                                ///< `labelled`.
};

/// Files one after the other, again and again.
class JoinedBatches : public BatchSource {
public:
  explicit JoinedBatches(std::vector<std::unique_ptr<BatchSource>> parts)
      : parts(std::move(parts)) {
    for (const auto &part : this->parts)
      count += part->batches();
  }

  Error fill(uint64_t batch, EntryCall &call) override {
    auto [part, own] = find(batch);
    return part->fill(own, call);
  }
  Expected<std::optional<uint64_t>> labels(uint64_t batch) override {
    auto [part, own] = find(batch);
    return part->labels(own);
  }
  Error readLabels(uint64_t batch, std::vector<int64_t> &values) override {
    auto [part, own] = find(batch);
    return part->readLabels(own, values);
  }
  Expected<std::vector<std::string>>
  scan(const std::atomic<bool> &stop) const override {
    std::vector<std::string> warnings;
    for (const auto &part : parts) {
      Expected<std::vector<std::string>> found = part->scan(stop);
      if (!found)
        return found;
      warnings.insert(warnings.end(), found->begin(), found->end());
    }
    return warnings;
  }
  uint64_t bytesToScan() const override {
    uint64_t bytes = 0;
    for (const auto &part : parts)
      bytes += part->bytesToScan();
    return bytes;
  }
  uint64_t batches() const override { return count; }
  std::string describe(uint64_t perStep) const override {
    return std::to_string(count) + " batches in " +
           std::to_string(parts.size()) + " files in turn" +
           (perStep == 1
                ? ""
                : ", " + std::to_string(perStep) + " microbatches a step");
  }

private:
  std::pair<BatchSource *, uint64_t> find(uint64_t batch) const {
    batch %= count;
    for (const auto &part : parts) {
      if (batch < part->batches())
        return {part.get(), batch};
      batch -= part->batches();
    }
    return {parts.back().get(), 0};
  }

  std::vector<std::unique_ptr<BatchSource>> parts;
  uint64_t count = 0;
};
} // namespace

Expected<std::unique_ptr<BatchSource>>
tert::training::openTensorBatches(const std::vector<std::string> &paths,
                                  const EntryDescription &entry,
                                  const Loss &loss) {
  std::vector<std::unique_ptr<BatchSource>> parts;
  for (const std::string &path : paths) {
    Expected<std::unique_ptr<BatchSource>> part =
        TensorBatches::open(path, entry, loss);
    if (!part)
      return part;
    parts.push_back(std::move(*part));
  }
  if (parts.size() == 1)
    return std::move(parts.front());
  return std::unique_ptr<BatchSource>(
      std::make_unique<JoinedBatches>(std::move(parts)));
}
