// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/CollectiveOps.h"

#include "OpMethods.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

static Value isClass(Scalars &s, Value id, int64_t classes) {
  return s.both(
      s.compareInts(arith::CmpIPredicate::sge, id, s.integer(id, 0)),
      s.compareInts(arith::CmpIPredicate::slt, id, s.integer(id, classes)));
}

/// Whether `id` is one of the rank's `count` of the `classes`.
static Value isOwn(Scalars &s, Value id, Value rank, int64_t count,
                   int64_t classes) {
  Value of = arith::DivSIOp::create(s.builder, s.loc, id, s.integer(id, count));
  return s.both(isClass(s, id, classes),
                s.compareInts(arith::CmpIPredicate::eq, of, rank));
}

/// The number of a class among its rank's.
static Value getPlace(Scalars &s, Value id, int64_t count) {
  return arith::RemSIOp::create(s.builder, s.loc, id, s.integer(id, count));
}

static Value createIndexOf(OpBuilder &builder, Location loc, Type element,
                           StringRef grid, ArrayRef<shard::GridAxis> axes,
                           int64_t ranks) {
  SmallVector<Attribute> numbers;
  for (int64_t rank = 0; rank < ranks; ++rank)
    numbers.push_back(builder.getIntegerAttr(element, rank));
  auto all = RankedTensorType::get({ranks}, element);
  Value constant = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(all, numbers));
  return shard::AllSliceOp::create(builder, loc, all.clone({1}), constant, grid,
                                   axes, /*sliceAxis=*/0);
}

Value mlir::te::createRankIndex(OpBuilder &builder, Location loc,
                                StringRef grid, ArrayRef<shard::GridAxis> axes,
                                int64_t ranks) {
  return createIndexOf(builder, loc, builder.getI64Type(), grid, axes, ranks);
}

Value mlir::te::createVocabularyRows(OpBuilder &builder, Location loc,
                                     Value ids, Value table, int64_t classes,
                                     StringRef grid,
                                     ArrayRef<shard::GridAxis> axes,
                                     int64_t ranks) {
  Formula f(builder, loc);
  RankedTensorType idsType = tensorType(ids), tableType = tensorType(table);
  int64_t count = tableType.getDimSize(0);
  Value rank =
      createIndexOf(builder, loc, idsType.getElementType(), grid, axes, ranks);
  // Another rank's id reads some row; what is no id at all stays as it is, for
  // te.embedding to refuse it.
  Value own = f.map("m", idsType.getElementType(), {{ids, "m"}},
                    [&](Scalars &s, ValueRange x) {
                      return s.select(isClass(s, x[0], classes),
                                      getPlace(s, x[0], count), x[0]);
                    });
  auto type =
      RankedTensorType::get({idsType.getDimSize(0), tableType.getDimSize(1)},
                            tableType.getElementType());
  Value rows = EmbeddingOp::create(builder, loc, type, own, table);
  return f.map("mn", type.getElementType(),
               {{rows, "mn"}, {ids, "m"}, {rank, "0"}},
               [&](Scalars &s, ValueRange x) {
                 return s.select(isOwn(s, x[1], x[2], count, classes), x[0],
                                 s.number(0));
               });
}

/// Of the loss and of its gradient.
template <typename Op> static LogicalResult verifyVocabulary(Op op) {
  RankedTensorType logits = tensorType(op.getLogits());
  int64_t rows = logits.getDimSize(0);
  if (failed(verifyShape(op, "labels", op.getLabels(), {rows})) ||
      failed(verifyShape(op, "lse", op.getLse(), {rows})))
    return failure();
  if (op.getClasses() < 1)
    return op.emitOpError() << "expects classes";
  if (std::optional<uint64_t> own = op.getRankClasses();
      own && (*own < 1 || *own > uint64_t(logits.getDimSize(1))))
    return op.emitOpError() << "expects rank_classes to be some of the "
                            << logits.getDimSize(1) << " columns, not " << *own;
  return verifyLossTerms([&] { return op.emitOpError(); }, /*labelSmoothing=*/0,
                         op.getZLoss().convertToDouble());
}

