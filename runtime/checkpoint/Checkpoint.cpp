// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/Checkpoint.h"

#include "checkpoint/ParameterNames.h"
#include "support/Checksum.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>

using namespace tert::session;

namespace {
constexpr char checkpointFormat[] = "tert-checkpoint";
constexpr char checkpointVersion[] = "1";
/// Placeholder of the checksum while it is computed.
constexpr char noChecksum[] = "0000000000000000";
constexpr char checksumLabel[] = "\"checksum\":\"";

bool parseNumber(const std::string &text, uint64_t &value) {
  const char *end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

/// The reason why a file is not a checkpoint that this program can read; empty
/// if it is one.
std::string foreign(const TensorFiles &files) {
  if (!isCheckpoint(files))
    return "'" + files.path() + "' is not a checkpoint of te-run";
  if (files.note("version") != checkpointVersion)
    return "the checkpoint '" + files.path() + "' has version '" +
           files.note("version") + "' (written by " + files.note("compiler") +
           "); this program reads version " + checkpointVersion;
  return {};
}

/// A number as text that parses to the same value.
std::string exactText(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

/// Verifies the checksum of a checkpoint in one file.
bool isWhole(const SafetensorsFile &file) {
  // The checksum covers the header, too, with the placeholder.
  std::string header(file.header());
  auto note = file.metadata().find("checksum");
  std::string stored =
      note == file.metadata().end() ? std::string() : note->second;
  if (size_t at = header.find(std::string(checksumLabel) + stored + "\"");
      at != std::string::npos)
    header.replace(at + std::strlen(checksumLabel), stored.size(), noChecksum);
  Checksum checksum;
  checksum.add(header.data(), header.size());
  checksum.add(file.payload(), file.payloadSize());
  return checksum.finish() == stored;
}

std::string damageOf(const std::string &path) {
  return "'" + path + "' is damaged: its bytes do not match its checksum";
}

std::map<std::string, std::string> metadataOf(const ProgramStates &program,
                                              const CheckpointInfo &info) {
  const Description &description = program.description();
  std::map<std::string, std::string> notes = {
      {"format", checkpointFormat},
      {"version", checkpointVersion},
      {"fingerprint", description.fingerprint},
      {"compiler", description.compiler},
      {"slots", slotList(description)},
      {"parameters", parameterNames(description)},
      {"step", std::to_string(info.step)},
      {"seed", std::to_string(info.seed)},
      {"run", info.run}};
  if (std::string frozen = frozenNames(description); !frozen.empty())
    notes["frozen"] = frozen;
  if (std::string buffers = bufferNames(description); !buffers.empty())
    notes["buffers"] = buffers;
  if (!info.provenance.empty())
    notes["provenance"] = info.provenance;
  if (info.batches)
    notes["batches"] = std::to_string(*info.batches);
  if (!info.gradients.empty())
    notes["gradients"] = info.gradients;
  if (!info.fallback.empty())
    notes["fallback"] = info.fallback;
  if (info.evalLoss)
    notes["eval_loss"] = exactText(*info.evalLoss);
  if (info.bestStep) {
    notes["best_loss"] = exactText(info.bestLoss);
    notes["best_step"] = std::to_string(info.bestStep);
  }
  return notes;
}

/// The reason why a training cannot continue from a checkpoint with the
/// program's trained parameters; empty if it can. Optimizers have states only
/// for trained parameters, and FP8 copies of frozen ones are made only once.
std::string trainedParametersDiffer(const TensorFiles &files,
                                    const Description &description) {
  std::vector<std::string> before = parseNames(files.note("frozen")),
                           now = frozenParameters(description);
  std::sort(before.begin(), before.end());
  std::sort(now.begin(), now.end());
  std::vector<std::string> thawed, frozen;
  std::set_difference(before.begin(), before.end(), now.begin(), now.end(),
                      std::back_inserter(thawed));
  std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                      std::back_inserter(frozen));
  if (thawed.empty() && frozen.empty())
    return {};
  auto list = [](const std::vector<std::string> &names) {
    constexpr size_t shown = 3;
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), shown); ++i)
      text += (i ? ", '" : "'") + names[i] + "'";
    if (names.size() > shown)
      text += " and " + std::to_string(names.size() - shown) + " more";
    return text;
  };
  std::string text = "the checkpoint '" + files.path() + "' was trained with ";
  if (!thawed.empty())
    text += list(thawed) + " frozen, which this program trains";
  if (!frozen.empty())
    text += (thawed.empty() ? "" : ", and with ") + list(frozen) +
            ", which this program freezes";
  return text + ". Compile with the same --freeze and --train-only, or begin a "
                "training from the checkpoint's parameters with --weights";
}

/// The damage found by all ranks, reported by the first one that found any.
Error agree(std::string &damage, const Gather &gather) {
  Expected<std::vector<std::string>> all = gather("damage", damage);
  if (!all)
    return all.takeError();
  for (const std::string &found : *all)
    if (damage.empty())
      damage = found;
  return Error::success();
}
} // namespace

bool tert::session::isCheckpoint(const TensorFiles &files) {
  return files.note("format") == checkpointFormat;
}

