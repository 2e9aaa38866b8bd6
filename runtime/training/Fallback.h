// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program with which a run goes on when FP8 does harm in a layer
// (docs/checkpoint.md): of the same model, with that layer in high precision.
// The first program's last checkpoint says so, and the second one continues
// from it, so that a run that is stopped in between has the same bits.

#ifndef TERT_TRAINING_FALLBACK_H
#define TERT_TRAINING_FALLBACK_H

#include "session/Session.h"
#include "training/Watch.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace tert::training {

struct TrainingOptions;

/// What checkpoints say of it, as JSON in CheckpointInfo::fallback.
struct FallbackRecord {
  uint64_t step = 0; ///< The last one of the first program.
  std::string why;   ///< WatchEvent::describe()
  /// True in that step's checkpoint, which the second program has not
  /// continued yet.
  bool isDue = false;

  std::string toJson() const;
  /// Nothing for a text that toJson() does not write, such as an empty one.
  static std::optional<FallbackRecord> parse(const std::string &text);
};

class Fallback {
public:
  /// Reads what is needed of the program at `path`, without loading it. Fails
  /// if it cannot continue a run of `program` with these options.
  static session::Expected<Fallback> read(const std::string &path,
                                          const session::Description &program,
                                          const TrainingOptions &options);

  const std::string &path() const { return name; }
  /// True if what the event says does not concern the program: its layer is not
  /// FP8 there, or the recipe is another.
  bool helps(const WatchEvent &event) const;

private:
  std::string name;
  bool hasOtherRecipe = false;
  std::set<std::string> layers; ///< Those with slots.
};

/// True if the checkpoint that a run with these options would continue is one
/// of the fallback, or the last one before it. Without such a checkpoint, or if
/// it cannot be read, the first program runs, and reports that.
bool continuesFallback(const TrainingOptions &options);

} // namespace tert::training

#endif // TERT_TRAINING_FALLBACK_H
