// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Sharding/PieceShardings.h"

using namespace mlir;
using namespace mlir::te;

std::optional<SmallVector<Cut>> mlir::te::splitPieces(const Cut &whole,
                                                      ArrayRef<int64_t> sizes) {
  std::optional<Cut> refined = whole.refine(Cut::of(1, sizes));
  if (!refined)
    return std::nullopt;
  SmallVector<int64_t> blocks = refined->list();
  SmallVector<Cut> pieces;
  ArrayRef<int64_t> rest = blocks;
  for (int64_t size : sizes) {
    size_t count = 0;
    for (int64_t sum = 0; sum < size; ++count)
      sum += rest[count];
    pieces.push_back(Cut::of(1, rest.take_front(count)));
    rest = rest.drop_front(count);
  }
  return pieces;
}

Cut mlir::te::joinPieces(ArrayRef<Cut> pieces) {
  SmallVector<int64_t> blocks;
  for (const Cut &piece : pieces)
    llvm::append_range(blocks, piece.list());
  return Cut::of(1, blocks);
}

FailureOr<OpSharding> mlir::te::sharePieces(Operation *op, bool wholeIsResult,
                                            unsigned axis, bool ofResult,
                                            unsigned number,
                                            const DimSplit &cut,
                                            std::string &reason) {
  OpSharding sharding(op);
  auto &ofWhole = wholeIsResult ? sharding.results : sharding.operands;
  auto &ofPieces = wholeIsResult ? sharding.operands : sharding.results;
  ValueRange pieces = wholeIsResult ? ValueRange(op->getOperands())
                                    : ValueRange(op->getResults());
  if (cut.dim != axis) {
    for (auto *cuts : {&ofWhole, &ofPieces})
      for (std::optional<DimSplit> &own : *cuts)
        own = cut;
    return sharding;
  }
  SmallVector<int64_t> sizes = llvm::map_to_vector(pieces, [&](Value piece) {
    return cast<RankedTensorType>(piece.getType()).getDimSize(axis);
  });
  SmallVector<Cut> cuts;
  if (ofResult == wholeIsResult) {
    std::optional<SmallVector<Cut>> refined = splitPieces(cut.cut, sizes);
    if (!refined)
      return refuse(reason, "its pieces do not begin where those of ranks do");
    cuts = std::move(*refined);
  } else {
    for (int64_t size : sizes)
      cuts.push_back(Cut::whole(size));
    cuts[number] = cut.cut;
  }
  for (auto [own, piece] : llvm::zip_equal(ofPieces, cuts))
    own = DimSplit{axis, piece};
  ofWhole[0] = DimSplit{axis, joinPieces(cuts)};
  return sharding;
}
