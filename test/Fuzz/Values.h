// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a graph is evaluated on. The values of an argument are said by its
// attribute `fuzz.values`:
//
//   "uniform SCALE STREAM"          in [-SCALE, SCALE)
//   "extreme STREAM"                many of them zeros of both signs, tiny,
//                                   where exponentials overflow, or huge
//   "same VALUE"                    one value everywhere
//   "ids LOW HIGH STREAM"           integers in [LOW, HIGH), both ends among
//   them "labels CLASSES IGNORE STREAM"  the same, some of them IGNORE

#ifndef TE_TEST_FUZZ_VALUES_H
#define TE_TEST_FUZZ_VALUES_H

#include "../lib/ReferenceEvaluator.h"
#include "te/Analysis/EntryInterface.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::te::fuzz {

inline constexpr llvm::StringLiteral kValuesAttr = "fuzz.values";

/// Values as `text` says, exact in the type's elements. A text that cannot be
/// read counts as "uniform 1 0".
test::HostTensor makeValues(StringRef text, ShapedType type);

/// Name of the output that a loss can read, the last matrix that @forward
/// returns; empty if there is none, or no parameter to train.
std::string getLogits(func::FuncOp forward);

/// Named values of @forward's arguments, those of any other function's that has
/// some of them, and default ones for what only the other function has.
class Arguments {
public:
  /// Of nothing yet. Another \p seed makes other values where none are said.
  explicit Arguments(uint64_t seed = 0) : seed(seed) {}
  /// Of @forward.
  explicit Arguments(func::FuncOp forward) { add(forward); }

  /// Adds the named arguments of a model, @forward or another.
  void add(func::FuncOp model);

  /// In the order of the arguments of `function`. Fails, with an error, if
  /// its boundary is not valid.
  FailureOr<SmallVector<test::HostTensor>> get(func::FuncOp function);

  /// By role and name, "input.x".
  llvm::StringMap<test::HostTensor> values;

  /// What the i-th argument of `function` is made of, whatever its name.
  test::HostTensor makeDefault(func::FuncOp function, unsigned i) const;

private:
  /// Gives states that are computed from others what the module's @init does.
  LogicalResult derive(func::FuncOp function);

  /// Columns of the last matrix that @forward returns: what labels name.
  int64_t classes = 2;
  uint64_t seed = 0;
};

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_VALUES_H
