// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Initialization.h"

#include "checkpoint/Checkpoint.h"
#include "support/Random.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

using namespace tert::session;

namespace {
/// Writes a state from a function that generates floats from a given element of
/// the full tensor on.
template <typename Fill>
Error writeFloats(Session &session, size_t index, Fill fill) {
  const tert_dtype dtype = session.description().states[index].type.dtype;
  std::vector<float> values;
  std::vector<uint16_t> narrow;
  return session.fillState(index, [&](const ShardRange &range, char *to) {
    const auto count = static_cast<size_t>(range.count);
    values.resize(std::max(values.size(), count));
    fill(static_cast<uint64_t>(range.global), values.data(), count);
    if (dtype == TERT_F32) {
      std::memcpy(to, values.data(), count * sizeof(float));
      return Error::success();
    }
    narrow.resize(values.size());
    std::transform(values.begin(), values.begin() + range.count, narrow.begin(),
                   floatToBF16);
    std::memcpy(to, narrow.data(), count * sizeof(uint16_t));
    return Error::success();
  });
}

Error fillRandom(Session &session, size_t index, uint64_t seed) {
  const StateDescription &state = session.description().states[index];
  RandomStream stream(seed, state.name);
  auto a = static_cast<float>(state.init.first);
  auto b = static_cast<float>(state.init.second);
  if (state.init.kind == StateInit::Kind::Normal)
    return writeFloats(session, index,
                       [&](uint64_t first, float *values, uint64_t count) {
                         stream.normal(first, values, count);
                         for (uint64_t i = 0; i < count; ++i)
                           values[i] = a + b * values[i];
                       });
  return writeFloats(session, index,
                     [&](uint64_t first, float *values, uint64_t count) {
                       for (uint64_t i = 0; i < count; ++i)
                         values[i] = a + (b - a) * stream.uniform(first + i);
                     });
}

/// The bytes of one element with `value`, rounded for floats; nothing if it is
/// not representable.
std::optional<std::string> encodeElement(tert_dtype dtype, double value) {
  std::string bytes(sizeOf(toFileDType(dtype)), '\0');
  if (value == 0.0) // Zero bytes in every dtype.
    return bytes;
  if (dtype == TERT_F32 || dtype == TERT_BF16) {
    auto single = static_cast<float>(value);
    uint16_t half = floatToBF16(single);
    const void *source = dtype == TERT_F32 ? static_cast<void *>(&single)
                                           : static_cast<void *>(&half);
    std::memcpy(bytes.data(), source, bytes.size());
    return bytes;
  }
  auto integer = static_cast<int64_t>(std::clamp(value, -0x1p62, 0x1p62));
  if (static_cast<double>(integer) != value ||
      convertExactly(DType::I64, &integer, toFileDType(dtype), bytes.data(), 1))
    return std::nullopt;
  return bytes;
}

Error fillConstant(Session &session, size_t index) {
  const StateDescription &state = session.description().states[index];
  std::optional<std::string> element =
      encodeElement(state.type.dtype, state.init.first);
  if (!element)
    return Error("state '" + state.name + "', " + toString(state.type) +
                 ", cannot start as " + std::to_string(state.init.first));
  std::string elements;
  return session.fillState(index, [&](const ShardRange &range, char *to) {
    const size_t bytes = static_cast<size_t>(range.count) * element->size();
    while (elements.size() < bytes)
      elements += elements.empty() ? *element : elements;
    std::memcpy(to, elements.data(), bytes);
    return Error::success();
  });
}

std::string listOf(const std::vector<std::string> &names) {
  constexpr size_t shown = 20;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), shown); ++i)
    text += "\n  " + names[i];
  if (names.size() > shown)
    text += "\n  … and " + std::to_string(names.size() - shown) + " more";
  return text;
}

/// Copies the parameters in `wanted`, or this rank's shards of them, from a
/// file; all errors are reported at once.
Error loadParameters(Session &session, const TensorFiles &file,
                     const std::vector<size_t> &wanted) {
  std::vector<std::string> problems;
  for (size_t index : wanted) {
    const StateDescription &state = session.description().states[index];
    const StoredTensor *tensor = file.find(state.name);
    if (!tensor)
      problems.push_back(state.name + ": missing, " +
                         toString(state.globalType()) + " expected");
    else if (tensor->shape() != state.globalShape())
      problems.push_back(state.name + ": has shape " +
                         toString(tensor->shape()) + ", " +
                         toString(state.globalType()) + " expected");
  }
  if (!problems.empty())
    return Error(
        "'" + file.path() +
        "' does not hold the parameters of this model:" + listOf(problems) +
        "\nGive the file that was written with the artifact, or one "
        "of the same model, with --weights");
  for (size_t index : wanted) {
    const StateDescription &state = session.description().states[index];
    const StoredTensor *tensor = file.find(state.name);
    auto read = [&](const ShardRange &range, char *to) {
      Error error = tensor->readAs(toFileDType(state.type.dtype), range.global,
                                   range.count, to);
      return error ? Error("parameter '" + state.name + "' of '" + file.path() +
                           "': " + error.message())
                   : Error::success();
    };
    if (Error error = session.fillState(index, read))
      return error;
  }
  return Error::success();
}

