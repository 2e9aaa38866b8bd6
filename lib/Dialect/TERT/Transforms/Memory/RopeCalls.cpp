// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rotates adjacent heads, such as queries and keys in the product that they
// come from, in one call (UpdateCallOpInterface).

#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"

using namespace mlir;
using namespace mlir::te;

namespace {

/// The heads of a matrix [tokens, features] that a call rotates in place.
struct HeadColumns {
  memref::SubViewOp slice;
  memref::ExpandShapeOp heads;

  /// Returns nullopt for a call on anything else.
  static std::optional<HeadColumns> find(tert::RopeOp call) {
    auto heads = call.getX().getDefiningOp<memref::ExpandShapeOp>();
    if (!heads || call.getX() != call.getY() ||
        call.getLayout() != AttentionLayout::BSHD)
      return std::nullopt;
    auto slice = heads.getSrc().getDefiningOp<memref::SubViewOp>();
    if (!slice || slice.getType().getRank() != 2 ||
        slice.getSourceType().getRank() != 2 || slice->getNumOperands() != 1 ||
        !llvm::all_of(slice.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; }) ||
        heads.getReassociationIndices() !=
            SmallVector<ReassociationIndices>{{0, 1}, {2, 3}})
      return std::nullopt;
    return HeadColumns{slice, heads};
  }

  int64_t begin() { return slice.getStaticOffset(1); }
  int64_t end() { return begin() + slice.getStaticSize(1); }
  ArrayRef<int64_t> shape() { return heads.getResultType().getShape(); }
};

struct RopeCall
    : tert::UpdateCallOpInterface::ExternalModel<RopeCall, tert::RopeOp> {
  bool isAlike(Operation *op, Operation *other) const {
    auto one = cast<tert::RopeOp>(op);
    auto two = dyn_cast<tert::RopeOp>(other);
    if (!two || one.getCos() != two.getCos() || one.getSin() != two.getSin() ||
        one.getInterleaved() != two.getInterleaved() ||
        one.getInverse() != two.getInverse())
      return false;
    std::optional<HeadColumns> a = HeadColumns::find(one);
    std::optional<HeadColumns> b = HeadColumns::find(two);
    return a && b && a->slice.getSource() == b->slice.getSource() &&
           a->slice.getStaticOffset(0) == b->slice.getStaticOffset(0) &&
           (a->end() == b->begin() || b->end() == a->begin()) &&
           a->shape().take_front(2) == b->shape().take_front(2) &&
           a->shape().back() == b->shape().back();
  }

  void join(Operation *op, OpBuilder &builder, Location loc,
            ArrayRef<Operation *> calls) const {
    SmallVector<HeadColumns> parts =
        llvm::map_to_vector(calls, [](Operation *call) {
          return *HeadColumns::find(cast<tert::RopeOp>(call));
        });
    int64_t begin = parts.front().begin(), end = begin, heads = 0;
    for (HeadColumns &part : parts) {
      begin = std::min(begin, part.begin());
      end = std::max(end, part.end());
      heads += part.shape()[2];
    }
    memref::SubViewOp first = parts.front().slice;
    auto indices = [&](ArrayRef<int64_t> values) {
      return getAsIndexOpFoldResult(op->getContext(), values);
    };
    Value columns = memref::SubViewOp::create(
        builder, loc, first.getSource(),
        indices({first.getStaticOffset(0), begin}),
        indices({first.getStaticSize(0), end - begin}), indices({1, 1}));
    SmallVector<int64_t> shape(parts.front().shape());
    shape[2] = heads;
    Value all = memref::ExpandShapeOp::create(
        builder, loc, shape, columns,
        parts.front().heads.getReassociationIndices());
    auto call = cast<tert::RopeOp>(op);
    tert::RopeOp::create(builder, loc, TypeRange(), all, call.getCos(),
                         call.getSin(), all, call.getInterleaved(),
                         call.getInverse(), call.getLayout());
  }
};

} // namespace

void tert::registerRopeCallExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TERTDialect *) {
    RopeOp::attachInterface<RopeCall>(*context);
  });
}
