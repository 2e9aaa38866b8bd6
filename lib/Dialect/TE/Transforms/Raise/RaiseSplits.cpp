// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises slices that are the consecutive pieces of one value to te.split: the
// gradients of the pieces are then joined, instead of each being padded with
// zeros and added.

#include "Raise/Raise.h"

#include "te/Dialect/TE/IR/Slices.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::te;

static void raiseSlices(Value value, IRRewriter &rewriter) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type ||
      !(type.getElementType().isF32() || type.getElementType().isBF16()))
    return;
  SmallVector<tensor::ExtractSliceOp> pieces;
  std::optional<int64_t> dim;
  for (Operation *user : value.getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    auto divided = slice ? getDividedDim(slice) : std::nullopt;
    // A slice of other dimensions may read what pieces have, too.
    if (!divided || (dim && *dim != *divided))
      continue;
    dim = divided;
    pieces.push_back(slice);
  }
  if (pieces.size() < 2)
    return;
  auto offsetOf = [&](tensor::ExtractSliceOp slice) {
    return slice.getStaticOffsets()[*dim];
  };
  llvm::sort(pieces, [&](auto a, auto b) { return offsetOf(a) < offsetOf(b); });
  int64_t end = 0;
  for (tensor::ExtractSliceOp piece : pieces) {
    if (offsetOf(piece) != end || piece.getStaticSizes()[*dim] == 0)
      return;
    end += piece.getStaticSizes()[*dim];
  }
  if (end != type.getDimSize(*dim))
    return;
  rewriter.setInsertionPointAfterValue(value);
  SmallVector<Type> types;
  SmallVector<Location> locs;
  for (tensor::ExtractSliceOp piece : pieces) {
    types.push_back(piece.getType());
    locs.push_back(piece.getLoc());
  }
  auto split = SplitOp::create(rewriter, rewriter.getFusedLoc(locs), types,
                               value, rewriter.getI64IntegerAttr(*dim));
  for (auto [piece, result] : llvm::zip_equal(pieces, split.getPieces()))
    rewriter.replaceOp(piece, result);
}

void mlir::te::raiseSplits(Operation *root) {
  IRRewriter rewriter(root->getContext());
  llvm::SetVector<Value> sources;
  root->walk(
      [&](tensor::ExtractSliceOp slice) { sources.insert(slice.getSource()); });
  // The last first: what is a slice itself is replaced after its own slices.
  for (Value source : llvm::reverse(sources.getArrayRef()))
    raiseSlices(source, rewriter);
}
