// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpMethods.h"
#include "Verification.h"
#include "te/Dialect/TE/IR/LlamaOps.h"

using namespace mlir;
using namespace mlir::te;

using Cotangents = MutableArrayRef<Value>;
using Needed = llvm::BitVector;
using Numbers = SmallVector<unsigned>;

void RopeOp::build(OpBuilder &builder, OperationState &state, Value x,
                   Value cos, Value sin, bool interleaved,
                   AttentionLayout layout, bool inverse) {
  auto flag = [&](bool set) {
    return set ? builder.getUnitAttr() : UnitAttr();
  };
  build(builder, state, x.getType(), x, cos, sin, flag(interleaved),
        flag(inverse), AttentionLayoutAttr::get(builder.getContext(), layout));
}

LogicalResult RopeOp::verify() {
  ArrayRef<int64_t> shape = getX().getType().getShape();
  bool batchIsSecond = getLayout() == AttentionLayout::SBHD;
  int64_t batch = shape[batchIsSecond ? 1 : 0];
  int64_t sequence = shape[batchIsSecond                          ? 0
                           : getLayout() == AttentionLayout::BHSD ? 2
                                                                  : 1];
  ArrayRef<int64_t> table = getCos().getType().getShape();
  if (failed(verifyShape(*this, "y", getY(), shape)) ||
      failed(verifyShape(*this, "sin", getSin(), table)))
    return failure();
  if (table[0] != sequence && table[0] != batch * sequence)
    return emitOpError() << "expects a row of its tables per position ("
                         << sequence << ") or per token (" << batch * sequence
                         << "), but there are " << table[0];
  if (2 * table[1] > shape[3])
    return emitOpError() << "rotates " << table[1]
                         << " pairs of elements of heads of " << shape[3];
  return success();
}

LogicalResult RopeOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                               const Needed &needed, Cotangents operands) {
  if (needed[1] || needed[2])
    return emitOpError() << "has no gradient for its tables of angles; take "
                            "what they are computed from out of the parameters";
  if (needed[0])
    operands[0] =
        RopeOp::create(builder, getLoc(), cotangents[0], getCos(), getSin(),
                       getInterleaved(), getLayout(), !getInverse());
  return success();
}

// The tables of angles stay as exact as they are.
Numbers RopeOp::getComputeResults() { return {0}; }
Numbers RopeOp::getComputeOperands() { return {0}; }

Work RopeOp::getWork() { return moves(*this); }
