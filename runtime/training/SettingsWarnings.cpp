// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/SettingsWarnings.h"

#include "support/Text.h"
#include "training/TrainingOptions.h"

#include <optional>

using namespace tert;
using namespace tert::session;
using namespace tert::training;
using Role = ArgumentDescription::Role;

/// Value of a scalar of the step, given or default; nothing if the entry has
/// none.
static std::optional<double> valueOf(const TrainingOptions &options,
                                     const EntryDescription &train,
                                     const char *scalar) {
  const ArgumentDescription *argument = train.find(Role::Scalar, scalar);
  if (!argument)
    return std::nullopt;
  const ScalarSetting *given = options.find(scalar);
  return given ? given->value : argument->defaultValue;
}

std::vector<std::string>
training::settingsWarnings(const TrainingOptions &options, double rate,
                           const EntryDescription &train) {
  std::vector<std::string> warnings;
  auto warn = [&](std::string text) { warnings.push_back(std::move(text)); };
  const bool falls = options.schedule != Schedule::Kind::Constant &&
                     options.schedule != Schedule::Kind::Points;

  if (rate == 0 && !(falls && options.minimumRate > 0))
    warn("the learning rate is 0 (--lr): nothing is learned");
  if (options.warmup >= options.steps && options.warmup > 1)
    warn("the warm-up of " + std::to_string(options.warmup) +
         " steps (--warmup) is not shorter than the run of " +
         std::to_string(options.steps) + " (--steps): the learning rate " +
         (options.warmup == options.steps ? "reaches its value only at the end"
                                          : "never reaches its value") +
         format(", %g", rate));
  if (falls && options.minimumRate > rate)
    warn(format("--min-lr %g is above the learning rate, %g (--lr): it rises "
                "towards the end of the run",
                options.minimumRate, rate));
  if (!falls && options.minimumRate > 0)
    warn(format("--min-lr %g has no effect with %s; --schedule cosine, linear "
                "or wsd falls to it",
                options.minimumRate,
                options.schedule == Schedule::Kind::Points
                    ? "--schedule-file"
                    : "a constant learning rate"));
  if (options.decaySteps &&
      options.schedule != Schedule::Kind::WarmupStableDecay)
    warn("--decay-steps has no effect without --schedule wsd");

  // An AdamW update moves every element by at most the learning rate.
  constexpr double largestAdamRate = 0.1;
  const bool isAdam = train.find(Role::Scalar, "beta2") != nullptr;
  if (isAdam && rate > largestAdamRate)
    warn(format("a learning rate of %g (--lr) is very large for AdamW, which "
                "moves every parameter by about as much in every step; 1e-4 to "
                "1e-3 are usual",
                rate));

  // Gradients are never that small, so updates would be negligible.
  constexpr double smallestClip = 1e-4;
  if (std::optional<double> clip = valueOf(options, train, "max_grad_norm");
      clip && *clip > 0 && *clip < smallestClip)
    warn(format("gradients are clipped to a norm of %g (--clip), so that next "
                "to nothing is learned; 1 is usual, and 0 clips nothing",
                *clip));

  // A parameter without gradients halves in 69 steps, or sooner.
  constexpr double largestDecay = 0.01;
  if (std::optional<double> decay = valueOf(options, train, "weight_decay");
      decay && *decay * rate > largestDecay)
    warn(format("weight decay takes %.3g %% of every matrix in each step "
                "(--weight-decay %g times the learning rate, %g): it outweighs "
                "what is learned%s",
                100 * *decay * rate, *decay, rate,
                *decay * rate >= 2 ? ", and makes the matrices grow" : ""));
  return warnings;
}
