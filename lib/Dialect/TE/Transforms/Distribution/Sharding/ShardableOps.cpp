// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ShardableOpInterface of the te ops.

#include "Distribution/Sharding/PieceShardings.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

/// The op's number of classes before padding.
static int64_t getClasses(Operation *op, int64_t size) {
  auto classes = op->getAttrOfType<IntegerAttr>(kClassesAttr);
  return classes ? classes.getInt() : size;
}

std::optional<unsigned>
mlir::te::findNumberedOperand(Operation *op, const OpSharding &sharding) {
  std::optional<unsigned> numbered;
  unsigned dim = 0;
  if (auto lookup = dyn_cast<EmbeddingOp>(op)) {
    numbered = lookup.getTableMutable().getOperandNumber();
  } else if (auto loss = dyn_cast<CrossEntropyOp>(op)) {
    numbered = loss.getLogitsMutable().getOperandNumber();
    dim = 1;
  }
  if (!numbered)
    return std::nullopt;
  const std::optional<DimSplit> &own = sharding.operands[*numbered];
  return own && own->dim == dim ? numbered : std::nullopt;
}

namespace {

/// A model for ops whose iteration space `Model::getFactors` gives.
template <typename Model, typename Op>
struct FactorModel : ShardableOpInterface::ExternalModel<Model, Op> {
  FailureOr<OpSharding> getSharding(Operation *op, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t, std::string &reason) const {
    SmallVector<Factor> factors = Model::getFactors(cast<Op>(op));
    return shareFactor(op, factors, ofResult, number, cut, reason);
  }
};

struct ShareMatmul : FactorModel<ShareMatmul, MatmulOp> {
  static SmallVector<Factor> getFactors(MatmulOp op) {
    unsigned aRow = op.getTransposeA(), bRow = op.getTransposeB();
    Factor rows, columns, inner;
    rows.add(op.getAMutable(), aRow)
        .add(op.getAddendMutable(), 0)
        .add(op.getD(), 0);
    columns.add(op.getBMutable(), 1 - bRow)
        .add(op.getBiasMutable(), 0)
        .add(op.getAddendMutable(), 1)
        .add(op.getD(), 1);
    inner.add(op.getAMutable(), 1 - aRow)
        .add(op.getBMutable(), bRow)
        .sumInto(op.getD());
    // The addend would be added to the term of each rank. (te-shard-model takes
    // biases out.)
    if (op.getAddend())
      return {rows, columns};
    return {rows, columns, inner};
  }
};

/// Shards rows, and the dimension of matrices along which they do not follow
/// one another.
struct ShareExpertMatmul : FactorModel<ShareExpertMatmul, ExpertMatmulOp> {
  static SmallVector<Factor> getFactors(ExpertMatmulOp op) {
    Factor rows, columns;
    rows.add(op.getAMutable(), 0).add(op.getGroupsMutable(), 0);
    columns.add(op.getBMutable(), 1);
    if (op.isWgrad())
      rows.add(op.getBMutable(), 0).sumInto(op.getD());
    else
      rows.add(op.getD(), 0);
    if (op.getTransposeB())
      columns.add(op.getAMutable(), 1).sumInto(op.getD());
    else
      columns.add(op.getD(), 1);
    return {rows, columns};
  }
};

struct ShareLayerNorm : FactorModel<ShareLayerNorm, LayerNormOp> {
  static SmallVector<Factor> getFactors(LayerNormOp op) {
    return {Factor()
                .add(op.getXMutable(), 0)
                .add(op.getY(), 0)
                .add(op.getMean(), 0)
                .add(op.getRstd(), 0)};
  }
};

struct ShareRMSNorm : FactorModel<ShareRMSNorm, RMSNormOp> {
  static SmallVector<Factor> getFactors(RMSNormOp op) {
    return {Factor()
                .add(op.getXMutable(), 0)
                .add(op.getY(), 0)
                .add(op.getRstd(), 0)};
  }
};

struct ShareActivation : FactorModel<ShareActivation, ActivationOp> {
  static SmallVector<Factor> getFactors(ActivationOp op) {
    return {Factor().add(op.getXMutable(), 0).add(op.getY(), 0),
            Factor().add(op.getXMutable(), 1).add(op.getY(), 1)};
  }
};

/// A model for ops with an optional numbered operand, of which a rank's shard
/// is consecutive.
template <typename Model, typename Op>
struct NumberedModel : FactorModel<Model, Op> {
  FailureOr<OpSharding> getSharding(Operation *op, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t pieces, std::string &reason) const {
    FailureOr<OpSharding> sharding = FactorModel<Model, Op>::getSharding(
        op, ofResult, number, cut, pieces, reason);
    if (failed(sharding))
      return failure();
    std::optional<unsigned> numbered = findNumberedOperand(op, *sharding);
    if (numbered && !sharding->operands[*numbered]->cut.isPlain())
      return refuse(reason, "ranks have several pieces of what '" +
                                op->getName().getStringRef() + "' numbers");
    return sharding;
  }
};

struct ShareEmbedding : NumberedModel<ShareEmbedding, EmbeddingOp> {
  static SmallVector<Factor> getFactors(EmbeddingOp op) {
    return {Factor().add(op.getIdsMutable(), 0).add(op.getY(), 0),
            Factor().add(op.getTableMutable(), 1).add(op.getY(), 1),
            Factor().add(op.getTableMutable(), 0).sumInto(op.getY())};
  }
  SmallVector<Value> buildPart(Operation *operation, OpBuilder &builder,
                               ValueRange operands, TypeRange results,
                               const OpSharding &sharding,
                               const AxisRanks &axis) const {
    auto op = cast<EmbeddingOp>(operation);
    const std::optional<DimSplit> &ofTable = sharding.operands[1];
    if (!ofTable || ofTable->dim != 0)
      return cloneOnParts(builder, op, operands, results);
    return {createVocabularyRows(builder, op.getLoc(), operands[0], operands[1],
                                 getClasses(op, ofTable->cut.getSize()),
                                 axis.grid, axis.axis, axis.ranks)};
  }
};

struct ShareCountLabels : FactorModel<ShareCountLabels, CountLabelsOp> {
  static SmallVector<Factor> getFactors(CountLabelsOp op) {
    return {Factor().add(op.getLabelsMutable(), 0).sumInto(op.getCount())};
  }
};

/// Shards rows, unless the loss is a mean, or classes.
struct ShareCrossEntropy : NumberedModel<ShareCrossEntropy, CrossEntropyOp> {
  static SmallVector<Factor> getFactors(CrossEntropyOp op) {
    if (op.getReduction() != Reduction::Sum)
      return {};
    Factor rows, classes;
    rows.add(op.getLogitsMutable(), 0)
        .add(op.getLabelsMutable(), 0)
        .add(op.getLse(), 0)
        .sumInto(op.getLoss())
        .sumInto(op.getCount());
    classes.add(op.getLogitsMutable(), 1).sumInto(op.getLoss());
    // A mean over all classes is not reduced.
    if (!op.getLabelSmoothing().isZero())
      return {rows};
    return {rows, classes};
  }
  SmallVector<Value> buildPart(Operation *operation, OpBuilder &builder,
                               ValueRange operands, TypeRange results,
                               const OpSharding &sharding,
                               const AxisRanks &axis) const {
    auto op = cast<CrossEntropyOp>(operation);
    const DimSplit &ofLogits = *sharding.operands[0];
    if (ofLogits.dim != 1)
      return cloneOnParts(builder, op, operands, results);
    auto part = VocabularyCrossEntropyOp::create(
        builder, op.getLoc(), results[0], results[1], operands[0], operands[1],
        axis.grid, ArrayRef(axis.axis), getClasses(op, ofLogits.cut.getSize()),
        /*rank_classes=*/IntegerAttr(), op.getIgnoreIndex(), op.getZLoss());
    return {part.getLoss(), part.getLse(), Value()};
  }
};

struct ShareSquaredError : FactorModel<ShareSquaredError, SquaredErrorOp> {
  static SmallVector<Factor> getFactors(SquaredErrorOp op) {
    SmallVector<Factor> factors;
    if (op.getReduction() == Reduction::Sum)
      for (unsigned dim : {0, 1})
        factors.push_back(Factor()
                              .add(op.getXMutable(), dim)
                              .add(op.getTargetMutable(), dim)
                              .sumInto(op.getLoss()));
    return factors;
  }
};

struct ShareShiftLabels : FactorModel<ShareShiftLabels, ShiftLabelsOp> {
  static SmallVector<Factor> getFactors(ShiftLabelsOp op) {
    return {Factor().add(op.getIdsMutable(), 0).add(op.getLabels(), 0)};
  }
};

/// Shards the batch, and channels that all have the same keys and queries.
struct ShareScan : FactorModel<ShareScan, ScanOp> {
  static SmallVector<Factor> getFactors(ScanOp op) {
    Factor batch, channels;
    batch.add(op.getDecayMutable(), 0)
        .add(op.getXMutable(), 0)
        .add(op.getKeysMutable(), 0)
        .add(op.getQueriesMutable(), 0)
        .add(op.getInitialMutable(), 0)
        .add(op.getY(), 0)
        .add(op.getStates(), 0)
        .add(op.getFinal(), 0);
    channels.add(op.getDecayMutable(), 2)
        .add(op.getXMutable(), 2)
        .add(op.getRatesMutable(), 0)
        .add(op.getInitialMutable(), 1)
        .add(op.getY(), 2)
        .add(op.getStates(), 2)
        .add(op.getFinal(), 1);
    if (op.getKeys() &&
        tensorDim(op.getKeys(), 2) != tensorDim(op.getStates(), 3))
      return {batch};
    return {batch, channels};
  }
};

struct ShareCausalConv : FactorModel<ShareCausalConv, CausalConvOp> {
  static SmallVector<Factor> getFactors(CausalConvOp op) {
    Factor batch, channels;
    batch.add(op.getXMutable(), 0).add(op.getY(), 0);
    channels.add(op.getXMutable(), 2)
        .add(op.getWeightMutable(), 1)
        .add(op.getBiasMutable(), 0)
        .add(op.getY(), 2);
    return {batch, channels};
  }
};

/// The batch and head dimensions of a layout.
struct HeadDims {
  explicit HeadDims(AttentionLayout layout)
      : batch(layout == AttentionLayout::SBHD ? 1 : 0),
        heads(getHeadDim(layout)) {}
  unsigned batch, heads;
};

struct ShareRope : FactorModel<ShareRope, RopeOp> {
  static SmallVector<Factor> getFactors(RopeOp op) {
    HeadDims dims(op.getLayout());
    Factor batch =
        Factor().add(op.getXMutable(), dims.batch).add(op.getY(), dims.batch);
    Factor heads =
        Factor().add(op.getXMutable(), dims.heads).add(op.getY(), dims.heads);
    // Tables of rows for all tokens of the batch.
    unsigned sequence = 3 - dims.batch - dims.heads;
    if (tensorDim(op.getCos(), 0) != tensorDim(op.getX(), sequence))
      return {heads};
    Factor tokens = Factor()
                        .add(op.getXMutable(), sequence)
                        .add(op.getCosMutable(), 0)
                        .add(op.getSinMutable(), 0)
                        .add(op.getY(), sequence);
    return {batch, heads, tokens};
  }
};

/// Shards heads or batches.
struct ShareAttention
    : ShardableOpInterface::ExternalModel<ShareAttention, AttentionOp> {
  /// True if several ranks read one of several key heads.
  static bool shareKeyHeads(int64_t keys, int64_t ranks) {
    return keys > 1 && keys < ranks && ranks % keys == 0;
  }

  FailureOr<OpSharding> getSharding(Operation *operation, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t pieces, std::string &reason) const {
    auto op = cast<AttentionOp>(operation);
    HeadDims dims(op.getLayout());
    auto addBias = [&](Factor &factor, unsigned dim) {
      if (op.getBias() && tensorDim(op.getBias(), dim) > 1)
        factor.add(op.getBiasMutable(), dim);
    };
    Factor batch, heads;
    batch.add(op.getQMutable(), dims.batch)
        .add(op.getKMutable(), dims.batch)
        .add(op.getVMutable(), dims.batch)
        .add(op.getLengthsMutable(), 0)
        .add(op.getO(), dims.batch)
        .add(op.getLse(), 0);
    addBias(batch, 0);
    heads.add(op.getQMutable(), dims.heads)
        .add(op.getSinksMutable(), 0)
        .add(op.getO(), dims.heads)
        .add(op.getLse(), 1);
    int64_t queries = tensorDim(op.getQ(), dims.heads);
    int64_t keys = tensorDim(op.getK(), dims.heads);
    // The only key head serves all query heads and is replicated.
    const bool sharesKeys = shareKeyHeads(keys, pieces);
    if (keys > 1 && !sharesKeys)
      heads.add(op.getKMutable(), dims.heads).add(op.getVMutable(), dims.heads);
    addBias(heads, 1);
    FailureOr<OpSharding> sharding =
        shareFactor(op, {batch, heads}, ofResult, number, cut, reason);
    if (failed(sharding) || sharding->results[1]->dim == 0)
      return sharding;
    // A key head serves consecutive query heads and is sharded with them.
    if (!cut.cut.isPlain() || queries % pieces != 0 ||
        (keys > 1 && !sharesKeys && keys % pieces != 0))
      return refuse(
          reason, "its " + Twine(queries) + " query heads and " + Twine(keys) +
                      " key heads are no multiples of " + Twine(pieces));
    for (auto [values, cuts] :
         {std::make_pair(ValueRange(op->getOperands()),
                         MutableArrayRef(sharding->operands)),
          std::make_pair(ValueRange(op->getResults()),
                         MutableArrayRef(sharding->results))})
      for (auto [value, own] : llvm::zip_equal(values, cuts))
        if (own)
          own->cut = Cut::whole(tensorDim(value, own->dim));
    if (sharesKeys)
      for (OpOperand *operand : {&op.getKMutable(), &op.getVMutable()})
        sharding->localOperands.set(operand->getOperandNumber());
    return sharding;
  }

  SmallVector<Value> buildPart(Operation *operation, OpBuilder &builder,
                               ValueRange operands, TypeRange results,
                               const OpSharding &sharding,
                               const AxisRanks &axis) const {
    auto op = cast<AttentionOp>(operation);
    SmallVector<Value> own(operands);
    for (unsigned number : sharding.localOperands.set_bits())
      own[number] = sliceKeyHead(builder, op.getLoc(), own[number],
                                 HeadDims(op.getLayout()).heads, axis);
    SmallVector<Value> parts = cloneOnParts(builder, op, own, results);
    // Queries know their places among the keys of all ranks.
    if (axis.ofSequences && (op.getCausal() || op.getWindow() != 0)) {
      auto part = parts.front().getDefiningOp<AttentionOp>();
      part.setQueryAxes(1 << axis.axis);
      part.setBalanced(axis.balanced);
    }
    return parts;
  }

private:
  /// The key head that the rank's query heads read: with the heads
  /// concatenated, each repeated for the ranks that read it, every rank takes a
  /// shard.
  static Value sliceKeyHead(OpBuilder &builder, Location loc, Value whole,
                            unsigned dim, const AxisRanks &axis) {
    const int64_t readers = axis.ranks / tensorDim(whole, dim);
    SmallVector<Value> heads;
    for (int64_t rank = 0; rank < axis.ranks; ++rank)
      heads.push_back(rank % readers == 0 ? sliceDim(builder, loc, whole, dim,
                                                     rank / readers, 1)
                                          : heads.back());
    Value all = tensor::ConcatOp::create(builder, loc, /*dim=*/0, heads);
    return shard::AllSliceOp::create(builder, loc, heads.front().getType(), all,
                                     axis.grid, ArrayRef(axis.axis),
                                     /*slice_axis=*/0);
  }
};

/// A few repeated rows are replicated if a rank's pieces are some repetitions
/// each.
struct ShareAdd : ShardableOpInterface::ExternalModel<ShareAdd, AddOp> {
  /// Shards each repetition, and the rows that repeat.
  static std::optional<OpSharding> shareRepetitions(AddOp op, bool ofResult,
                                                    unsigned number,
                                                    const DimSplit &cut) {
    int64_t rows = tensorDim(op.getA(), 0), repeated = tensorDim(op.getB(), 0);
    unsigned b = op.getBMutable().getOperandNumber();
    Cut all{rows / repeated, {repeated}}, once = Cut::whole(repeated);
    if (rows == repeated || repeated == 1 || cut.dim != 0 ||
        cut.cut != (!ofResult && number == b ? once : all))
      return std::nullopt;
    OpSharding sharding(op);
    sharding.operands[op.getAMutable().getOperandNumber()] = DimSplit{0, all};
    sharding.operands[b] = DimSplit{0, once};
    sharding.results[0] = DimSplit{0, all};
    return sharding;
  }

