// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-quantize-blocks: one call for amaxes of blocks, their scales and the
// copies that they quantize.

#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTQUANTIZEBLOCKS
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-quantize-blocks"

using namespace mlir;
using namespace mlir::te;

namespace {

/// One copy of a tensor, with scales made of the amaxes of its own blocks.
struct BlockCopyCalls {
  tert::AmaxOp amax;
  tert::ComputeScaleOp scale;
  tert::QuantizeOp quantize;

  bool isColumnwise() const {
    return bool(tert::QuantizeOp(quantize).getColumnwise());
  }
};

} // namespace

/// The result that is tied to a destination; null if there is none of that
/// name.
static Value getResult(Operation *op, StringRef name) {
  auto call = cast<tert::RuntimeCallOpInterface>(op);
  auto styled = cast<DestinationStyleOpInterface>(op);
  for (OpOperand &init : styled.getDpsInitsMutable())
    if (call.getOperandName(init) == name)
      return styled.getTiedOpResult(&init);
  return {};
}

/// The calls that make a quantization's copy, if nobody else reads what only
/// they need.
static std::optional<BlockCopyCalls> match(tert::QuantizeOp quantize) {
  if (!isa<RankedTensorType>(quantize.getX().getType()) ||
      bool(quantize.getRowwise()) == bool(quantize.getColumnwise()))
    return std::nullopt;
  auto scale = quantize.getScale().getDefiningOp<tert::ComputeScaleOp>();
  if (!scale || quantize.getScale().getType().getRank() == 0)
    return std::nullopt;
  auto amax = scale.getAmax().getDefiningOp<tert::AmaxOp>();
  BlockCopyCalls calls{amax, scale, quantize};
  Value copy =
      calls.isColumnwise() ? quantize.getColumnwise() : quantize.getRowwise();
  if (!amax || amax.getX() != quantize.getX() ||
      amax.getTransposed() != calls.isColumnwise() || scale.getMargin() != 0 ||
      scale.getFormat() != getElementTypeOrSelf(copy) ||
      !scale.getAmax().hasOneUse() || !quantize.getScale().hasOneUse()) {
    LDBG() << "left, its scales are not those of its own blocks alone: "
           << quantize;
    return std::nullopt;
  }
  return calls;
}

static bool areAlike(const BlockCopyCalls &a, const BlockCopyCalls &b) {
  tert::ComputeScaleOp first = a.scale, second = b.scale;
  return a.isColumnwise() != b.isColumnwise() &&
         a.quantize->getBlock() == b.quantize->getBlock() &&
         first.getEpsilonAttr() == second.getEpsilonAttr() &&
         first.getPowerOfTwo() == second.getPowerOfTwo();
}

/// Replaces the calls of one copy of a tensor, or of both.
static void join(MutableArrayRef<BlockCopyCalls> copies) {
  // Where the first of them is, the tensor is there.
  Operation *first = copies.front().amax;
  for (BlockCopyCalls &copy : copies)
    if (copy.amax->isBeforeInBlock(first))
      first = copy.amax;
  OpBuilder builder(first);
  Location loc = copies.front().quantize.getLoc();

  // In the order of the op's destinations.
  enum { Rowwise, RowwiseScale, Columnwise, ColumnwiseScale, Amax, Dbias, All };
  SmallVector<Value> replaced[All];
  for (BlockCopyCalls &copy : copies) {
    tert::QuantizeOp quantize = copy.quantize;
    auto add = [&](unsigned part, Operation *op, StringRef name) {
      if (Value result = getResult(op, name))
        replaced[part].push_back(result);
    };
    add(Rowwise, quantize, "rowwise");
    add(Columnwise, quantize, "columnwise");
    add(Amax, quantize, "amax");
    add(Dbias, quantize, "dbias");
    add(copy.isColumnwise() ? ColumnwiseScale : RowwiseScale, copy.scale,
        "scale_inv");
  }
  Value inits[All];
  SmallVector<Type> types;
  for (auto [values, init] : llvm::zip_equal(replaced, inits)) {
    if (values.empty())
      continue;
    auto type = cast<RankedTensorType>(values.front().getType());
    init = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
    types.push_back(type);
  }
  tert::ComputeScaleOp scale = copies.front().scale;
  auto op = tert::QuantizeBlocksOp::create(
      builder, loc, types, copies.front().quantize.getX(), inits[Rowwise],
      inits[RowwiseScale], inits[Columnwise], inits[ColumnwiseScale],
      inits[Amax], inits[Dbias], scale.getEpsilonAttr(),
      scale.getPowerOfTwoAttr());
  unsigned next = 0;
  for (ArrayRef<Value> values : replaced) {
    if (values.empty())
      continue;
    for (Value value : values)
      value.replaceAllUsesWith(op->getResult(next));
    ++next;
  }
  for (BlockCopyCalls &copy : copies) {
    copy.quantize.erase();
    copy.scale.erase();
    copy.amax.erase();
  }
}

namespace {
struct TERTQuantizeBlocks
    : te::impl::TERTQuantizeBlocksBase<TERTQuantizeBlocks> {
  void runOnOperation() override {
    llvm::MapVector<Value, SmallVector<BlockCopyCalls, 2>> copiesOf;
    getOperation().walk([&](tert::QuantizeOp op) {
      if (std::optional<BlockCopyCalls> calls = match(op))
        copiesOf[op.getX()].push_back(*calls);
    });
    for (auto &[tensor, copies] : copiesOf) {
      MutableArrayRef<BlockCopyCalls> left = copies;
      while (!left.empty()) {
        const unsigned count =
            left.size() > 1 && areAlike(left[0], left[1]) ? 2 : 1;
        join(left.take_front(count));
        left = left.drop_front(count);
        ++numJoined;
      }
    }
  }
};
} // namespace
