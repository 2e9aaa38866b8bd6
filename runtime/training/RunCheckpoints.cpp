// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/RunCheckpoints.h"

#include "support/File.h"
#include "training/GradientUnit.h"
#include "training/Provenance.h"

#include <cmath>
#include <cstring>
#include <filesystem>

using namespace tert;
using namespace tert::session;
using namespace tert::training;

RunCheckpoints::RunCheckpoints(Session &session, const TrainingOptions &options,
                               double rate, Ranks &ranks,
                               Divergence &divergence, Observer &observer,
                               Outcome &outcome)
    : session(&session), options(&options), ranks(&ranks),
      divergence(&divergence), observer(&observer), outcome(&outcome),
      folder(options.checkpoints),
      settings(settingsAsJson(options, rate, ranks.shares())) {
  const Description &description = session.description();
  if (const EntryDescription *entry = description.findEntry("train"))
    gradients = gradientUnit(description, *entry);
}

Expected<RunCheckpoints>
RunCheckpoints::create(Session &session, const TrainingOptions &options,
                       double rate, Ranks &ranks, Divergence &divergence,
                       Observer &observer, Outcome &outcome) {
  RunCheckpoints result(session, options, rate, ranks, divergence, observer,
                        outcome);
  if (!options.checkpoints.empty()) {
    if (Error error = provenanceOf(session, options).moveTo(result.provenance))
      return error;
  }
  return result;
}

/// Writes the settings beside the checkpoints; a file that somebody else wrote
/// stays.
Error RunCheckpoints::writeRecord() const {
  if (options->record.empty() || options->checkpoints.empty() ||
      !ranks->isFirst())
    return Error::success();
  const std::string path =
      (std::filesystem::path(options->checkpoints) / folder.recordName)
          .string();
  if (Expected<MappedFile> old = MappedFile::open(path))
    if (std::string_view(old->data(), old->size()).rfind(runRecordTitle, 0))
      return Error::success();
  return writeFile(path, options->record);
}

Expected<RunStart> RunCheckpoints::begin() {
  if (Error error = loadOrInitialize())
    return error;
  if (Error error = writeRecord())
    observer->warning(error.message());
  if (start.reinitializesFp8)
    if (Error error = initializeFp8(*session))
      return error;
  return start;
}

//===----------------------------------------------------------------------===//
// Starting a run
//===----------------------------------------------------------------------===//

Error RunCheckpoints::initialize() {
  std::string warning;
  if (Error error =
          initializeStates(*session, options->initialization, &warning))
    return error;
  if (!warning.empty())
    observer->warning(warning);
  return Error::success();
}

Error RunCheckpoints::loadOrInitialize() {
  start.seed = options->initialization.seed;
  if (options->checkpoints.empty())
    return initialize();
  if (ranks->isFirst()) {
    if (Error error = folder.prepare().moveTo(lock))
      return error;
  }
  if (savesTogether() || options->resume)
    if (Error error = ranks->checkFolder("--checkpoint", options->checkpoints))
      return error;
  Expected<bool> continues = resumes();
  if (!continues)
    return continues.takeError();
  if (!ranks->isFirst())
    return savesTogether() && *continues ? loadSharedCheckpoint()
                                         : follow(*continues);
  if (*continues)
    if (Error error = loadNewest())
      return error;
  // Value on other ranks: step 0 has no checkpoint.
  if (Error error = ranks->fromFirst("first step", start.step).takeError())
    return error;
  return *continues ? shareBest() : initialize();
}

/// Returns whether a run is continued, the same on all ranks.
Expected<bool> RunCheckpoints::resumes() {
  bool isThere = true;
  if (ranks->isFirst()) {
    Expected<std::vector<uint64_t>> present = folder.steps();
    if (!present)
      return present.takeError();
    isThere = !present->empty();
    if (isThere && !options->resume)
      return Error("'" + options->checkpoints +
                   "' already holds checkpoints, the newest of step " +
                   std::to_string(present->back()) +
                   ". Add --resume to continue that run, or give another "
                   "folder");
  }
  if (!options->resume || !options->startIfNone)
    return options->resume;
  Expected<uint64_t> first = ranks->fromFirst("resumes", isThere);
  return first ? Expected<bool>(*first != 0) : first.takeError();
}

