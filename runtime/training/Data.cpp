// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Data.h"

#include "session/Random.h"
#include "training/Inputs.h"
#include "training/Loss.h"
#include "training/Text.h"
#include "training/TokenFile.h"

#include <algorithm>
#include <tuple>

using namespace tert::training;
using namespace tert::session;

namespace {
using Role = ArgumentDescription::Role;

bool isInteger(const ArgumentDescription &argument) {
  return !isFloat(toFileDType(argument.type.dtype));
}

/// A file that is one long sequence of tokens of `width` bytes.
class TokenWindows : public BatchSource {
public:
  TokenWindows(TokenFile file, uint64_t seed, DataOrder order,
               const ArgumentDescription &tokens,
               const ArgumentDescription *labels)
      : file(std::move(file)), stream(seed, "data.windows"), order(order),
        tokens(tokens), labels(labels), length(tokens.type.shape.back()),
        rows(tokens.type.elements() / length),
        window(static_cast<size_t>(length) + (labels ? 1 : 0)) {}

  static Expected<std::unique_ptr<BatchSource>>
  open(const std::string &path, DataFormat format, bool guessed, uint64_t seed,
       DataOrder order, const EntryDescription &entry, const Loss &loss) {
    const ArgumentDescription *tokens = nullptr;
    const ArgumentDescription *labels = entry.find(Role::Input, "labels");
    for (const ArgumentDescription &argument : entry.arguments) {
      if (argument.role != Role::Input || &argument == labels)
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
    Expected<TokenFile> file = TokenFile::open(path, format, guessed);
    if (!file)
      return file.takeError();
    uint64_t count = file->count();
    auto source = std::make_unique<TokenWindows>(std::move(*file), seed, order,
                                                 *tokens, labels);
    if (count < source->window)
      return Error("'" + path + "' has " + std::to_string(count) +
                   " tokens, fewer than one row of the batch needs (" +
                   std::to_string(source->window) + ")");
    if (order == DataOrder::Sequential && source->batches() == 0)
      return Error("'" + path + "' has " + std::to_string(count) +
                   " tokens, fewer than a batch of " +
                   std::to_string(source->rows) + " windows side by side has");
    return std::unique_ptr<BatchSource>(std::move(source));
  }

  Error fill(uint64_t batch, EntryCall &call) override {
    uint64_t positions = file.count() - window + 1;
    std::vector<uint64_t> starts;
    read.clear();
    for (int64_t row = 0; row < rows; ++row) {
      uint64_t index =
          batch * static_cast<uint64_t>(rows) + static_cast<uint64_t>(row);
      starts.push_back(order == DataOrder::Shuffled
                           ? stream.below(positions, index)
                           : index * static_cast<uint64_t>(length));
      if (Error error = file.read(starts.back(), window, read))
        return error;
    }
    if (Error error = setWindows(call, tokens, starts, 0))
      return error;
    return labels ? setWindows(call, *labels, starts, 1) : Error::success();
  }

  uint64_t batches() const override {
    uint64_t windows =
        (file.count() - (labels ? 1 : 0)) / static_cast<uint64_t>(length);
    return windows / static_cast<uint64_t>(rows);
  }

  std::string describe(uint64_t perStep) const override {
    return formatCount(static_cast<double>(file.count())) +
           (file.width() == 1 ? " bytes of text" : " tokens") +
           (file.hasHeader() ? " behind a header of llm.c" : "") + ", " +
           std::to_string(rows) + " windows of " + std::to_string(length) +
           (order == DataOrder::Sequential ? " a batch"
            : perStep == 1 ? " a step"
                           : " in each of " + std::to_string(perStep) +
                                 " microbatches a step");
  }

private:
  template <typename T> void copyWindows(size_t shift) {
    buffer.resize(static_cast<size_t>(rows * length) * sizeof(T));
    auto *out = reinterpret_cast<T *>(buffer.data());
    for (size_t row = 0; row < static_cast<size_t>(rows); ++row)
      for (size_t i = 0; i < static_cast<size_t>(length); ++i)
        *out++ = static_cast<T>(read[row * window + shift + i]);
  }

  Error setWindows(EntryCall &call, const ArgumentDescription &input,
                   const std::vector<uint64_t> &starts, size_t shift) {
    if (Error error = checkRange(input, starts, shift))
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

  /// Against the range that the program declares, or else what the input's
  /// integers can hold; the program checks the rest itself.
  Error checkRange(const ArgumentDescription &input,
                   const std::vector<uint64_t> &starts, size_t shift) const {
    int64_t first = 0, end = INT64_MAX;
    if (input.range)
      std::tie(first, end) = *input.range;
    else if (input.type.dtype == TERT_U8)
      end = 256;
    else if (input.type.dtype == TERT_I32)
      end = INT32_MAX;
    for (size_t row = 0; row < starts.size(); ++row)
      for (size_t i = 0; i < static_cast<size_t>(length); ++i) {
        int64_t token = read[row * window + shift + i];
        if (token < first || token >= end)
          return Error(
              "token " + std::to_string(token) + " at byte " +
              std::to_string(file.byteOf(starts[row] + shift + i)) + " of '" +
              file.path() + "' is outside the model's vocabulary, " +
              std::to_string(first) + " to " + std::to_string(end - 1) +
              "; use the tokenizer of this model, or say with "
              "--tokens how the file is to be read");
      }
    return Error::success();
  }

  TokenFile file;
  RandomStream stream;
  DataOrder order;
  const ArgumentDescription &tokens;
  const ArgumentDescription *labels;
  int64_t length, rows;
  size_t window; ///< Tokens of a row, and the label behind them.
  std::vector<uint32_t> read;
  std::vector<char> buffer;
};

/// A safetensors file with a tensor for every input: of the input's shape (the
/// same batch every step), or with a dimension of batches before it, which are
/// taken in turn.
class TensorBatches : public BatchSource {
public:
  TensorBatches(SafetensorsFile file, InputFile bytes)
      : file(std::move(file)), bytes(std::move(bytes)) {}

  static Expected<std::unique_ptr<BatchSource>>
  open(const std::string &path, const EntryDescription &entry) {
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
    return std::unique_ptr<BatchSource>(std::move(source));
  }

  Error fill(uint64_t number, EntryCall &call) override {
    for (const Input &input : inputs) {
      const TensorType &type = input.argument->type;
      const TensorView &tensor = *input.tensor;
      uint64_t batch = number % input.batches;
      stored.resize(static_cast<size_t>(type.elements()) *
                    sizeOf(tensor.dtype));
      uint64_t begin =
          static_cast<uint64_t>(tensor.data - file.header().data());
      if (Error error = bytes.read(begin + batch * stored.size(), stored.data(),
                                   stored.size()))
        return error;
      buffer.resize(type.bytes());
      if (Error error = convertExactly(tensor.dtype, stored.data(),
                                       toFileDType(type.dtype), buffer.data(),
                                       type.elements()))
        return Error("input '" + input.argument->name + "', batch " +
                     std::to_string(batch) + " of '" + file.path() +
                     "': " + error.message());
      if (Error error = call.setInput(*input.argument, buffer.data()))
        return error;
    }
    return Error::success();
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

  /// What is wrong, or nothing.
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

  /// What is where; the tensors themselves are read from `bytes`, not from its
  /// mapping.
  SafetensorsFile file;
  InputFile bytes;
  std::vector<Input> inputs;
  uint64_t count = 1;
  std::vector<char> stored, buffer;
};

} // namespace

DataFormat tert::training::resolveFormat(const std::string &path,
                                         DataFormat format) {
  if (format != DataFormat::Auto)
    return format;
  auto endsWith = [&](const std::string &suffix) {
    return path.size() >= suffix.size() &&
           path.compare(path.size() - suffix.size(), suffix.size(), suffix) ==
               0;
  };
  if (endsWith(".safetensors"))
    return DataFormat::Safetensors;
  return endsWith(".bin") ? DataFormat::U16 : DataFormat::Bytes;
}

Expected<std::unique_ptr<BatchSource>>
tert::training::openData(const std::string &path, DataFormat format,
                         uint64_t seed, const EntryCall &call,
                         DataOrder order) {
  const EntryDescription &entry = call.description();
  bool guessed = format == DataFormat::Auto;
  format = resolveFormat(path, format);
  if (format == DataFormat::Safetensors)
    return TensorBatches::open(path, entry);
  return TokenWindows::open(path, format, guessed, seed, order, entry,
                            Loss::of(call.program()));
}

int64_t tert::training::tokensPerCall(const EntryDescription &entry) {
  const ArgumentDescription *first = nullptr;
  for (const ArgumentDescription &argument : entry.arguments) {
    if (argument.role != Role::Input)
      continue;
    if (isInteger(argument))
      return argument.type.elements();
    if (!first)
      first = &argument;
  }
  if (!first || first->type.shape.empty() || first->type.shape.back() == 0)
    return 1;
  return first->type.elements() / first->type.shape.back();
}
