// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Checkpoint.h"

#include "session/Checksum.h"
#include "session/ParameterNames.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>

using namespace tert::session;
namespace fs = std::filesystem;

namespace {
constexpr char formatName[] = "tert-checkpoint";
constexpr char formatVersion[] = "1";
/// What stands in the place of the checksum while it is computed.
constexpr char noChecksum[] = "0000000000000000";
constexpr char checksumLabel[] = "\"checksum\":\"";
constexpr char filePrefix[] = "step-";
constexpr char fileSuffix[] = ".safetensors";

/// Why a file was not loaded: one that is damaged can be stepped over, one of
/// another model cannot.
struct LoadResult {
  CheckpointInfo info;
  std::string damage;
  std::string mismatch;
};

bool parseNumber(const std::string &text, uint64_t &value) {
  const char *end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

std::string note(const SafetensorsFile &file, const char *key) {
  auto it = file.metadata().find(key);
  return it == file.metadata().end() ? std::string() : it->second;
}

/// Why a file is not a checkpoint that this program reads; empty if it is one.
std::string foreign(const SafetensorsFile &file) {
  if (!isCheckpoint(file))
    return "'" + file.path() + "' is not a checkpoint of te-run";
  if (note(file, "version") != formatVersion)
    return "the checkpoint '" + file.path() + "' has version '" +
           note(file, "version") + "' (written by " + note(file, "compiler") +
           "); this program reads version " + formatVersion;
  return {};
}

/// A number as text that reads back the same.
std::string exactText(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

/// What the metadata says beside the states; nothing if that cannot be.
std::optional<CheckpointInfo> infoOf(const SafetensorsFile &file) {
  CheckpointInfo info;
  if (!parseNumber(note(file, "step"), info.step) ||
      !parseNumber(note(file, "seed"), info.seed))
    return std::nullopt;
  if (std::string batches = note(file, "batches"); !batches.empty())
    if (!parseNumber(batches, info.batches.emplace()))
      return std::nullopt;
  info.run = note(file, "run");
  info.provenance = note(file, "provenance");
  if (std::string loss = note(file, "eval_loss"); !loss.empty())
    info.evalLoss = std::strtod(loss.c_str(), nullptr);
  return info;
}

/// Whether the bytes are those that were written.
bool isWhole(const SafetensorsFile &file) {
  // The header is covered too, as it was before the checksum was known.
  std::string header(file.header());
  std::string stored = note(file, "checksum");
  if (size_t at = header.find(std::string(checksumLabel) + stored + "\"");
      at != std::string::npos)
    header.replace(at + std::strlen(checksumLabel), stored.size(), noChecksum);
  Checksum checksum;
  checksum.add(header.data(), header.size());
  checksum.add(file.payload(), file.payloadSize());
  return checksum.finish() == stored;
}

/// Whether all values are; `exponent` has the bits that only others have set.
template <typename Bits>
bool isFinite(const char *data, size_t bytes, Bits exponent) {
  bool finite = true;
  for (size_t at = 0; at + sizeof(Bits) <= bytes; at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, data + at, sizeof(bits));
    finite &= (bits & exponent) != exponent;
  }
  return finite;
}

/// FP8 copies of weights saturate, and are made anew from the weights.
bool isFinite(tert_dtype dtype, const char *data, size_t bytes) {
  if (dtype == TERT_F32)
    return isFinite<uint32_t>(data, bytes, 0x7f800000u);
  return dtype != TERT_BF16 || isFinite<uint16_t>(data, bytes, 0x7f80u);
}

std::string damageOf(const std::string &path) {
  return "'" + path + "' is damaged: its bytes do not match its checksum";
}

LoadResult load(Session &session, const std::string &path,
                CheckpointPart part) {
  LoadResult result;
  Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file) {
    result.damage = file.takeError().message();
    return result;
  }
  result.mismatch = foreign(*file);
  if (!result.mismatch.empty())
    return result;
  const Description &description = session.description();
  if (description.hasParts()) {
    result.mismatch = "'" + path + "' was not read: each rank of '" +
                      session.artifact().path() +
                      "' holds a part of the states only";
    return result;
  }
  Expected<CheckpointFit> fit =
      CheckpointFit::find(*file, note(*file, "slots"), description, part);
  bool sameModel = note(*file, "fingerprint") == description.fingerprint;
  std::string reason = fit ? "" : ": " + std::string(fit.takeError().message());
  if (!fit && !sameModel) {
    result.mismatch = "the checkpoint '" + path +
                      "' is of another model than '" +
                      session.artifact().path() + "'" + reason;
    return result;
  }
  std::optional<CheckpointInfo> info = infoOf(*file);
  if (!info || !isWhole(*file)) {
    result.damage = damageOf(path);
    return result;
  }
  result.info = std::move(*info);
  if (!fit)
    result.mismatch =
        "the checkpoint '" + path + "' does not fit this model" + reason;
  else if (Error error = fit->write(session))
    result.mismatch = error.message();
  return result;
}
} // namespace

