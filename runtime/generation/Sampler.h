// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of a token by its logits.

#ifndef TERT_GENERATION_SAMPLER_H
#define TERT_GENERATION_SAMPLER_H

#include "support/Error.h"
#include "support/Random.h"

#include <cstdint>
#include <vector>

namespace tert::generation {

struct SamplingOptions {
  /// Logits are divided by it; 0: always the token with the largest logit.
  double temperature = 0.0;
  /// In (0, 1]: only the fewest most likely tokens count whose probabilities
  /// sum to at least this (nucleus sampling, Holtzman et al., "The curious case
  /// of neural text degeneration", 2020).
  double topP = 1.0;
  /// If above 0: only this many most likely tokens count.
  uint64_t topK = 0;
  uint64_t seed = 0;
};

/// Chooses the tokens of one sequence. Token i is a function of the options,
/// the number of the sequence, i and the logits, on every machine alike as far
/// as exp() is.
class Sampler {
public:
  Sampler(const SamplingOptions &options, uint64_t sequence);

  /// Token `index` of the sequence, from `count` logits, one for each id. Of
  /// equal logits the first id counts as the more likely. Fails if a logit is
  /// NaN or +infinity, or none is finite.
  session::Expected<int64_t> choose(const float *logits, int64_t count,
                                    uint64_t index);

private:
  SamplingOptions options;
  session::RandomStream stream;
  std::vector<int64_t> order;
  std::vector<double> weights;
};

} // namespace tert::generation

#endif // TERT_GENERATION_SAMPLER_H
