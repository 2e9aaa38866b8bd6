// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The average of a parameter over steps.

#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

StringRef EmaAttr::getOptimizerName() const { return getMnemonic(); }

SmallVector<OptimizerScalar> EmaAttr::getScalars() const {
  return {{"ema_decay", 0.999}};
}

DictionaryAttr EmaAttr::getSettings() const {
  return DictionaryAttr::get(getContext());
}

SmallVector<OptimizerState>
EmaAttr::getStates(const OptimizedParameter &) const {
  return {};
}

SmallVector<Value> EmaAttr::buildUpdate(OpBuilder &builder, Location loc,
                                        const ParameterUpdate &update) const {
  return buildElementwiseUpdate(builder, loc, *this, update, /*decay=*/false);
}

StringRef EmaAttr::getRuleName() const { return "ema"; }

SmallVector<StringRef> EmaAttr::getStateNames() const { return {}; }

SmallVector<Value> EmaAttr::buildElement(ScalarBuilder &s,
                                         const ElementUpdate &x) const {
  Value decay = x.factors[0], step = x.factors[1], one = s.number(1);
  Value average =
      s.add(s.mul(decay, x.param), s.mul(s.sub(one, decay), x.gradient));
  return {s.select(s.compare(arith::CmpFPredicate::OEQ, step, one), x.gradient,
                   average)};
}
