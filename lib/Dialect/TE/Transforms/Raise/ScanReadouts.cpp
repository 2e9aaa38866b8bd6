// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/ScanReadouts.h"

#include "Raise/AttentionScores.h"
#include "Raise/Matchers.h"

#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// A dimension of the state as an op reads it.
struct Dimension {
  int64_t size;
  Strides query;
  bool isSummed;
};
} // namespace

/// Sets pieces and the result's order of them, from the dimensions in it.
static void setPieces(ScanReadout &readout, ArrayRef<Dimension> dimensions,
                      ArrayRef<unsigned> result) {
  SmallVector<unsigned> firsts;
  for (const Dimension &dimension : dimensions) {
    firsts.push_back(readout.pieces.size());
    for (Stride loop : dimension.query)
      readout.pieces.push_back({loop.size, loop.stride, dimension.isSummed});
  }
  firsts.push_back(readout.pieces.size());
  for (unsigned dim : result)
    for (unsigned piece = firsts[dim]; piece < firsts[dim + 1]; ++piece)
      readout.kept.push_back(piece);
}

static std::optional<ScanReadout> getContraction(OpOperand &reader) {
  std::optional<Contraction> product = getProduct(reader.getOwner());
  unsigned operand = reader.getOperandNumber();
  if (!product || operand > 1 || product->operands[operand] != reader.get())
    return std::nullopt;
  ArrayRef<unsigned> own = product->dimensions[operand],
                     others = product->dimensions[1 - operand];
  StridedView query(product->operands[1 - operand]);
  query.goToStart();
  SmallVector<int64_t> shape;
  for (unsigned loop : others)
    shape.push_back(product->loopSizes[loop]);
  auto split = splitLoops(query.groups.front(), shape);
  if (!split)
    return std::nullopt;
  // What the query has besides the state has one element.
  for (auto [loop, size] : llvm::zip_equal(others, shape))
    if (size != 1 && !llvm::is_contained(own, loop))
      return std::nullopt;
  SmallVector<Dimension> dimensions;
  for (unsigned loop : own) {
    int64_t size = product->loopSizes[loop];
    auto *place = llvm::find(others, loop);
    dimensions.push_back({size,
                          place == others.end()
                              ? canonicalize(Stride{size, 0})
                              : (*split)[place - others.begin()],
                          llvm::is_contained(product->k, loop)});
  }
  SmallVector<unsigned> result;
  for (unsigned loop : product->dimensions[2])
    if (auto *place = llvm::find(own, loop); place != own.end())
      result.push_back(place - own.begin());
  ScanReadout readout;
  setPieces(readout, dimensions, result);
  readout.query = query.source;
  readout.queryOffset = query.offset;
  readout.result = reader.getOwner()->getResult(0);
  return readout;
}

/// A sum over dimensions of a product of elements.
static std::optional<ScanReadout> getSummedProduct(OpOperand &reader) {
  auto mul = dyn_cast<arith::MulFOp>(reader.getOwner());
  if (!mul)
    return std::nullopt;
  Value product = mul;
  while (product.hasOneUse() &&
         isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
             *product.user_begin()))
    product = product.user_begin()->getResult(0);
  auto sum = product.hasOneUse()
                 ? dyn_cast<linalg::LinalgOp>(*product.user_begin())
                 : linalg::LinalgOp();
  if (!sum || sum.getNumDpsInputs() != 1 || sum.getNumDpsInits() != 1 ||
      sum->getOperand(0) != product || !sum.hasPureTensorSemantics() ||
      !isZero(sum.getDpsInits()[0]) || !addsUp(*sum.getBlock()))
    return std::nullopt;
  AffineMap from = sum.getIndexingMapsArray()[0],
            to = sum.getIndexingMapsArray()[1];
  if (!from.isPermutation() || !to.isProjectedPermutation())
    return std::nullopt;
  StridedView query(mul->getOperand(1 - reader.getOperandNumber()));
  query.goToStart();
  RankedTensorType type = tensorType(product);
  auto split = splitLoops(query.groups.front(), type.getShape());
  if (!split)
    return std::nullopt;
  SmallVector<Dimension> dimensions;
  SmallVector<unsigned> result(to.getNumResults());
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    auto place = to.getResultPosition(from.getResult(dim));
    dimensions.push_back({type.getDimSize(dim), (*split)[dim], !place});
    if (place)
      result[*place] = dim;
  }
  ScanReadout readout;
  setPieces(readout, dimensions, result);
  readout.query = query.source;
  readout.queryOffset = query.offset;
  readout.result = sum->getResult(0);
  return readout;
}

std::optional<ScanReadout> ScanReadout::get(OpOperand &reader) {
  if (auto readout = getContraction(reader))
    return readout;
  return getSummedProduct(reader);
}

void ScanReadout::splitAt(int64_t elements) {
  int64_t behind = 1;
  for (unsigned i = pieces.size(); i-- > 0;) {
    Piece &piece = pieces[i];
    if (elements > behind && elements < behind * piece.size &&
        elements % behind == 0 && behind * piece.size % elements == 0) {
      Piece fast = piece;
      fast.size = elements / behind;
      piece.size /= fast.size;
      piece.queryStride *= fast.size;
      pieces.insert(pieces.begin() + i + 1, fast);
      SmallVector<unsigned> before = std::move(kept);
      kept.clear();
      for (unsigned number : before) {
        kept.push_back(number > i ? number + 1 : number);
        if (number == i)
          kept.push_back(i + 1);
      }
      return;
    }
    behind *= piece.size;
  }
}