LogicalResult VocabularyCrossEntropyOp::verify() {
  return verifyVocabulary(*this);
}

LogicalResult VocabularyCrossEntropyGradOp::verify() {
  return verifyVocabulary(*this);
}

namespace {
/// What loss and gradient are made of.
template <typename Op> class VocabularyLoss {
public:
  VocabularyLoss(OpBuilder &builder, Op op)
      : f(builder, op.getLoc()), builder(builder), op(op) {}

  LogicalResult initialize() {
    auto grid = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(
        op, op.getGridAttr());
    if (!grid || llvm::any_of(op.getGridAxes(), [&](int16_t axis) {
          return axis < 0 || axis >= int16_t(grid.getRank());
        }))
      return op.emitOpError() << "is on '" << op.getGrid()
                              << "', which is no shard.grid with these axes";
    for (int16_t axis : op.getGridAxes())
      ranks *= grid.getShape()[axis];
    columns = tensorType(op.getLogits()).getDimSize(1);
    count = op.getRankClasses().value_or(columns);
    if (count * ranks < int64_t(op.getClasses()))
      return op.emitOpError() << "has " << count << " classes for each of "
                              << ranks << " ranks, which are too few for "
                              << op.getClasses() << " classes";
    rank = createIndexOf(builder, op.getLoc(),
                         tensorType(op.getLabels()).getElementType(),
                         op.getGrid(), op.getGridAxes(), ranks);
    return success();
  }

  /// The labels as the rank's logits have them: `elsewhere` for other ranks'
  /// classes, -1 for rows that do not count, and a column that is not there for
  /// what is no class.
  Value localLabels(int64_t elsewhere) {
    return f.map("m", tensorType(op.getLabels()).getElementType(),
                 {{op.getLabels(), "m"}, {rank, "0"}},
                 [&](Scalars &s, ValueRange x) {
                   Value label = x[0];
                   Value own = isOwn(s, label, x[1], count, op.getClasses());
                   Value place = getPlace(s, label, count);
                   Value known = isClass(s, label, op.getClasses());
                   Value other = s.select(known, s.integer(label, elsewhere),
                                          s.integer(label, columns));
                   Value local = s.select(own, place, other);
                   Value isIgnored =
                       s.compareInts(arith::CmpIPredicate::eq, label,
                                     s.integer(label, op.getIgnoreIndex()));
                   return s.select(isIgnored, s.integer(label, -1), local);
                 });
  }

  /// Whether the row counts and its label is the rank's (or: another's).
  Value isRow(Scalars &s, Value label, Value rankIndex, bool own) {
    Value isOwnLabel = isOwn(s, label, rankIndex, count, op.getClasses());
    if (!own)
      isOwnLabel = arith::XOrIOp::create(s.builder, s.loc, isOwnLabel,
                                         s.integer(isOwnLabel, 1));
    Value counts = s.compareInts(arith::CmpIPredicate::ne, label,
                                 s.integer(label, op.getIgnoreIndex()));
    return s.both(counts, isOwnLabel);
  }

  /// log(Σ exp) of what the ranks have for a row.
  Value joinLse(Value own) {
    int64_t rows = tensorType(own).getDimSize(0);
    Value all = shard::AllGatherOp::create(
        builder, op.getLoc(), tensorType(own).clone({ranks * rows}),
        op.getGrid(), op.getGridAxes(), own, APInt(64, 0));
    SmallVector<Term> parts;
    for (int64_t i = 0; i < ranks; ++i)
      parts.push_back({f.slice(all, /*dim=*/0, i * rows, rows), "m"});
    return f.map("m", builder.getF32Type(), parts,
                 [](Scalars &s, ValueRange x) {
                   Value largest = x[0], sum;
                   for (Value other : x.drop_front())
                     largest = s.max(largest, other);
                   for (Value lse : x) {
                     Value term = s.call<math::ExpOp>(s.sub(lse, largest));
                     sum = sum ? s.add(sum, term) : term;
                   }
                   return s.add(largest, s.call<math::LogOp>(sum));
                 });
  }

  Formula f;
  OpBuilder &builder;
  Op op;
  /// The columns of the rank's logits, and how many of them may be classes.
  int64_t columns = 0, count = 0;
  int64_t ranks = 1;
  Value rank;
};
} // namespace

