// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Checkpoint.h"

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

/// A 64-bit hash of a stream of bytes, eight at a time: FNV-1a's step on words
/// with the high half folded in. Every step is a bijection, so that a change in
/// any one word always shows.
class Checksum {
public:
  void add(const char *data, size_t bytes) {
    total += bytes;
    while (bytes) {
      if (filled == 0 && bytes >= sizeof(uint64_t)) {
        uint64_t word;
        std::memcpy(&word, data, sizeof(word));
        mix(word);
        data += sizeof(word);
        bytes -= sizeof(word);
        continue;
      }
      pending[filled++] = *data++;
      --bytes;
      if (filled == sizeof(pending))
        flush();
    }
  }
  std::string finish() {
    std::memset(pending + filled, 0, sizeof(pending) - filled);
    flush();
    mix(total);
    char text[17];
    std::snprintf(text, sizeof(text), "%016llx",
                  static_cast<unsigned long long>(hash));
    return text;
  }

private:
  void flush() {
    uint64_t word;
    std::memcpy(&word, pending, sizeof(word));
    mix(word);
    filled = 0;
  }
  void mix(uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3;
    hash ^= hash >> 32;
  }
  uint64_t hash = 0xcbf29ce484222325;
  uint64_t total = 0;
  char pending[sizeof(uint64_t)] = {};
  size_t filled = 0;
};

/// "name:e4m3" lines, in slot order.
std::string slotList(const Description &description) {
  std::string text;
  for (const SlotDescription &slot : description.slots)
    text +=
        slot.name + ":" + (slot.format == TERT_F8E5M2 ? "e5m2" : "e4m3") + "\n";
  return text;
}

/// Why a checkpoint and a model do not belong together.
std::string difference(const SafetensorsFile &file,
                       const Description &description,
                       const std::string &slots) {
  if (slots != slotList(description))
    return "its FP8 slots are others than this model's (another precision, "
           "recipe or policy)";
  for (const StateDescription &state : description.states) {
    const TensorView *tensor = file.find(state.name);
    if (!tensor)
      return "it has no state '" + state.name + "'";
    if (tensor->shape != state.type.shape ||
        tensor->dtype != toFileDType(state.type.dtype))
      return "its state '" + state.name + "' is " +
             std::string(nameOf(tensor->dtype)) + " " +
             toString(tensor->shape) + ", this model's is " +
             toString(state.type);
  }
  return "its fingerprint is another";
}

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

LoadResult load(Session &session, const std::string &path) {
  LoadResult result;
  Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file) {
    result.damage = file.takeError().message();
    return result;
  }
  auto note = [&](const char *key) {
    auto it = file->metadata().find(key);
    return it == file->metadata().end() ? std::string() : it->second;
  };
  if (!isCheckpoint(*file)) {
    result.mismatch = "'" + path + "' is not a checkpoint of te-run";
    return result;
  }
  if (note("version") != formatVersion) {
    result.mismatch = "the checkpoint '" + path + "' has version '" +
                      note("version") + "' (written by " + note("compiler") +
                      "); this program reads version " + formatVersion;
    return result;
  }
  const Description &description = session.description();
  if (note("fingerprint") != description.fingerprint) {
    result.mismatch = "the checkpoint '" + path +
                      "' is of another model than '" +
                      session.artifact().path() +
                      "': " + difference(*file, description, note("slots"));
    return result;
  }
  // The header is covered too, as it was before the checksum was known.
  std::string header(file->header());
  std::string stored = note("checksum");
  if (size_t at = header.find(std::string(checksumLabel) + stored + "\"");
      at != std::string::npos)
    header.replace(at + std::strlen(checksumLabel), stored.size(), noChecksum);
  Checksum checksum;
  checksum.add(header.data(), header.size());
  checksum.add(file->payload(), file->payloadSize());
  if (checksum.finish() != stored ||
      !parseNumber(note("step"), result.info.step) ||
      !parseNumber(note("seed"), result.info.seed)) {
    result.damage =
        "'" + path + "' is damaged: its bytes do not match its checksum";
    return result;
  }
  result.info.run = note("run");
  for (const StateDescription &state : description.states) {
    const TensorView *tensor = file->find(state.name);
    if (!tensor || tensor->shape != state.type.shape ||
        tensor->dtype != toFileDType(state.type.dtype)) {
      result.mismatch = "the checkpoint '" + path +
                        "' does not fit this model: " +
                        difference(*file, description, note("slots"));
      return result;
    }
  }
  for (size_t i = 0; i < description.states.size(); ++i) {
    const TensorView *tensor = file->find(description.states[i].name);
    if (Error error = session.writeState(i, tensor->data, tensor->bytes)) {
      result.mismatch = error.message();
      return result;
    }
  }
  return result;
}
} // namespace

bool tert::session::isCheckpoint(const SafetensorsFile &file) {
  auto it = file.metadata().find("format");
  return it != file.metadata().end() && it->second == formatName;
}

Error tert::session::saveCheckpoint(const Session &session,
                                    const std::string &path,
                                    const CheckpointInfo &info) {
  const Description &description = session.description();
  std::vector<SafetensorsWriter::Entry> entries;
  for (const StateDescription &state : description.states)
    entries.push_back(
        {state.name, toFileDType(state.type.dtype), state.type.shape});
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(path, entries,
                                {{"format", formatName},
                                 {"version", formatVersion},
                                 {"fingerprint", description.fingerprint},
                                 {"compiler", description.compiler},
                                 {"slots", slotList(description)},
                                 {"step", std::to_string(info.step)},
                                 {"seed", std::to_string(info.seed)},
                                 {"run", info.run},
                                 {"checksum", noChecksum}});
  if (!writer)
    return writer.takeError();
  Checksum checksum;
  checksum.add(writer->header().data(), writer->header().size());
  for (size_t index : writer->order())
    if (Error error =
            session.visitState(index, [&](const char *data, size_t bytes) {
              checksum.add(data, bytes);
              return writer->append(data, bytes);
            }))
      return error;
  if (Error error = writer->patchMetadata("checksum", checksum.finish()))
    return error;
  return writer->commit();
}

Expected<CheckpointInfo>
tert::session::loadCheckpoint(Session &session, const std::string &path) {
  LoadResult result = load(session, path);
  if (!result.damage.empty())
    return Error(result.damage);
  if (!result.mismatch.empty())
    return Error(result.mismatch);
  return result.info;
}

Error CheckpointFolder::prepare() const {
  std::error_code code;
  fs::create_directories(path, code);
  if (code)
    return Error("cannot make the checkpoint folder '" + path + "': " +
                 code.message() + "; choose a place that you may write to");
  std::string leftover = AtomicFile::temporaryName(fileSuffix);
  for (fs::directory_iterator it(path, code), end; !code && it != end;
       it.increment(code)) {
    std::string name = it->path().filename().string();
    if (name.rfind(filePrefix, 0) == 0 && name.size() > leftover.size() &&
        name.compare(name.size() - leftover.size(), leftover.size(),
                     leftover) == 0)
      fs::remove(it->path(), code);
  }
  return code ? Error("cannot read the checkpoint folder '" + path +
                      "': " + code.message())
              : Error::success();
}

std::string CheckpointFolder::fileOf(uint64_t step) const {
  std::string digits = std::to_string(step);
  digits.insert(0, 8 - std::min<size_t>(8, digits.size()), '0');
  return (fs::path(path) / (filePrefix + digits + fileSuffix)).string();
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
    LoadResult result = load(session, fileOf((*present)[i]));
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
