// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// embedding and its gradient.

#include "OpMethods.h"

#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult EmbeddingOp::verify() {
  return verifyShape(*this, "the result", getY(),
                     {tensorDim(getIds(), 0), tensorDim(getTable(), 1)});
}

LogicalResult EmbeddingGradOp::verify() {
  ArrayRef<int64_t> dy = tensorShape(getDy());
  return verifyShapes(
      *this, {{"the ids", getIds(), {dy[0]}},
              {"dtable", getDtable(), {tensorDim(getDtable(), 0), dy[1]}}});
}

std::optional<ParameterRole> EmbeddingOp::getParameterRole(unsigned operand) {
  if (operand == getTableMutable().getOperandNumber())
    return ParameterRole::Embedding;
  return std::nullopt;
}

LogicalResult EmbeddingOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                    const Needed &needed, Cotangents operands) {
  if (needed[1])
    operands[1] = EmbeddingGradOp::create(
        builder, getLoc(), f32Like(getTable()), getIds(), cotangents[0]);
  return success();
}

// Tables are read where they are: a gather needs no converted copy.
Numbers EmbeddingOp::getComputeResults() { return {0}; }

Numbers EmbeddingGradOp::getConvertibleResults() { return {0}; }

// Of the table only the rows that ids name are read.
Work EmbeddingOp::getWork() {
  Work work = getMovingWork(*this);
  work.bytes += getBytes(getY().getType()) - getBytes(getTable().getType());
  return work;
}

void EmbeddingOp::buildLinalgForm(LinalgForm &f) {
  f.setSize('n', sizeOf(getTable(), 1));
  f.set(getY(), f.map("in", getElementTypeOrSelf(getY()), {{getIds(), "i"}},
                      [&](Scalars &s, ValueRange x) {
                        return s.extract(getTable(),
                                         {s.toIndex(x[0]), s.at('n')});
                      }));
}

void EmbeddingGradOp::buildLinalgForm(LinalgForm &f) {
  f.setSize('v', sizeOf(getDtable(), 0));
  Value sum = f.sum(
      "vn", {{getIds(), "i"}, {getDy(), "in"}}, [](Scalars &s, ValueRange x) {
        Value isHere =
            s.compareInts(arith::CmpIPredicate::eq, s.toIndex(x[0]), s.at('v'));
        return s.select(isHere, x[1], s.number(0));
      });
  f.set(getDtable(), sum);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

void EmbeddingOp::inferRanges(RangeInference &ranges) {
  ranges.set(getY(), ranges.of(getTable()));
}

void EmbeddingGradOp::inferRanges(RangeInference &ranges) {
  ranges.set(getDtable(), ranges.of(getDy()).sumOf(getRows(getDy())));
}
