// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-annotate-ranges: what the range analysis proves, for people and tests.

#include "te/Analysis/Ranges.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Passes.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEANNOTATERANGES
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {

struct AnnotateRanges : te::impl::TEAnnotateRangesBase<AnnotateRanges> {
  void runOnOperation() override {
    auto &ranges = getAnalysis<RangeAnalysis>();
    getOperation()->walk([&](Operation *op) { annotate(op, ranges); });
    markAnalysesPreserved<RangeAnalysis>();
  }

  void annotate(Operation *op, const RangeAnalysis &ranges) {
    op->removeDiscardableAttr(kRangesAttr);
    SmallVector<Attribute> texts;
    bool isBounded = false;
    for (Value result : op->getResults()) {
      MagnitudeRange range = ranges.get(result);
      // Nothing is said of what holds no numbers.
      bool isAny = range == MagnitudeRange().roundedTo(result.getType());
      if (!isAny) {
        isBounded = true;
        ++numBounded;
      } else if (isa<FloatType, IntegerType, IndexType>(
                     getElementTypeOrSelf(result))) {
        ++numAny;
      }
      texts.push_back(StringAttr::get(&getContext(),
                                      isAny ? "any" : getText(result, range)));
    }
    if (isBounded)
      op->setDiscardableAttr(kRangesAttr, ArrayAttr::get(&getContext(), texts));
  }

  /// A bound is not repeated that the type has.
  static std::string getText(Value result, MagnitudeRange range) {
    MagnitudeRange ofType = MagnitudeRange::ofType(result.getType());
    if (range.lower == ofType.lower)
      range = range.withoutLower();
    return range.str();
  }
};

} // namespace