/// The gradient of `loss`, or of some of its rows.
static Value createGradient(OpBuilder &builder, VocabularyCrossEntropyOp loss,
                            Value dloss, Value logits, Value labels,
                            Value lse) {
  return VocabularyCrossEntropyGradOp::create(
      builder, loss.getLoc(), logits.getType(), dloss, logits, labels, lse,
      loss.getGridAttr(), loss.getGridAxesAttr(), loss.getClassesAttr(),
      loss.getRankClassesAttr(), loss.getIgnoreIndexAttr(),
      loss.getZLossAttr());
}

unsigned VocabularyCrossEntropyOp::getLogitsOperand() {
  return getLogitsMutable().getOperandNumber();
}

SmallVector<unsigned> VocabularyCrossEntropyOp::getRowOperands() {
  return {getLabelsMutable().getOperandNumber()};
}

Value VocabularyCrossEntropyOp::matchGradient(Operation *user,
                                              std::string &reason) {
  auto grad = dyn_cast<VocabularyCrossEntropyGradOp>(user);
  if (!grad)
    return {};
  if (grad.getLabels() != getLabels() || grad.getLse() != getLse())
    reason = "the gradient of its logits takes the sums of another loss";
  else if (grad.getGridAttr() != getGridAttr() ||
           grad.getGridAxesAttr() != getGridAxesAttr() ||
           grad.getClassesAttr() != getClassesAttr() ||
           grad.getRankClassesAttr() != getRankClassesAttr())
    reason = "the gradient of its logits is that of other classes";
  else if (grad.getIgnoreIndex() != getIgnoreIndex())
    reason = "the gradient of its logits ignores another label";
  else if (grad.getZLossAttr() != getZLossAttr())
    reason = "the gradient of its logits has another z_loss";
  return reason.empty() ? grad.getDlogits() : Value();
}

SmallVector<Value> VocabularyCrossEntropyOp::buildShared(OpBuilder &) {
  return {};
}

std::pair<Value, Value>
VocabularyCrossEntropyOp::buildPart(OpBuilder &builder, Operation *gradient,
                                    Value logits, ValueRange rows,
                                    ValueRange shared, Value loss) {
  Value labels = rows[0];
  auto part = VocabularyCrossEntropyOp::create(
      builder, getLoc(), getLoss().getType(),
      tensorType(getLse()).clone({tensorType(labels).getDimSize(0)}), logits,
      labels, getGridAttr(), getGridAxesAttr(), getClassesAttr(),
      getRankClassesAttr(), getIgnoreIndexAttr(), getZLossAttr());
  Value dloss = cast<VocabularyCrossEntropyGradOp>(gradient).getDloss();
  return {createGradient(builder, *this, dloss, logits, labels, part.getLse()),
          arith::AddFOp::create(builder, getLoc(), loss, part.getLoss())};
}

/// The gradient needs the sums of all ranks, so the logits are read twice.
Work VocabularyCrossEntropyOp::getPartWork(RankedTensorType logits) {
  Work work;
  work.kernel = "cross_entropy_grad";
  work.bytes = 3 * getBytes(logits);
  return work;
}

LogicalResult
VocabularyCrossEntropyOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                   const llvm::BitVector &needed,
                                   MutableArrayRef<Value> operands) {
  if (failed(onlyCotangentOf(*this, getLoss(), cotangents)))
    return failure();
  if (!needed[0])
    return success();
  Value dloss = convertElementType(builder, getLoc(), cotangents[0],
                                   builder.getF32Type());
  operands[0] =
      createGradient(builder, *this, dloss, getLogits(), getLabels(), getLse());
  return success();
}

SmallVector<unsigned> VocabularyCrossEntropyGradOp::getComputeResults() {
  return {0};
}

