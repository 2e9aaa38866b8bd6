// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Choices.h"

#include "../lib/ReferenceEvaluator.h"

using namespace mlir::te;

uint32_t fuzz::Choices::below(uint32_t n) {
  uint32_t choice = 0;
  if (isReplay) {
    if (next < decisions.size())
      choice = decisions[next] % n;
    else
      decisions.push_back(0);
    // What was taken is what would have to be repeated.
    decisions[next] = choice;
  } else {
    double random = (test::counterUniform(seed, next) + 1) / 2;
    choice = static_cast<uint32_t>(random * n);
    decisions.push_back(choice);
  }
  ++next;
  return choice;
}