  FailureOr<OpSharding> getSharding(Operation *operation, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t pieces, std::string &reason) const {
    auto op = cast<AddOp>(operation);
    if (auto sharding = shareRepetitions(op, ofResult, number, cut))
      return *sharding;
    int64_t rows = tensorDim(op.getA(), 0), repeated = tensorDim(op.getB(), 0);
    Factor byRow = Factor().add(op.getAMutable(), 0).add(op.getY(), 0);
    Factor byColumn = Factor()
                          .add(op.getAMutable(), 1)
                          .add(op.getBMutable(), 1)
                          .add(op.getY(), 1);
    if (rows == repeated)
      byRow.add(op.getBMutable(), 0);
    else if (repeated != 1 && !llvm::all_of(cut.cut.blocks, [&](int64_t block) {
               return block % (pieces * repeated) == 0;
             }))
      return shareFactor(op, {byColumn}, ofResult, number, cut, reason);
    return shareFactor(op, {byRow, byColumn}, ofResult, number, cut, reason);
  }
};

/// A joined x has the columns of gate and up in separate blocks.
struct ShareGatedActivation
    : ShardableOpInterface::ExternalModel<ShareGatedActivation,
                                          GatedActivationOp> {
  FailureOr<OpSharding> getSharding(Operation *operation, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t, std::string &reason) const {
    auto op = cast<GatedActivationOp>(operation);
    Factor rows, columns;
    rows.add(op.getXMutable(), 0).add(op.getUpMutable(), 0).add(op.getY(), 0);
    columns.add(op.getXMutable(), 1)
        .add(op.getUpMutable(), 1)
        .add(op.getY(), 1);
    FailureOr<OpSharding> sharding =
        shareFactor(op, {rows, columns}, ofResult, number, cut, reason);
    if (failed(sharding) || op.getUp() || cut.dim == 0)
      return sharding;
    int64_t size = tensorDim(op.getX(), 1) / 2;
    Cut half = cut.cut;
    if (!ofResult) {
      std::optional<SmallVector<Cut>> halves = splitPieces(half, {size, size});
      std::optional<Cut> both =
          halves ? (*halves)[0].refine((*halves)[1]) : std::nullopt;
      if (!both)
        return refuse(reason, "gate and up are sharded differently");
      half = *both;
    }
    sharding->results[0]->cut = half;
    sharding->operands[0]->cut = joinPieces({half, half});
    return sharding;
  }
};

/// Ranks have different masks, since their elements are different ones.
struct ShareDropout
    : ShardableOpInterface::ExternalModel<ShareDropout, DropoutOp> {
  FailureOr<OpSharding> getSharding(Operation *operation, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t, std::string &reason) const {
    auto op = cast<DropoutOp>(operation);
    return shareFactor(
        op, {Factor().add(op.getXMutable(), cut.dim).add(op.getY(), cut.dim)},
        ofResult, number, cut, reason);
  }
  SmallVector<Value> buildPart(Operation *operation, OpBuilder &builder,
                               ValueRange operands, TypeRange results,
                               const OpSharding &sharding,
                               const AxisRanks &axis) const {
    auto op = cast<DropoutOp>(operation);
    SmallVector<Value> own(operands);
    if (op.getSeed())
      own[1] = varySeed(builder, op.getLoc(), own[1], axis);
    return cloneOnParts(builder, op, own, results);
  }

  /// The distance between the seeds of ranks along an axis: a power of the odd
  /// number nearest to 2^64 divided by the golden ratio. It differs by axis:
  /// otherwise ranks (0, 1) and (1, 0) would have the same seed, and mask.
  static int64_t getSeedStep(int16_t axis) {
    constexpr uint64_t golden = 0x9E3779B97F4A7C15u;
    uint64_t step = golden;
    for (int16_t i = 0; i < axis; ++i)
      step *= golden;
    return static_cast<int64_t>(step);
  }

  static Value varySeed(OpBuilder &builder, Location loc, Value seed,
                        const AxisRanks &axis) {
    auto type = cast<RankedTensorType>(seed.getType());
    Value rank = tensor::CollapseShapeOp::create(
        builder, loc, type,
        createRankIndex(builder, loc, axis.grid, axis.axis, axis.ranks),
        ArrayRef<ReassociationIndices>{});
    return Formula(builder, loc)
        .map("", type.getElementType(), {{seed, ""}, {rank, ""}},
             [&](Scalars &s, ValueRange x) -> Value {
               Value step = s.integer(x[1], getSeedStep(axis.axis));
               Value apart =
                   arith::MulIOp::create(s.builder, s.loc, x[1], step);
               return arith::AddIOp::create(s.builder, s.loc, x[0], apart);
             });
  }
};

struct ShareSplit : ShardableOpInterface::ExternalModel<ShareSplit, SplitOp> {
  FailureOr<OpSharding> getSharding(Operation *operation, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t, std::string &reason) const {
    auto op = cast<SplitOp>(operation);
    return sharePieces(op, /*wholeIsResult=*/false, op.getAxis(), ofResult,
                       number, cut, reason);
  }
};

} // namespace

