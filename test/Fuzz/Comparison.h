// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison of what a program returns with float64, by bounds that the graph's
// own conditioning gives.

#ifndef TE_TEST_FUZZ_COMPARISON_H
#define TE_TEST_FUZZ_COMPARISON_H

#include "../lib/ReferenceEvaluator.h"

#include <optional>
#include <string>

namespace mlir::te::fuzz {

/// Unit roundoffs.
inline constexpr double kFloat64Error = 0x1p-50;
inline constexpr double kFloat32Error = 0x1p-24;

/// What a function returns in float64, and how far it moves when everything in
/// it is rounded: the bound for whatever computes the same otherwise.
class Reference {
public:
  static FailureOr<Reference> compute(func::FuncOp function,
                                      ArrayRef<test::HostTensor> arguments,
                                      test::Rounding rounding);

  const test::HostTensor &operator[](unsigned result) const {
    return values[result];
  }
  unsigned size() const { return values.size(); }
  /// How far an element of the result compared last may be off; nothing where
  /// it is not judged.
  std::optional<double> bound(unsigned result, int64_t element) const;
  /// bound() of all elements of a result, from many samples, for a comparison
  /// that is made elsewhere.
  FailureOr<std::vector<std::optional<double>>> getBounds(unsigned result);
  /// Elements that compare() has judged so far; others are not finite here, or
  /// not where they are rounded.
  int64_t judged = 0;

  /// What is wrong with `got` as result `result`; nothing if it is within the
  /// bounds. More samples are taken before anything is called wrong.
  FailureOr<std::optional<std::string>> compare(unsigned result,
                                                const test::HostTensor &got);

private:
  Reference(func::FuncOp function, ArrayRef<test::HostTensor> arguments,
            test::Rounding rounding)
      : function(function), arguments(arguments), rounding(rounding) {}
  LogicalResult sample(unsigned count);
  /// The first element outside its bound.
  std::optional<int64_t> find(unsigned result, const test::HostTensor &got);

  func::FuncOp function;
  SmallVector<test::HostTensor> arguments;
  test::Rounding rounding;
  SmallVector<test::HostTensor> values, spread;
  unsigned numSamples = 0;
  double median = 0; ///< of the spread of the result compared last
};

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_COMPARISON_H
