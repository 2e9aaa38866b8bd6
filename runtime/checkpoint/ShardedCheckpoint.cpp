// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/ShardedCheckpoint.h"

#include "checkpoint/CheckpointIndex.h"
#include "support/Safetensors.h"

#include <algorithm>
#include <filesystem>
#include <set>

using namespace tert::session;
namespace fs = std::filesystem;

namespace {
constexpr char fileInfix[] = "-rank-";

std::string withZeros(const std::string &digits, size_t width) {
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// True for names of ranks' files, complete or temporary.
bool isShardFileName(std::string name) {
  const std::string unfinished = AtomicFile::temporaryName("");
  if (endsWith(name, unfinished))
    name.resize(name.size() - unfinished.size());
  return name == CheckpointIndex::fileName ||
         (name.find(fileInfix) != std::string::npos &&
          endsWith(name, safetensorsSuffix));
}

/// Prefix of the files of one save; the rank follows. No existing index names
/// such files, so that they overwrite nothing.
Expected<std::string> beginSave(const std::string &folder,
                                const std::string &step) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code)
    return Error("cannot make the folder '" + folder + "': " + code.message());
  std::set<std::string> taken;
  for (fs::directory_iterator it(folder, code), end; !code && it != end;
       it.increment(code)) {
    std::string name = it->path().filename().string();
    taken.insert(name.substr(0, name.find(fileInfix)));
  }
  if (code)
    return Error("cannot read the folder '" + folder + "': " + code.message());
  const std::string first = "step-" + withZeros(step, 8);
  std::string prefix = first;
  for (int attempt = 2; taken.count(prefix); ++attempt)
    prefix = first + "." + std::to_string(attempt);
  return prefix;
}

/// Returns whether this rank is the one that writes a state.
bool writes(const ProgramStates &program, const StateDescription &state) {
  const Mesh &mesh = program.description().mesh;
  const int32_t rank = program.rank();
  return state.isSaved() &&
         (state.shard ? state.shard->firstHolder(mesh, rank) : 0) == rank;
}

/// The file of this rank; nothing if it has nothing to write.
Expected<std::optional<ShardFile>>
writeOwn(const ProgramStates &program, const std::string &folder,
         const std::string &name, const std::string &step, StateCheck check) {
  const Description &description = program.description();
  std::vector<SafetensorsWriter::Entry> entries;
  std::vector<size_t> states; // Indexed by entry.
  std::map<std::string, TensorShard> parts;
  for (size_t index = 0; index < description.states.size(); ++index) {
    const StateDescription &state = description.states[index];
    if (!writes(program, state))
      continue;
    const bool isPart = state.shard && state.shard->layout.parts() > 1;
    entries.push_back({state.name, toFileDType(state.type.dtype),
                       isPart ? state.type.shape : state.globalShape()});
    states.push_back(index);
    if (isPart)
      parts[state.name] = {
          state.shard->layout.cut(),
          state.shard->partOf(description.mesh, program.rank())};
  }
  if (entries.empty())
    return std::optional<ShardFile>();
  const std::string path = folder + "/" + name;
  Expected<SafetensorsWriter> writer = SafetensorsWriter::create(
      path, entries,
      {{"format", "tert-checkpoint-part"},
       {"version", "1"},
       {"fingerprint", description.fingerprint},
       {"mesh", description.mesh.text()},
       {"rank", std::to_string(program.rank())},
       {"step", step},
       {"parts", shardsText(parts)},
       {SafetensorsWriter::checksumKey, Digest::placeholder()}});
  if (!writer)
    return writer.takeError();
  uint64_t bytes = writer->header().size();
  for (size_t entry : writer->order())
    if (Error error = visitChecked(program, states[entry], check, folder,
                                   [&](const char *data, size_t size) {
                                     bytes += size;
                                     return writer->append(data, size);
                                   }))
      return error;
  ShardFile file = {name, bytes, writer->checksum()};
  if (Error error = writer->commit())
    return error;
  return std::optional<ShardFile>(std::move(file));
}

/// A rank's report on its share of a save: empty, a file, or this mark followed
/// by the reason of a failure.
constexpr char failureMark = '!';