LogicalResult
mlir::te::expandVocabularyCrossEntropyGrad(VocabularyCrossEntropyGradOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  VocabularyLoss loss(builder, op);
  if (failed(loss.initialize()))
    return failure();
  // Rows with another rank's label have a label here, column 0, whose gradient
  // is computed anew.
  RankedTensorType type = tensorType(op.getLogits());
  auto columnType =
      RankedTensorType::get({type.getDimSize(0), 1}, type.getElementType());
  SmallVector<OpFoldResult> offsets(2, builder.getIndexAttr(0)),
      strides(2, builder.getIndexAttr(1)),
      sizes = getAsIndexOpFoldResult(op.getContext(), columnType.getShape());
  Value before = sliceDim(builder, loc, op.getLogits(), /*dim=*/1, /*first=*/0,
                          /*size=*/1);
  Value dloss = op.getDloss();
  Value one = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(tensorType(dloss), 1.0f));
  Value gradient = CrossEntropyGradOp::create(
      builder, loc, type, dloss, op.getLogits(), loss.localLabels(0),
      op.getLse(),
      /*count=*/one, builder.getI64IntegerAttr(-1),
      ReductionAttr::get(op.getContext(), Reduction::Sum),
      builder.getF32FloatAttr(0), op.getZLossAttr());
  Value column = sliceDim(builder, loc, gradient, /*dim=*/1, /*first=*/0,
                          /*size=*/1);
  double zLoss = op.getZLoss().convertToDouble();
  Value corrected = loss.f.map(
      "mc", type.getElementType(),
      {{column, "mc"},
       {before, "mc"},
       {op.getLse(), "m"},
       {op.getLabels(), "m"},
       {dloss, ""},
       {loss.rank, "0"}},
      [&](Scalars &s, ValueRange x) {
        Value p = s.call<math::ExpOp>(s.sub(x[1], x[2]));
        if (zLoss != 0)
          p = s.mul(p, s.add(s.mul(x[2], s.number(2 * zLoss)), s.number(1)));
        return s.select(loss.isRow(s, x[3], x[5], /*own=*/false),
                        s.mul(p, x[4]), x[0]);
      });
  Value dlogits = tensor::InsertSliceOp::create(
      builder, loc, corrected, gradient, offsets, sizes, strides);
  op.getDlogits().replaceAllUsesWith(dlogits);
  op.erase();
  return success();
}

LogicalResult
mlir::te::expandVocabularyCrossEntropy(VocabularyCrossEntropyOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  VocabularyLoss loss(builder, op);
  if (failed(loss.initialize()))
    return failure();
  auto own =
      CrossEntropyOp::create(builder, loc, op.getLogits(), loss.localLabels(-1),
                             /*ignoreIndex=*/-1, Reduction::Sum);
  Value lse = loss.joinLse(own.getLse());
  // What the rank's rows lack: their lse is that of the rank's classes.
  double zLoss = op.getZLoss().convertToDouble();
  RankedTensorType rows = tensorType(lse);
  Value missing =
      loss.f.map("m", builder.getF32Type(),
                 {{lse, "m"},
                  {own.getLse(), "m"},
                  {op.getLabels(), "m"},
                  {loss.rank, "0"}},
                 [&](Scalars &s, ValueRange x) {
                   Value difference = s.sub(x[0], x[1]);
                   if (zLoss != 0)
                     difference = s.add(
                         difference, s.mul(s.mul(x[0], x[0]), s.number(zLoss)));
                   return s.select(loss.isRow(s, x[2], x[3], /*own=*/true),
                                   difference, s.number(0));
                 });
  Value matrix = tensor::ExpandShapeOp::create(
      builder, loc, rows.clone({rows.getDimSize(0), 1}), missing,
      ArrayRef<ReassociationIndices>{{0, 1}});
  Value sum = ColumnSumOp::create(builder, loc, rows.clone({1}), matrix);
  Value correction = tensor::CollapseShapeOp::create(
      builder, loc, rows.clone(ArrayRef<int64_t>()), sum,
      ArrayRef<ReassociationIndices>{});
  Value terms = arith::AddFOp::create(builder, loc, own.getLoss(), correction);
  op.getLoss().replaceAllUsesWith(terms);
  op.getLse().replaceAllUsesWith(lse);
  op.erase();
  return success();
}