Expected<SafetensorsFile>
tert::session::openCheckpoint(const std::string &path) {
  Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file;
  if (std::string reason = foreign(*file); !reason.empty())
    return Error(reason);
  if (!isWhole(*file))
    return Error(damageOf(path));
  return file;
}

bool tert::session::isCheckpoint(const SafetensorsFile &file) {
  auto it = file.metadata().find("format");
  return it != file.metadata().end() && it->second == formatName;
}

Error tert::session::saveCheckpoint(const Session &session,
                                    const std::string &path,
                                    const CheckpointInfo &info,
                                    StateCheck check) {
  const Description &description = session.description();
  if (description.hasParts())
    return Error("'" + path + "' was not written: each rank of '" +
                 session.artifact().path() +
                 "' holds a part of the states only");
  std::vector<SafetensorsWriter::Entry> entries;
  std::vector<size_t> states; // By entry.
  for (size_t index = 0; index < description.states.size(); ++index) {
    const StateDescription &state = description.states[index];
    if (state.isSum())
      continue;
    entries.push_back(
        {state.name, toFileDType(state.type.dtype), state.type.shape});
    states.push_back(index);
  }
  std::map<std::string, std::string> notes = {
      {"format", formatName},
      {"version", formatVersion},
      {"fingerprint", description.fingerprint},
      {"compiler", description.compiler},
      {"slots", slotList(description)},
      {"parameters", parameterNames(description)},
      {"step", std::to_string(info.step)},
      {"seed", std::to_string(info.seed)},
      {"run", info.run},
      {"checksum", noChecksum}};
  if (!info.provenance.empty())
    notes["provenance"] = info.provenance;
  if (info.batches)
    notes["batches"] = std::to_string(*info.batches);
  if (info.evalLoss)
    notes["eval_loss"] = exactText(*info.evalLoss);
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(path, entries, notes);
  if (!writer)
    return writer.takeError();
  Checksum checksum;
  checksum.add(writer->header().data(), writer->header().size());
  for (size_t entry : writer->order()) {
    const size_t index = states[entry];
    if (Error error =
            session.visitState(index, [&](const char *data, size_t bytes) {
              if (check == StateCheck::Finite &&
                  !isFinite(description.states[index].type.dtype, data, bytes))
                return Error("'" + path + "' was not written: the state '" +
                             description.states[index].name +
                             "' has values that are not finite");
              checksum.add(data, bytes);
              return writer->append(data, bytes);
            }))
      return error;
  }
  if (Error error = writer->patchMetadata("checksum", checksum.finish()))
    return error;
  return writer->commit();
}

Expected<CheckpointInfo> tert::session::loadCheckpoint(Session &session,
                                                       const std::string &path,
                                                       CheckpointPart part) {
  LoadResult result = load(session, path, part);
  if (!result.damage.empty())
    return Error(result.damage);
  if (!result.mismatch.empty())
    return Error(result.mismatch);
  return result.info;
}

