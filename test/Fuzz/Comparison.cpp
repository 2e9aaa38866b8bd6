// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Comparison.h"

#include "llvm/Support/FormatVariadic.h"

#include <cfloat>
#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;
using test::HostTensor;

/// Bounds are this many times the spread that a few samples show.
static constexpr double kFactor = 24;
static constexpr unsigned kFewSamples = 2, kManySamples = 32;

FailureOr<Reference> Reference::compute(func::FuncOp function,
                                        ArrayRef<HostTensor> arguments,
                                        test::Rounding rounding) {
  Reference reference(function, arguments, rounding);
  FailureOr<SmallVector<HostTensor>> values =
      test::evaluate(function, arguments);
  if (failed(values))
    return failure();
  reference.values = std::move(*values);
  for (const HostTensor &value : reference.values)
    reference.spread.push_back(HostTensor(value.shape));
  if (failed(reference.sample(kFewSamples)))
    return failure();
  return reference;
}

LogicalResult Reference::sample(unsigned count) {
  for (; numSamples < count; ++numSamples) {
    rounding.stream = numSamples + 1;
    FailureOr<SmallVector<HostTensor>> moved =
        test::evaluate(function, arguments, rounding);
    if (failed(moved))
      return failure();
    for (auto [most, value, other] : llvm::zip(spread, values, *moved))
      for (int64_t i = 0, e = value.size(); i < e; ++i) {
        double difference = std::abs(value[i] - other[i]);
        // What was not finite once is not judged, whatever comes behind it.
        if (!std::isfinite(difference))
          most[i] = std::nan("");
        else if (difference > most[i])
          most[i] = difference;
      }
  }
  return success();
}

/// The middle one of the spreads that are not zero: elements whose few samples
/// happen to agree are not known better than their neighbours.
static double medianOf(const HostTensor &spread) {
  std::vector<double> sorted;
  for (double value : spread.data)
    if (value > 0)
      sorted.push_back(value);
  if (sorted.empty())
    return 0;
  std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2,
                   sorted.end());
  return sorted[sorted.size() / 2];
}

std::optional<int64_t> Reference::find(unsigned result, const HostTensor &got) {
  median = medianOf(spread[result]);
  for (int64_t i = 0, e = got.size(); i < e; ++i) {
    std::optional<double> most = bound(result, i);
    judged += most.has_value();
    if (most && !(std::abs(got[i] - values[result][i]) <= *most))
      return i;
  }
  return std::nullopt;
}

std::optional<double> Reference::bound(unsigned result, int64_t element) const {
  double value = values[result][element], most = spread[result][element];
  if (!std::isfinite(value) || !std::isfinite(most))
    return std::nullopt;
  double bound = kFactor * (std::max(most, median) +
                            2 * rounding.relative * std::abs(value)) +
                 (rounding.toFloat ? 1e-35 : 1e-290);
  // Beyond float32's range it would be infinite, or left out of a history.
  if (rounding.toFloat && std::abs(value) + bound > FLT_MAX)
    return std::nullopt;
  return bound;
}

FailureOr<std::vector<std::optional<double>>>
Reference::getBounds(unsigned result) {
  if (failed(sample(kManySamples)))
    return failure();
  median = medianOf(spread[result]);
  std::vector<std::optional<double>> bounds;
  for (int64_t i = 0, e = values[result].size(); i < e; ++i)
    bounds.push_back(bound(result, i));
  return bounds;
}

FailureOr<std::optional<std::string>>
Reference::compare(unsigned result, const HostTensor &got) {
  if (got.size() != values[result].size())
    return {"has " + std::to_string(got.size()) + " elements instead of " +
            std::to_string(values[result].size())};
  if (find(result, got) && failed(sample(kManySamples)))
    return failure();
  if (std::optional<int64_t> at = find(result, got))
    return {llvm::formatv("is {0:E12} instead of {1:E12} at element {2}, whose "
                          "bound is {3:E2}",
                          got[*at], values[result][*at], *at,
                          kFactor * spread[result][*at])
                .str()};
  return std::optional<std::string>();
}
