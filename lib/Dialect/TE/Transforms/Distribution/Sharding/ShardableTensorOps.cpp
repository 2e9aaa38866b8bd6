// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ShardableOpInterface of tensor, linalg and arith.

#include "Distribution/Sharding/PieceShardings.h"
#include "te/Support/Captures.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// For a dimension within the group `sizes`: the number of repetitions that the
/// dimensions before it make, and of elements that those after it make.
static std::pair<int64_t, int64_t> getPlace(ArrayRef<int64_t> sizes,
                                            unsigned dim) {
  return {llvm::product_of(sizes.take_front(dim)),
          llvm::product_of(sizes.drop_front(dim + 1))};
}

/// The split of `sizes[dim]` that corresponds to the split `cut` of the
/// collapsed group if that is the only sharded dimension; nullopt otherwise.
static std::optional<Cut> splitCut(const Cut &cut, ArrayRef<int64_t> sizes,
                                   unsigned dim, int64_t pieces) {
  auto [before, behind] = getPlace(sizes, dim);
  if (cut.outer % before != 0)
    return std::nullopt;
  SmallVector<int64_t> blocks(cut.blocks);
  for (int64_t &block : blocks) {
    if (block % behind != 0 || block / behind % pieces != 0)
      return std::nullopt;
    block /= behind;
  }
  return Cut::of(cut.outer / before, blocks);
}

/// The split of the collapsed group `sizes` in which `dim` is split as `cut`.
static Cut joinCut(const Cut &cut, ArrayRef<int64_t> sizes, unsigned dim) {
  auto [before, behind] = getPlace(sizes, dim);
  SmallVector<int64_t> blocks(cut.blocks);
  for (int64_t &block : blocks)
    block *= behind;
  return Cut::of(cut.outer * before, blocks);
}

/// `wide` has the dimensions, `narrow` the collapsed groups of them.
static FailureOr<OpSharding> shareReshape(Operation *op, RankedTensorType wide,
                                          ArrayRef<ReassociationIndices> groups,
                                          bool ofWide, bool wideIsResult,
                                          const DimSplit &cut, int64_t pieces,
                                          std::string &reason) {
  OpSharding sharding(op);
  auto &ofSource = sharding.operands[0];
  auto &ofResult = sharding.results[0];
  auto &wideCut = wideIsResult ? ofResult : ofSource;
  auto &narrowCut = wideIsResult ? ofSource : ofResult;
  auto fail = [&] {
    return refuse(reason, "'" + op->getName().getStringRef() +
                              "' has no separate dimension for each rank's "
                              "shard");
  };
  for (auto [i, group] : llvm::enumerate(groups)) {
    ArrayRef<int64_t> sizes =
        wide.getShape().slice(group.front(), group.size());
    if (ofWide) {
      if (!llvm::is_contained(group, int64_t(cut.dim)))
        continue;
      wideCut = cut;
      narrowCut = DimSplit{unsigned(i),
                           joinCut(cut.cut, sizes, cut.dim - group.front())};
      return sharding;
    }
    if (i != cut.dim)
      continue;
    // Prefers the first dimension with this split, else the first that can be
    // split within its blocks.
    for (unsigned j = 0; j < sizes.size(); ++j)
      if (std::optional<Cut> own = splitCut(cut.cut, sizes, j, pieces)) {
        wideCut = DimSplit{unsigned(group.front()) + j, *own};
        narrowCut = cut;
        return sharding;
      }
    for (unsigned j = 0; j < sizes.size(); ++j) {
      if (sizes[j] % pieces != 0)
        continue;
      Cut within = joinCut(Cut::whole(sizes[j]), sizes, j);
      std::optional<Cut> refined = cut.cut.refine(within);
      if (refined != within)
        continue;
      wideCut = DimSplit{unsigned(group.front()) + j, Cut::whole(sizes[j])};
      narrowCut = DimSplit{cut.dim, within};
      return sharding;
    }
    return fail();
  }
  return fail();
}