Expected<FolderLock> CheckpointFolder::prepare() const {
  std::error_code code;
  fs::create_directories(path, code);
  if (code)
    return Error("cannot make the checkpoint folder '" + path + "': " +
                 code.message() + "; choose a place that you may write to");
  Expected<FolderLock> lock = FolderLock::take(path);
  if (!lock)
    return lock;
  std::string leftover = AtomicFile::temporaryName(fileSuffix);
  for (fs::directory_iterator it(path, code), end; !code && it != end;
       it.increment(code)) {
    std::string name = it->path().filename().string();
    if (name.rfind(filePrefix, 0) == 0 && name.size() > leftover.size() &&
        name.compare(name.size() - leftover.size(), leftover.size(),
                     leftover) == 0)
      fs::remove(it->path(), code);
  }
  if (code)
    return Error("cannot read the checkpoint folder '" + path +
                 "': " + code.message());
  return lock;
}

std::string CheckpointFolder::fileOf(uint64_t step) const {
  std::string digits = std::to_string(step);
  digits.insert(0, 8 - std::min<size_t>(8, digits.size()), '0');
  return (fs::path(path) / (filePrefix + digits + fileSuffix)).string();
}

std::string CheckpointFolder::bestFile() const {
  return (fs::path(path) / "best.safetensors").string();
}

std::optional<CheckpointInfo> CheckpointFolder::best() const {
  std::error_code code;
  if (!fs::exists(bestFile(), code))
    return std::nullopt;
  Expected<SafetensorsFile> file = openCheckpoint(bestFile());
  std::optional<CheckpointInfo> info =
      file ? infoOf(*file) : std::optional<CheckpointInfo>();
  return info && info->evalLoss ? info : std::nullopt;
}

Expected<std::vector<uint64_t>> CheckpointFolder::steps() const {
  std::vector<uint64_t> result;
  std::error_code code;
  for (fs::directory_iterator it(path, code), end; !code && it != end;
       it.increment(code)) {
    std::string name = it->path().filename().string();
    size_t prefix = std::strlen(filePrefix), suffix = std::strlen(fileSuffix);
    uint64_t step = 0;
    if (name.rfind(filePrefix, 0) == 0 && name.size() > prefix + suffix &&
        parseNumber(name.substr(prefix, name.size() - prefix - suffix), step) &&
        fileOf(step) == it->path().string())
      result.push_back(step);
  }
  if (code && code != std::errc::no_such_file_or_directory)
    return Error("cannot read the checkpoint folder '" + path +
                 "': " + code.message());
  std::sort(result.begin(), result.end());
  return result;
}

Error CheckpointFolder::prune(size_t keep) const {
  Expected<std::vector<uint64_t>> present = steps();
  if (!present)
    return present.takeError();
  if (keep == 0 || present->size() <= keep)
    return Error::success();
  for (size_t i = 0; i < present->size() - keep; ++i) {
    std::error_code code;
    fs::remove(fileOf((*present)[i]), code);
    if (code)
      return Error("cannot remove the old checkpoint '" +
                   fileOf((*present)[i]) + "': " + code.message());
  }
  return Error::success();
}

Expected<CheckpointInfo>
CheckpointFolder::loadNewest(Session &session, bool skipDamaged,
                             std::vector<std::string> &skipped) const {
  Expected<std::vector<uint64_t>> present = steps();
  if (!present)
    return present.takeError();
  if (present->empty())
    return Error("'" + path +
                 "' holds no checkpoint to resume from; leave "
                 "out --resume to start a new run");
  for (size_t i = present->size(); i-- > 0;) {
    LoadResult result =
        load(session, fileOf((*present)[i]), CheckpointPart::Whole);
    if (!result.mismatch.empty())
      return Error(result.mismatch);
    if (result.damage.empty())
      return result.info;
    if (!skipDamaged)
      return Error(
          "the newest checkpoint cannot be used: " + result.damage +
          (i ? "\nAdd --skip-damaged to continue from the one before it "
               "(step " +
                   std::to_string((*present)[i - 1]) + ")"
             : "\nThere is no older one: start again without --resume in "
               "another folder"));
    skipped.push_back(result.damage);
  }
  return Error("every checkpoint in '" + path +
               "' is damaged; start again without --resume in another folder");
}