/// Opens files and verifies their checksums, which reads all bytes. For a job,
/// the first rank does it for all, and an error ends the job.
Expected<TensorFiles> openVerified(const std::string &path,
                                   const Session &session) {
  if (TensorFiles::isShardedCheckpoint(path) && session.rank() == 0)
    return openCheckpoint(path);
  Expected<TensorFiles> files = TensorFiles::open(path);
  if (!files ||
      (session.rank() != 0 && session.description().hasShardedStates()))
    return files;
  if (isCheckpoint(*files))
    return openCheckpoint(path);
  if (Error error = verifyChecksums(*files))
    return error;
  return files;
}

/// Opens the weights that were written with the artifact, and no others.
Expected<TensorFiles> openOwnWeights(const Session &session) {
  const Artifact &artifact = session.artifact();
  std::error_code code;
  if (!std::filesystem::exists(artifact.weightsPath(), code))
    return Error("the parameters' file '" + artifact.weightsPath() +
                 "' is missing. te-compile writes it next to the artifact: "
                 "keep the two together, or name it with --weights");
  Expected<TensorFiles> file = openVerified(artifact.weightsPath(), session);
  if (file && file->file(0).storedChecksum() != artifact.weightsChecksum())
    return Error("'" + file->path() + "' was not written together with '" +
                 artifact.path() +
                 "'; compile the model again, or name the file with --weights "
                 "if it is what you want");
  return file;
}
} // namespace

/// Computes states that are derived from others.
static Error runInit(Session &session) {
  Expected<EntryCall> init = EntryCall::create(session, "init");
  if (!init)
    return init.takeError();
  return init->run();
}

Error tert::session::initializeStates(Session &session,
                                      const InitializationOptions &options,
                                      std::string *warning) {
  const Description &description = session.description();
  bool given = !options.weights.empty();
  std::vector<size_t> fromFile, buffers;
  bool derived = false;
  for (size_t i = 0; i < description.states.size(); ++i) {
    const StateDescription &state = description.states[i];
    Error error = Error::success();
    if (state.init.kind == StateInit::Kind::Derived)
      derived = true;
    if (state.isBuffer())
      buffers.push_back(i);
    else if (state.init.kind == StateInit::Kind::Data ||
             (given && state.isParameter()))
      fromFile.push_back(i);
    else if (state.init.kind == StateInit::Kind::Constant)
      error = fillConstant(session, i);
    else if (state.init.kind != StateInit::Kind::Derived)
      error = fillRandom(session, i, options.seed);
    if (error)
      return error;
  }

  if (!fromFile.empty()) {
    Expected<TensorFiles> file = given ? openVerified(options.weights, session)
                                       : openOwnWeights(session);
    if (!file)
      return file.takeError();
    // A file of other parameters need not contain the model's buffers.
    if (std::all_of(buffers.begin(), buffers.end(), [&](size_t index) {
          return file->find(description.states[index].name);
        })) {
      fromFile.insert(fromFile.end(), buffers.begin(), buffers.end());
      buffers.clear();
    }
    if (Error error = loadParameters(session, *file, fromFile))
      return error;
    if (given && warning && !isCheckpoint(*file)) {
      std::vector<std::string> unused;
      for (const auto &tensor : file->tensors())
        if (std::none_of(fromFile.begin(), fromFile.end(), [&](size_t index) {
              return description.states[index].name == tensor.first;
            }))
          unused.push_back(tensor.first);
      if (!unused.empty())
        *warning =
            "'" + options.weights + "' holds " + std::to_string(unused.size()) +
            " tensors that are not parameters of this model:" + listOf(unused);
    }
  }

  if (!buffers.empty()) {
    Expected<TensorFiles> file = openOwnWeights(session);
    if (!file)
      return file.takeError();
    if (Error error = loadParameters(session, *file, buffers))
      return error;
  }
  return derived ? runInit(session) : Error::success();
}

Error tert::session::deriveStates(Session &session) {
  const std::vector<StateDescription> &states = session.description().states;
  return std::any_of(states.begin(), states.end(),
                     [](const StateDescription &state) {
                       return state.init.kind == StateInit::Kind::Derived;
                     })
             ? runInit(session)
             : Error::success();
}

Error tert::session::initializeFp8(Session &session) {
  const Description &description = session.description();
  bool derived = false;
  for (size_t i = 0; i < description.states.size(); ++i) {
    const StateDescription &state = description.states[i];
    if (!state.isOfFp8())
      continue;
    derived |= state.init.kind == StateInit::Kind::Derived;
    if (state.init.kind == StateInit::Kind::Constant)
      if (Error error = fillConstant(session, i))
        return error;
  }
  return derived ? runInit(session) : Error::success();
}