/// Distributes the first rank's number to all.
Error RunCheckpoints::shareNumber(const std::string &what, double &number) {
  uint64_t bits = 0;
  static_assert(sizeof(bits) == sizeof(number));
  std::memcpy(&bits, &number, sizeof(bits));
  Expected<uint64_t> shared = ranks->fromFirst(what, bits);
  if (!shared)
    return shared.takeError();
  std::memcpy(&number, &*shared, sizeof(bits));
  return Error::success();
}

/// The best losses so far determine when all ranks save the best checkpoint,
/// and when a loss has exploded.
Error RunCheckpoints::shareBest() {
  if (Error error = shareNumber("best loss", outcome->bestEvalLoss))
    return error;
  if (Error error = ranks->fromFirst("best step", outcome->bestStep)
                        .moveTo(outcome->bestStep))
    return error;
  Divergence::Baseline baseline = {std::nan(""), std::nan("")};
  if (health.baseline)
    baseline = *health.baseline;
  if (Error error = shareNumber("first loss", baseline.first))
    return error;
  if (Error error = shareNumber("lowest loss", baseline.lowest))
    return error;
  if (std::isfinite(baseline.first))
    divergence->setBaseline(baseline);
  return Error::success();
}

Gather RunCheckpoints::gather() {
  return savesTogether() ? ranks->asGather() : Gather();
}

/// Loads the checkpoint chosen by the first rank, of which this one holds
/// shards.
Error RunCheckpoints::loadSharedCheckpoint() {
  std::vector<std::string> skipped;
  Expected<CheckpointInfo> info =
      folder.loadNewest(*session, options->skipDamaged, skipped, gather());
  if (!info)
    return info.takeError();
  continueFrom(*info);
  if (Error error = ranks->fromFirst("first step", 0).takeError())
    return error;
  return shareBest();
}

void RunCheckpoints::continueFrom(const CheckpointInfo &info) {
  fallback = FallbackRecord::parse(info.fallback);
  // With --allow-changes the first program goes on.
  if (fallback && fallback->isDue && !options->fallback.isActive)
    fallback.reset();
  if (fallback)
    fallback->isDue = false;
  start = {info.seed, info.step, info.batches.value_or(info.step),
           differentUnit(info, gradients), info.reinitializesFp8};
  saved = info.step;
  shown.saved(saved, *divergence);
}

/// Loads the checkpoint that the first rank has found, or initializes the
/// states as it does.
Error RunCheckpoints::follow(bool continues) {
  Expected<uint64_t> step = ranks->fromFirst("first step", 0);
  if (!step)
    return step.takeError();
  if (!continues)
    return initialize();
  Expected<CheckpointInfo> info = loadCheckpoint(*session, folder.fileOf(*step),
                                                 CheckpointCoverage::Continued);
  if (!info)
    return Error(info.takeError().message() +
                 ". All ranks read the same checkpoints: is --checkpoint on a "
                 "file system that all hosts share?");
  continueFrom(*info);
  return shareBest();
}