std::optional<CheckpointInfo> tert::session::infoOf(const TensorFiles &files) {
  CheckpointInfo info;
  if (!parseNumber(files.note("step"), info.step) ||
      !parseNumber(files.note("seed"), info.seed))
    return std::nullopt;
  if (std::string batches = files.note("batches"); !batches.empty())
    if (!parseNumber(batches, info.batches.emplace()))
      return std::nullopt;
  info.run = files.note("run");
  info.provenance = files.note("provenance");
  info.gradients = files.note("gradients");
  info.fallback = files.note("fallback");
  info.isShardedCheckpoint = files.numFiles() > 1;
  if (std::string loss = files.note("eval_loss"); !loss.empty())
    info.evalLoss = std::strtod(loss.c_str(), nullptr);
  if (std::string step = files.note("best_step"); !step.empty()) {
    if (!parseNumber(step, info.bestStep))
      return std::nullopt;
    info.bestLoss = std::strtod(files.note("best_loss").c_str(), nullptr);
  }
  return info;
}

Error tert::session::verifyChecksums(const TensorFiles &files, size_t share,
                                     size_t shares) {
  for (size_t i = share; i < files.numFiles(); i += shares) {
    const SafetensorsFile &file = files.file(i);
    // A file that is a complete checkpoint has a checksum of another kind.
    auto format = file.metadata().find("format");
    const bool isCompleteCheckpoint =
        format != file.metadata().end() && format->second == checkpointFormat;
    if (!(isCompleteCheckpoint ? isWhole(file) : file.matchesChecksum()))
      return Error(damageOf(file.path()));
  }
  return Error::success();
}

Expected<TensorFiles> tert::session::openCheckpoint(const std::string &path) {
  Expected<TensorFiles> files = TensorFiles::open(path);
  if (!files)
    return files;
  if (std::string reason = foreign(*files); !reason.empty())
    return Error(reason);
  if (Error error = verifyChecksums(*files))
    return error;
  return files;
}

CheckpointLoad tert::session::tryCheckpoint(ProgramStates &program,
                                            const std::string &path,
                                            CheckpointCoverage part,
                                            const Gather &gather) {
  const Description &description = program.description();
  CheckpointLoad result;
  std::optional<CheckpointFit> fit;
  std::string damage, misfit;
  Expected<TensorFiles> files = TensorFiles::open(path);
  if (!files)
    damage = files.takeError().message();
  else
    result.mismatch = foreign(*files);
  if (files && result.mismatch.empty() && part != CheckpointCoverage::Needed)
    result.mismatch = trainedParametersDiffer(*files, description);
  if (files && result.mismatch.empty()) {
    Expected<CheckpointFit> found =
        CheckpointFit::find(*files, files->note("slots"), description, part);
    if (found)
      fit.emplace(std::move(*found));
    else if (files->note("fingerprint") != description.fingerprint)
      result.mismatch = "the checkpoint '" + path +
                        "' is of another model than '" + program.path() +
                        "': " + found.takeError().message();
    else // Or damaged, which is checked first.
      misfit = "the checkpoint '" + path +
               "' does not fit this model: " + found.takeError().message();
  }
  if (files && result.mismatch.empty()) {
    if (std::optional<CheckpointInfo> info = infoOf(*files)) {
      result.info = std::move(*info);
      const auto rank = static_cast<size_t>(program.rank());
      const auto ranks = static_cast<size_t>(description.mesh.ranks());
      if (Error error = gather ? verifyChecksums(*files, rank, ranks)
                               : verifyChecksums(*files))
        damage = error.message();
    } else {
      damage = damageOf(path);
    }
  }
  if (gather)
    if (Error error = agree(damage, gather)) {
      result.mismatch = error.message();
      return result;
    }
  if (!result.mismatch.empty())
    return result;
  result.damage = damage;
  if (damage.empty())
    result.mismatch = misfit;
  if (fit && damage.empty()) {
    result.info.reinitializesFp8 = fit->reinitializesFp8();
    result.info.fp8Difference = fit->fp8Difference();
    if (Error error = fit->write(program))
      result.mismatch = error.message();
  }
  return result;
}

Error tert::session::saveCheckpoint(const ProgramStates &program,
                                    const std::string &path,
                                    const CheckpointInfo &info,
                                    StateCheck check, const Gather &gather) {
  const Description &description = program.description();
  std::map<std::string, std::string> notes = metadataOf(program, info);
  if (description.hasShardedStates()) {
    if (!gather)
      return Error(
          "'" + path + "' was not written: each rank of '" + program.path() +
          "' holds a shard of the states, and this is a single process");
    return saveShardedCheckpoint(program, path, notes, check, gather);
  }
  if (description.mesh.ranks() > 1)
    notes["mesh"] = description.mesh.text();
  std::vector<SafetensorsWriter::Entry> entries;
  std::vector<size_t> states; // Indexed by entry.
  for (size_t index = 0; index < description.states.size(); ++index) {
    const StateDescription &state = description.states[index];
    if (!state.isSaved())
      continue;
    entries.push_back(
        {state.name, toFileDType(state.type.dtype), state.globalShape()});
    states.push_back(index);
  }
  notes["checksum"] = noChecksum;
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(path, entries, notes);
  if (!writer)
    return writer.takeError();
  Checksum checksum;
  checksum.add(writer->header().data(), writer->header().size());
  for (size_t entry : writer->order())
    if (Error error = visitChecked(program, states[entry], check, path,
                                   [&](const char *data, size_t bytes) {
                                     checksum.add(data, bytes);
                                     return writer->append(data, bytes);
                                   }))
      return error;
  if (Error error = writer->patchMetadata("checksum", checksum.finish()))
    return error;
  return writer->commit();
}

Expected<CheckpointInfo> tert::session::loadCheckpoint(ProgramStates &program,
                                                       const std::string &path,
                                                       CheckpointCoverage part,
                                                       const Gather &gather) {
  CheckpointLoad result = tryCheckpoint(program, path, part, gather);
  if (!result.damage.empty())
    return Error(result.damage);
  if (!result.mismatch.empty())
    return Error(result.mismatch);
  return result.info;
}