std::string report(const Error &error) { return failureMark + error.message(); }

/// The first failure among the ranks.
Error failureOf(const std::vector<std::string> &reports) {
  for (size_t rank = 0; rank < reports.size(); ++rank)
    if (!reports[rank].empty() && reports[rank][0] == failureMark)
      return Error("rank " + std::to_string(rank) + ": " +
                   reports[rank].substr(1));
  return Error::success();
}

Error writeIndex(const std::string &folder,
                 const std::map<std::string, std::string> &metadata,
                 const std::vector<std::string> &reports) {
  CheckpointIndex index;
  index.metadata = metadata;
  for (size_t rank = 0; rank < reports.size(); ++rank) {
    if (reports[rank].empty())
      continue;
    std::optional<ShardFile> file = ShardFile::parse(reports[rank]);
    if (!file)
      return Error("rank " + std::to_string(rank) +
                   " did not say what it wrote into '" + folder + "'");
    index.files.push_back(std::move(*file));
  }
  return index.write(folder);
}
} // namespace

Error tert::session::saveShardedCheckpoint(
    const ProgramStates &program, const std::string &folder,
    const std::map<std::string, std::string> &metadata, StateCheck check,
    const Gather &gather) {
  const bool isFirst = program.rank() == 0;
  const std::string &step = metadata.at("step");
  std::string own;
  if (isFirst) {
    Expected<std::string> prefix = beginSave(folder, step);
    own = prefix ? *prefix : report(prefix.takeError());
  }
  Expected<std::vector<std::string>> begun = gather("checkpoint begins", own);
  if (!begun)
    return begun.takeError();
  if (Error error = failureOf(*begun))
    return error;

  const std::string name = begun->front() + fileInfix +
                           withZeros(std::to_string(program.rank()), 5) +
                           safetensorsSuffix;
  // Removes files that no index will name; the last rank also removes the
  // folder, unless it contains other files.
  auto discard = [&](Error error) {
    std::error_code code;
    fs::remove(folder + "/" + name, code);
    fs::remove(folder, code);
    return error;
  };
  Expected<std::optional<ShardFile>> file =
      writeOwn(program, folder, name, step, check);
  own = !file ? report(file.takeError()) : *file ? (*file)->text() : "";
  Expected<std::vector<std::string>> written = gather("checkpoint parts", own);
  if (!written)
    return written.takeError();
  if (Error error = failureOf(*written))
    return discard(std::move(error));
  own.clear();
  if (isFirst)
    if (Error error = writeIndex(folder, metadata, *written))
      own = report(error);
  Expected<std::vector<std::string>> done = gather("checkpoint", own);
  if (!done)
    return done.takeError();
  if (Error error = failureOf(*done))
    return discard(std::move(error));
  // Files of previous saves only take up space.
  if (isFirst)
    (void)removeShardedCheckpoint(folder, RemoveShards::Leftovers);
  return Error::success();
}

Error tert::session::removeShardedCheckpoint(const std::string &folder,
                                             RemoveShards what) {
  std::set<std::string> named = {CheckpointIndex::fileName};
  std::error_code code;
  if (what == RemoveShards::All) {
    named.clear();
    fs::remove(CheckpointIndex::pathIn(folder), code);
    if (code)
      return Error("cannot remove '" + CheckpointIndex::pathIn(folder) +
                   "': " + code.message());
  } else if (Expected<CheckpointIndex> index = CheckpointIndex::read(folder)) {
    for (const ShardFile &file : index->files)
      named.insert(file.name);
  } else if (fs::exists(CheckpointIndex::pathIn(folder), code)) {
    // A damaged checkpoint may be worth a look.
    return Error::success();
  }
  std::vector<fs::path> files;
  for (fs::directory_iterator it(folder, code), end; !code && it != end;
       it.increment(code)) {
    const std::string name = it->path().filename().string();
    if (isShardFileName(name) && !named.count(name))
      files.push_back(it->path());
  }
  for (const fs::path &file : files)
    if (!code)
      fs::remove(file, code);
  if (code)
    return Error("cannot remove what is in '" + folder +
                 "': " + code.message());
  // Not if it contains other files.
  fs::remove(folder, code);
  return Error::success();
}
