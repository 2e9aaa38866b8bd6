// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "generation/Sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

using namespace tert;
using namespace tert::generation;
using session::Error;
using session::Expected;

Sampler::Sampler(const SamplingOptions &options, uint64_t sequence)
    : options(options),
      stream(options.seed, "generate." + std::to_string(sequence)) {}

Expected<int64_t> Sampler::choose(const float *logits, int64_t count,
                                  uint64_t index) {
  int64_t best = 0;
  for (int64_t id = 0; id < count; ++id) {
    if (std::isnan(logits[id]) || (std::isinf(logits[id]) && logits[id] > 0))
      return Error("the logit of id " + std::to_string(id) + " is " +
                   std::to_string(logits[id]) +
                   ": the parameters are of a training that diverged, or the "
                   "FP8 scales do not fit them");
    if (logits[id] > logits[best])
      best = id;
  }
  if (std::isinf(logits[best]))
    return Error("all logits are -infinity");
  if (options.temperature == 0.0)
    return best;

  order.resize(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), int64_t(0));
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  });
  if (options.topK > 0 && options.topK < order.size())
    order.resize(options.topK);
  weights.clear();
  double sum = 0.0;
  for (int64_t id : order) {
    weights.push_back(
        std::exp((double(logits[id]) - logits[best]) / options.temperature));
    sum += weights.back();
  }
  if (options.topP < 1.0) {
    const double enough = options.topP * sum;
    size_t kept = 0;
    for (sum = 0.0; kept < weights.size() && sum < enough; ++kept)
      sum += weights[kept];
    weights.resize(std::max<size_t>(kept, 1));
  }
  // Uniform in [0, 1), with 53 bits.
  const double at = double(stream.block(index).low() >> 11) * 0x1p-53 * sum;
  double before = 0.0;
  for (size_t i = 0; i < weights.size(); ++i) {
    before += weights[i];
    if (at < before)
      return order[i];
  }
  // `sum` was rounded otherwise.
  return order[weights.size() - 1];
}