void mlir::te::registerShardableOpExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TEDialect *) {
    MatmulOp::attachInterface<ShareMatmul>(*context);
    ExpertMatmulOp::attachInterface<ShareExpertMatmul>(*context);
    LayerNormOp::attachInterface<ShareLayerNorm>(*context);
    RMSNormOp::attachInterface<ShareRMSNorm>(*context);
    ActivationOp::attachInterface<ShareActivation>(*context);
    GatedActivationOp::attachInterface<ShareGatedActivation>(*context);
    EmbeddingOp::attachInterface<ShareEmbedding>(*context);
    CountLabelsOp::attachInterface<ShareCountLabels>(*context);
    CrossEntropyOp::attachInterface<ShareCrossEntropy>(*context);
    SquaredErrorOp::attachInterface<ShareSquaredError>(*context);
    ShiftLabelsOp::attachInterface<ShareShiftLabels>(*context);
    RopeOp::attachInterface<ShareRope>(*context);
    ScanOp::attachInterface<ShareScan>(*context);
    CausalConvOp::attachInterface<ShareCausalConv>(*context);
    AttentionOp::attachInterface<ShareAttention>(*context);
    AddOp::attachInterface<ShareAdd>(*context);
    SplitOp::attachInterface<ShareSplit>(*context);
    DropoutOp::attachInterface<ShareDropout>(*context);
  });
  registerShardableTensorExternalModels(registry);
  registerShardableCollectiveExternalModels(registry);
}