namespace {
struct ShareCollapseShape
    : ShardableOpInterface::ExternalModel<ShareCollapseShape,
                                          tensor::CollapseShapeOp> {
  FailureOr<OpSharding> getSharding(Operation *operation, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t pieces, std::string &reason) const {
    auto op = cast<tensor::CollapseShapeOp>(operation);
    return shareReshape(op, op.getSrcType(), op.getReassociationIndices(),
                        /*ofWide=*/!ofResult, /*wideIsResult=*/false, cut,
                        pieces, reason);
  }
};

struct ShareExpandShape
    : ShardableOpInterface::ExternalModel<ShareExpandShape,
                                          tensor::ExpandShapeOp> {
  FailureOr<OpSharding> getSharding(Operation *operation, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t pieces, std::string &reason) const {
    auto op = cast<tensor::ExpandShapeOp>(operation);
    if (!op.getOutputShape().empty())
      return refuse(reason, "its shape is known at run time only");
    return shareReshape(op, op.getResultType(), op.getReassociationIndices(),
                        /*ofWide=*/ofResult, /*wideIsResult=*/true, cut, pieces,
                        reason);
  }
  SmallVector<Value> buildPart(Operation *operation, OpBuilder &builder,
                               ValueRange operands, TypeRange results,
                               const OpSharding &, const AxisRanks &) const {
    auto op = cast<tensor::ExpandShapeOp>(operation);
    return {tensor::ExpandShapeOp::create(builder, op.getLoc(), results[0],
                                          operands[0],
                                          op.getReassociationIndices())};
  }
};

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

struct ShareConcat
    : ShardableOpInterface::ExternalModel<ShareConcat, tensor::ConcatOp> {
  FailureOr<OpSharding> getSharding(Operation *operation, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t, std::string &reason) const {
    auto op = cast<tensor::ConcatOp>(operation);
    return sharePieces(op, /*wholeIsResult=*/true, op.getDim(), ofResult,
                       number, cut, reason);
  }
};

/// A slice of one piece of a dimension has the ranks' shards of that piece.
struct ShareExtractSlice
    : ShardableOpInterface::ExternalModel<ShareExtractSlice,
                                          tensor::ExtractSliceOp> {
  FailureOr<OpSharding> getSharding(Operation *operation, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t pieces, std::string &reason) const {
    auto op = cast<tensor::ExtractSliceOp>(operation);
    auto fail = [&] {
      return refuse(
          reason,
          "'tensor.extract_slice' takes another slice than the ranks' shards");
    };
    if (op->getNumOperands() != 1 ||
        op.getType().getRank() != op.getSourceType().getRank() ||
        op.getStaticStrides()[cut.dim] != 1)
      return fail();
    int64_t offset = op.getStaticOffsets()[cut.dim];
    int64_t size = op.getStaticSizes()[cut.dim];
    int64_t all = op.getSourceType().getDimSize(cut.dim);
    SmallVector<int64_t> sizes;
    for (int64_t piece : {offset, size, all - offset - size})
      if (piece > 0)
        sizes.push_back(piece);
    unsigned index = offset > 0;
    SmallVector<Cut> spans;
    if (ofResult) {
      for (int64_t piece : sizes)
        spans.push_back(Cut::whole(piece));
      spans[index] = cut.cut;
    } else if (auto refined = splitPieces(cut.cut, sizes)) {
      spans = std::move(*refined);
    } else {
      return fail();
    }
    if (size == 0 || offset % pieces != 0)
      return fail();
    OpSharding sharding(op);
    sharding.operands[0] = DimSplit{cut.dim, joinPieces(spans)};
    sharding.results[0] = DimSplit{cut.dim, spans[index]};
    return sharding;
  }
  SmallVector<Value> buildPart(Operation *operation, OpBuilder &builder,
                               ValueRange operands, TypeRange results,
                               const OpSharding &, const AxisRanks &) const {
    auto op = cast<tensor::ExtractSliceOp>(operation);
    auto type = cast<RankedTensorType>(results[0]);
    SmallVector<int64_t> offsets(op.getStaticOffsets());
    for (auto [dim, offset] : llvm::enumerate(offsets))
      if (op.getType().getDimSize(dim) != type.getDimSize(dim))
        offset /= op.getType().getDimSize(dim) / type.getDimSize(dim);
    return {tensor::ExtractSliceOp::create(
        builder, op.getLoc(), type, operands[0], ValueRange(), ValueRange(),
        ValueRange(), offsets, type.getShape(), op.getStaticStrides())};
  }
};

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// True if a value captured by a body may differ between ranks, or has a
/// cotangent that would be a sum over them.
static bool isMadeOfTensors(Value captured) {
  return !matchPattern(captured, m_Constant()) &&
         (isa<ShapedType>(captured.getType()) ||
          isa<FloatType>(captured.getType()));
}

/// Shards parallel loops; reductions are unknown operations.
template <typename Op>
struct ShareStructured
    : ShardableOpInterface::ExternalModel<ShareStructured<Op>, Op> {
  FailureOr<OpSharding> getSharding(Operation *operation, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t, std::string &reason) const {
    auto op = cast<linalg::LinalgOp>(operation);
    auto fail = [&](StringRef why) {
      return refuse(reason,
                    "'" + operation->getName().getStringRef() + "' " + why);
    };
    if (!op.hasPureTensorSemantics() ||
        operation->getNumOperands() !=
            op.getNumDpsInputs() + op.getNumDpsInits() ||
        llvm::any_of(getCapturedValues(operation), isMadeOfTensors))
      return fail("reads more than its operands");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
    unsigned at = ofResult ? number + op.getNumDpsInputs() : number;
    if (maps[at].getNumResults() <= cut.dim)
      return fail("reads it in a way that is not known");
    auto loop = dyn_cast<AffineDimExpr>(maps[at].getResult(cut.dim));
    if (!loop)
      return fail("reads it at positions of its own");
    if (loops[loop.getPosition()] != utils::IteratorType::parallel)
      return fail("needs all of it for each element of its result");
    bool readsIndex = false;
    operation->walk([&](linalg::IndexOp index) {
      readsIndex |= !index->use_empty() && index.getDim() == loop.getPosition();
    });
    if (readsIndex)
      return fail("computes with the positions of elements");
    OpSharding sharding(operation);
    for (auto [i, map] : llvm::enumerate(maps))
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        if (!expr.isFunctionOfDim(loop.getPosition()))
          continue;
        if (!isa<AffineDimExpr>(expr) || sharding.operands[i])
          return fail("reads an operand at positions of its own");
        sharding.operands[i] = DimSplit{unsigned(dim), cut.cut};
        if (int64_t(i) >= op.getNumDpsInputs())
          sharding.results[i - op.getNumDpsInputs()] = sharding.operands[i];
      }
    return sharding;
  }
};

