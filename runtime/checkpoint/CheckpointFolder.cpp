// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/CheckpointFolder.h"

#include "support/Safetensors.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <set>

using namespace tert::session;
namespace fs = std::filesystem;

namespace {
constexpr char stepPrefix[] = "step-";
constexpr char bestName[] = "best";

/// "step-00000500"
std::string stepName(uint64_t step) {
  std::string digits = std::to_string(step);
  digits.insert(0, 8 - std::min<size_t>(8, digits.size()), '0');
  return stepPrefix + digits;
}

/// The step of such a name; nothing for other names.
std::optional<uint64_t> stepOf(const std::string &name) {
  const size_t prefix = std::strlen(stepPrefix);
  if (name.rfind(stepPrefix, 0) != 0)
    return std::nullopt;
  uint64_t step = 0;
  const char *end = name.data() + name.size();
  auto result = std::from_chars(name.data() + prefix, end, step);
  if (result.ec != std::errc() || result.ptr != end || stepName(step) != name)
    return std::nullopt;
  return step;
}

/// Removes the suffix; false if there is none.
bool cut(std::string &name, const std::string &suffix) {
  if (name.size() < suffix.size() ||
      name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
    return false;
  name.resize(name.size() - suffix.size());
  return true;
}

Error removeFile(const std::string &file) {
  std::error_code code;
  fs::remove(file, code);
  return code ? Error("cannot remove the old checkpoint '" + file +
                      "': " + code.message())
              : Error::success();
}

Error removeFolder(const std::string &folder) {
  return TensorFiles::isShardedCheckpoint(folder)
             ? removeShardedCheckpoint(folder, RemoveShards::All)
             : Error::success();
}

/// Makes a failure of the first rank fail on all.
Error agreed(Error error, const Gather &gather) {
  if (!gather)
    return error;
  Expected<std::vector<std::string>> all =
      gather("place of a checkpoint", error ? error.message() : "");
  if (!all)
    return all.takeError();
  return all->front().empty() ? Error::success() : Error(all->front());
}

/// The first rank's number; nothing if it has none.
Expected<std::optional<uint64_t>> fromFirst(const Gather &gather,
                                            std::optional<uint64_t> step) {
  Expected<std::vector<std::string>> all =
      gather("checkpoint to load", step ? std::to_string(*step) : "");
  if (!all)
    return all.takeError();
  const std::string &text = all->front();
  if (text.empty())
    return std::optional<uint64_t>();
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::optional<uint64_t>(number);
}
} // namespace

std::string CheckpointFolder::fileNamed(const std::string &name) const {
  return (fs::path(path) / (name + safetensorsSuffix)).string();
}

std::string CheckpointFolder::folderNamed(const std::string &name) const {
  return (fs::path(path) / name).string();
}

std::string CheckpointFolder::placeOf(const std::string &name) const {
  std::string folder = folderNamed(name);
  return TensorFiles::isShardedCheckpoint(folder) ? folder : fileNamed(name);
}

Expected<FolderLock> CheckpointFolder::prepare() const {
  std::error_code code;
  fs::create_directories(path, code);
  if (code)
    return Error("cannot make the checkpoint folder '" + path + "': " +
                 code.message() + "; choose a folder with write permission");
  Expected<FolderLock> lock = FolderLock::take(path);
  if (!lock)
    return lock;
  std::vector<fs::path> leftovers, folders;
  for (fs::directory_iterator it(path, code), end; !code && it != end;
       it.increment(code)) {
    std::string name = it->path().filename().string();
    std::error_code ignored;
    const bool isUnfinished =
        (name.rfind(stepPrefix, 0) == 0 &&
         cut(name, AtomicFile::temporaryName(safetensorsSuffix))) ||
        name == AtomicFile::temporaryName(CheckpointFolder::healthName) ||
        name == AtomicFile::temporaryName(CheckpointFolder::recordName);
    if (isUnfinished)
      leftovers.push_back(it->path());
    else if ((name == bestName || stepOf(name)) &&
             fs::is_directory(it->path(), ignored))
      folders.push_back(it->path());
  }
  for (const fs::path &file : leftovers)
    if (!code)
      fs::remove(file, code);
  if (code)
    return Error("cannot read the checkpoint folder '" + path +
                 "': " + code.message());
  for (const fs::path &folder : folders)
    if (Error error =
            removeShardedCheckpoint(folder.string(), RemoveShards::Leftovers))
      return error;
  return lock;
}

std::string CheckpointFolder::fileOf(uint64_t step) const {
  return placeOf(stepName(step));
}

std::string CheckpointFolder::bestFile() const { return placeOf(bestName); }

std::optional<CheckpointInfo> CheckpointFolder::best() const {
  std::error_code code;
  if (!fs::exists(bestFile(), code))
    return std::nullopt;
  Expected<TensorFiles> files = openCheckpoint(bestFile());
  std::optional<CheckpointInfo> info =
      files ? infoOf(*files) : std::optional<CheckpointInfo>();
  return info && info->evalLoss ? info : std::nullopt;
}

Expected<std::vector<uint64_t>> CheckpointFolder::steps() const {
  std::set<uint64_t> found;
  std::error_code code;
  for (fs::directory_iterator it(path, code), end; !code && it != end;
       it.increment(code)) {
    std::string name = it->path().filename().string();
    if (cut(name, safetensorsSuffix) ||
        TensorFiles::isShardedCheckpoint(it->path().string()))
      if (std::optional<uint64_t> step = stepOf(name))
        found.insert(*step);
  }
  if (code && code != std::errc::no_such_file_or_directory)
    return Error("cannot read the checkpoint folder '" + path +
                 "': " + code.message());
  return std::vector<uint64_t>(found.begin(), found.end());
}

Error CheckpointFolder::save(const ProgramStates &program,
                             const CheckpointInfo &info,
                             const Gather &gather) const {
  const std::string name = stepName(info.step);
  const bool inParts = program.description().hasShardedStates();
  // An existing checkpoint of this step is damaged, or this run would have
  // started after it. One of the other kind would be found instead of the new
  // one.
  Error removed = Error::success();
  if (program.rank() == 0)
    removed =
        inParts ? removeFile(fileNamed(name)) : removeFolder(folderNamed(name));
  if (Error error = agreed(std::move(removed), gather))
    return error;
  return saveCheckpoint(program, inParts ? folderNamed(name) : fileNamed(name),
                        info, StateCheck::Finite, gather);
}

Error CheckpointFolder::saveBest(const ProgramStates &program,
                                 const CheckpointInfo &info,
                                 const Gather &gather) const {
  const bool inParts = program.description().hasShardedStates();
  const std::string file = fileNamed(bestName), folder = folderNamed(bestName);
  if (Error error = saveCheckpoint(program, inParts ? folder : file, info,
                                   StateCheck::Finite, gather))
    return error;
  if (program.rank() != 0)
    return Error::success();
  return inParts ? removeFile(file) : removeFolder(folder);
}

Error CheckpointFolder::remove(uint64_t step) const {
  const std::string name = stepName(step);
  if (Error error = removeFile(fileNamed(name)))
    return error;
  return removeFolder(folderNamed(name));
}

Error CheckpointFolder::prune(size_t keep, const std::vector<uint64_t> &others,
                              uint64_t milestones) const {
  Expected<std::vector<uint64_t>> present = steps();
  if (!present)
    return present.takeError();
  if (keep == 0 || present->size() <= keep)
    return Error::success();
  present->resize(present->size() - keep);
  for (uint64_t step : *present)
    if (std::find(others.begin(), others.end(), step) == others.end() &&
        !(milestones && step % milestones == 0))
      if (Error error = remove(step))
        return error;
  return Error::success();
}

Expected<std::vector<uint64_t>>
CheckpointFolder::removeAfter(uint64_t step) const {
  Expected<std::vector<uint64_t>> present = steps();
  if (!present)
    return present;
  present->erase(present->begin(),
                 std::upper_bound(present->begin(), present->end(), step));
  for (uint64_t later : *present)
    if (Error error = remove(later))
      return error;
  return present;
}

Expected<CheckpointInfo>
CheckpointFolder::loadNewest(ProgramStates &program, bool skipDamaged,
                             std::vector<std::string> &skipped,
                             const Gather &gather, uint64_t last) const {
  std::vector<uint64_t> present;
  const bool chooses = !gather || program.rank() == 0;
  if (chooses) {
    if (Error error = steps().moveTo(present))
      return error;
    present.erase(std::upper_bound(present.begin(), present.end(), last),
                  present.end());
    if (present.empty())
      return Error("'" + path +
                   "' holds no checkpoint to resume from; leave "
                   "out --resume to start a new run");
  }
  while (true) {
    std::optional<uint64_t> step;
    if (!present.empty())
      step = present.back();
    if (gather) {
      if (Error error = fromFirst(gather, step).moveTo(step))
        return error;
    }
    if (!step)
      return Error("every checkpoint in '" + path +
                   "' is damaged; start again without --resume in another "
                   "folder");
    CheckpointLoad result = tryCheckpoint(
        program, fileOf(*step), CheckpointCoverage::Continued, gather);
    if (!result.mismatch.empty())
      return Error(result.mismatch);
    if (result.damage.empty())
      return result.info;
    if (chooses)
      present.pop_back();
    if (!skipDamaged && !chooses)
      return Error("the newest checkpoint cannot be used: " + result.damage);
    if (!skipDamaged)
      return Error(
          "the newest checkpoint cannot be used: " + result.damage +
          (!present.empty()
               ? "\nAdd --skip-damaged to continue from the one before it "
                 "(step " +
                     std::to_string(present.back()) + ")"
               : "\nThere is no older one: start again without --resume in "
                 "another folder"));
    skipped.push_back(result.damage);
  }
}
