// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of an evaluation against what te/Analysis/Ranges.h claims about them.

#ifndef TE_TEST_FUZZ_RANGECHECK_H
#define TE_TEST_FUZZ_RANGECHECK_H

#include "../lib/ReferenceEvaluator.h"

#include "te/Dialect/TE/IR/Magnitude.h"

#include <optional>
#include <string>

namespace mlir::te::fuzz {

/// Sets `te.max_abs` of the arguments of floats to that of their values.
void declareMaxAbs(func::FuncOp function, ArrayRef<test::HostTensor> values);

/// Evaluates `function`, in float32's range and with bf16's rounding, and
/// returns the first element, in words, that is not as `claim` says of its
/// value; nothing if all are. Adds the values whose claim is more than their
/// type's to `bounded`. Fails, with an error, where it cannot be evaluated.
FailureOr<std::optional<std::string>>
findOutOfRange(func::FuncOp function, ArrayRef<test::HostTensor> values,
               llvm::function_ref<MagnitudeRange(Value)> claim,
               int64_t &bounded);

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_RANGECHECK_H