Error RunCheckpoints::loadNewest() {
  health = readHealth(options->checkpoints);
  Expected<std::vector<uint64_t>> present = folder.steps();
  if (!present)
    return present.takeError();
  shown.setNewest(health.good);
  shown.keepOnly(*present);
  if (options->rollback && !good())
    return Error("no checkpoint in '" + options->checkpoints +
                 "' is known to be good: one is, once the " +
                 std::to_string(Divergence::window) +
                 " steps after it have shown it. --resume continues from the "
                 "newest; --weights takes the parameters of any for a new run");
  std::vector<std::string> skipped;
  Expected<CheckpointInfo> info =
      folder.loadNewest(*session, options->skipDamaged, skipped, gather(),
                        options->rollback ? good()->step : UINT64_MAX);
  for (const std::string &reason : skipped)
    observer->warning("skipped: " + reason);
  if (!info)
    return info.takeError();
  if (options->seedGiven && start.seed != info->seed)
    return Error("the checkpoint was made with --seed " +
                 std::to_string(info->seed) +
                 "; leave --seed out to continue with it");
  if (Error error = checkProvenance(*info))
    return error;
  if (Error error = takeHealth(*info))
    return error;
  continueFrom(*info);
  if (options->fallback.isActive && fallback)
    observer->note("since step " + std::to_string(fallback->step) +
                   " the run goes on with '" + session->path() +
                   "' (--fallback), because " + fallback->why);
  else if (info->reinitializesFp8 && !session->description().slots.empty())
    observer->warning(
        "the checkpoint has other FP8 states than this program, which is of "
        "another mesh, precision, recipe or policy: all FP8 scales are reset");
  if (info->bestStep) {
    outcome->bestEvalLoss = info->bestLoss;
    outcome->bestStep = info->bestStep;
  }
  if (std::optional<CheckpointInfo> best = folder.best()) {
    outcome->bestEvalLoss = *best->evalLoss;
    outcome->bestStep = best->step;
    outcome->bestCheckpoint = folder.bestFile();
  }
  std::string changes = settingsChanges(info->run, settings, options->schedule);
  if (!changes.empty())
    observer->warning("this continuation differs from the run it continues:" +
                      changes);
  return Error::success();
}

/// Restores the baseline of the run's losses.
Error RunCheckpoints::takeHealth(const CheckpointInfo &info) {
  // Losses of another program or other data are not comparable.
  if (!changesSince(info).empty())
    health.baseline.reset();
  const std::string known = good() ? "; --rollback goes back to step " +
                                         std::to_string(good()->step) +
                                         ", which is known to be good"
                                   : "";
  if (options->rollback)
    return removeExploded(info.step);
  if (health.exploded && info.step > (good() ? good()->step : 0))
    observer->warning(
        "the loss of this run had exploded at step " +
        std::to_string(health.exploded) + ", and it continues from step " +
        std::to_string(info.step) + ", which is not known to be good" + known);
  return Error::success();
}

/// Checkpoints newer than the one that a run was rolled back to belong to the
/// explosion, and would be found as the newest.
Error RunCheckpoints::removeExploded(uint64_t step) {
  Expected<std::vector<uint64_t>> removed = folder.removeAfter(step);
  if (!removed)
    return removed.takeError();
  health.exploded = 0;
  if (Error error = writeHealth(options->checkpoints, health))
    return error;
  std::vector<std::string> names;
  for (uint64_t later : *removed)
    names.push_back(std::to_string(later));
  observer->note("rolled back to step " + std::to_string(step) +
                 (names.empty() ? std::string()
                                : "; removed the later checkpoints, of step " +
                                      listOf(names)));
  return Error::success();
}

/// True if the checkpoint is the first program's, and this one its fallback.
bool RunCheckpoints::isSwitch(const CheckpointInfo &info) const {
  const std::optional<FallbackRecord> record =
      FallbackRecord::parse(info.fallback);
  return record && record->isDue && options->fallback.isActive;
}

std::string RunCheckpoints::changesSince(const CheckpointInfo &info) const {
  if (isSwitch(info))
    return provenanceChanges(withoutPrecision(info.provenance),
                             withoutPrecision(provenance));
  return provenanceChanges(info.provenance, provenance,
                           /*comparesPolicies=*/info.reinitializesFp8);
}