template <typename Op>
struct ShareElementwise
    : ShardableOpInterface::ExternalModel<ShareElementwise<Op>, Op> {
  FailureOr<OpSharding> getSharding(Operation *op, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t, std::string &reason) const {
    OpSharding sharding(op);
    for (auto [operand, own] :
         llvm::zip_equal(op->getOperands(), MutableArrayRef(sharding.operands)))
      if (isa<RankedTensorType>(operand.getType()))
        own = cut;
    for (std::optional<DimSplit> &own : sharding.results)
      own = cut;
    return sharding;
  }
};

/// A splat, or an undefined tensor.
struct ShareConstant
    : ShardableOpInterface::ExternalModel<ShareConstant, arith::ConstantOp> {
  FailureOr<OpSharding> getSharding(Operation *op, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t, std::string &reason) const {
    if (!isa<SplatElementsAttr>(cast<arith::ConstantOp>(op).getValue()))
      return refuse(reason, "a constant has other elements elsewhere");
    OpSharding sharding(op);
    sharding.results[0] = cut;
    return sharding;
  }
  SmallVector<Value> buildPart(Operation *op, OpBuilder &builder,
                               ValueRange operands, TypeRange results,
                               const OpSharding &, const AxisRanks &) const {
    auto value =
        cast<SplatElementsAttr>(cast<arith::ConstantOp>(op).getValue());
    return {arith::ConstantOp::create(
        builder, op->getLoc(),
        value.resizeSplat(cast<RankedTensorType>(results[0])))};
  }
};

struct ShareEmpty
    : ShardableOpInterface::ExternalModel<ShareEmpty, tensor::EmptyOp> {
  FailureOr<OpSharding> getSharding(Operation *op, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t, std::string &reason) const {
    if (op->getNumOperands() != 0)
      return refuse(reason, "its shape is known at run time only");
    OpSharding sharding(op);
    sharding.results[0] = cut;
    return sharding;
  }
};

template <typename... Ops> void attachStructured(MLIRContext *context) {
  (Ops::template attachInterface<ShareStructured<Ops>>(*context), ...);
}
template <typename... Ops> void attachElementwise(MLIRContext *context) {
  (Ops::template attachInterface<ShareElementwise<Ops>>(*context), ...);
}
} // namespace

void mlir::te::registerShardableTensorExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::CollapseShapeOp::attachInterface<ShareCollapseShape>(*context);
    tensor::ExpandShapeOp::attachInterface<ShareExpandShape>(*context);
    tensor::ConcatOp::attachInterface<ShareConcat>(*context);
    tensor::ExtractSliceOp::attachInterface<ShareExtractSlice>(*context);
    tensor::EmptyOp::attachInterface<ShareEmpty>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::ConstantOp::attachInterface<ShareConstant>(*context);
    attachElementwise<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp,
                      arith::FPToSIOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachStructured<linalg::GenericOp, linalg::FillOp, linalg::TransposeOp,
                     linalg::BroadcastOp, linalg::MatmulOp,
                     linalg::BatchMatmulOp>(context);
  });
}