/// A run must be continued with the inputs that it was started with.
Error RunCheckpoints::checkProvenance(const CheckpointInfo &info) {
  std::string changes = changesSince(info);
  if (changes.empty() && !info.fp8Difference.empty() && !isSwitch(info))
    changes = "\n  " + info.fp8Difference;
  const std::optional<FallbackRecord> record =
      FallbackRecord::parse(info.fallback);
  if (record && record->isDue && !options->fallback.isActive)
    changes += "\n  it goes on with its fallback since step " +
               std::to_string(record->step) + ", because " + record->why +
               ": give --fallback, too";
  if (changes.empty())
    return Error::success();
  if (!options->allowChanges)
    return Error("the run in '" + options->checkpoints +
                 "' is not this one; what differs:" + changes +
                 "\nGive it the program, the data and the flags that it began "
                 "with, or start a run of its own in another folder; "
                 "--allow-changes continues all the same");
  observer->warning("--allow-changes: continuing with a difference:" + changes);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// During and at the end of a run
//===----------------------------------------------------------------------===//

CheckpointInfo RunCheckpoints::infoAt(uint64_t done,
                                      std::optional<double> evalLoss) const {
  CheckpointInfo info;
  info.step = done;
  info.seed = start.seed;
  info.batches = start.batch + (done - start.step) *
                                   ranks->batchesPerStep(options->accumulate);
  info.run = settings;
  info.provenance = provenance;
  info.gradients = gradients;
  info.evalLoss = evalLoss;
  if (outcome->bestStep) {
    info.bestLoss = outcome->bestEvalLoss;
    info.bestStep = outcome->bestStep;
  }
  if (fallback)
    info.fallback = fallback->toJson();
  return info;
}

void RunCheckpoints::saveBest(const StepMetrics &now) {
  outcome->bestEvalLoss = now.evalLoss;
  outcome->bestStep = now.step;
  if (options->checkpoints.empty() || !options->keepBest ||
      !(ranks->isFirst() || savesTogether()))
    return;
  ranks->note(Peers::Doing::Saving, now.step);
  const CheckpointInfo info = infoAt(now.step, now.evalLoss);
  if (!savesTogether() && !bestWriter)
    bestWriter = std::make_unique<BestWriter>(folder);
  if (Error error = savesTogether() ? folder.saveBest(*session, info, gather())
                                    : bestWriter->save(*session, info))
    observer->warning(error.message() + "; training continues");
  else
    outcome->bestCheckpoint = folder.bestFile();
}

void RunCheckpoints::finishBest() {
  if (!bestWriter)
    return;
  if (Error error = bestWriter->finish()) {
    observer->warning(error.message());
    outcome->bestCheckpoint = folder.best() ? folder.bestFile() : "";
  }
}

Error RunCheckpoints::save(uint64_t done, bool wasSkipped) {
  if (options->checkpoints.empty() || done == saved)
    return Error::success();
  std::optional<double> evalLoss;
  if (outcome->evalStep == done && std::isfinite(outcome->evalLoss))
    evalLoss = outcome->evalLoss;
  if (ranks->isFirst() || savesTogether())
    if (Error error = folder.save(*session, infoAt(done, evalLoss), gather()))
      return error;
  saved = done;
  isPostponed = false;
  shown.saved(done, *divergence);
  return !wasSkipped ? prune() : Error::success();
}

/// Keeps the good one however many newer ones there are, because it is not
/// known yet whether these are good.
Error RunCheckpoints::prune() {
  if (!ranks->isFirst())
    return Error::success();
  if (Error error = folder.prune(options->keep, shown.protectedSteps(),
                                 options->milestones))
    return error;
  Expected<std::vector<uint64_t>> present = folder.steps();
  if (!present)
    return present.takeError();
  shown.keepOnly(*present);
  return Error::success();
}

void RunCheckpoints::stepped(uint64_t step) {
  if (bestWriter)
    if (Error error = bestWriter->poll())
      observer->warning(error.message() + "; training continues");
  const bool isNew = shown.stepped(*divergence);
  if (options->checkpoints.empty() || !ranks->isFirst())
    return;
  const bool hasChanged = divergence->isFar() != (health.exploded != 0);
  if (!isNew && !hasChanged)
    return;
  health.good = shown.newest();
  health.baseline = divergence->baseline();
  health.exploded = !divergence->isFar() ? 0
                    : health.exploded    ? health.exploded
                                         : step;
  if (Error error = writeHealth(options->checkpoints, health))
    observer->warning(error.message() + "; training continues");
}

void RunCheckpoints::saveDuringRun(uint64_t done) {
  ranks->note(Peers::Doing::Saving, done);
  if (Error error = save(done, /*wasSkipped=*/false))
    observer->warning(error.message() + "; training continues");
  // The other ranks wait here rather than in their next step, and learn whether
  // to come again.
  if (Expected<uint64_t> due = ranks->fromFirst("checkpoint", isPostponed))
    isPostponed = *due != 0;
}
