// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/VocabularyOps.h"

#include "OpMethods.h"
#include "Verification.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// Builds kernels of rows: of operands [M], or [M,N] with vectors repeated
/// along N, with the rank's index as a last operand [1].
struct RowKernel {
  OpBuilder &builder;
  Location loc;

  using Body = function_ref<Value(OpBuilder &, ValueRange)>;

  Value build(RankedTensorType type, ArrayRef<Value> rows, Value rank,
              Body body) {
    unsigned loops = type.getRank();
    AffineExpr row = builder.getAffineDimExpr(0);
    AffineMap own = builder.getMultiDimIdentityMap(loops);
    AffineMap vector = AffineMap::get(loops, 0, row, builder.getContext());
    AffineMap scalar = AffineMap::get(
        loops, 0, builder.getAffineConstantExpr(0), builder.getContext());
    SmallVector<Value> inputs(rows);
    SmallVector<AffineMap> maps;
    for (Value input : rows)
      maps.push_back(unsigned(tensorType(input).getRank()) == loops ? own
                                                                    : vector);
    if (rank) {
      inputs.push_back(rank);
      maps.push_back(scalar);
    }
    maps.push_back(own);
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                          type.getElementType());
    SmallVector<utils::IteratorType> iterators(loops,
                                               utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               builder, loc, type, inputs, ValueRange(empty), maps, iterators,
               [&](OpBuilder &inside, Location, ValueRange arguments) {
                 linalg::YieldOp::create(inside, loc, body(inside, arguments));
               })
        ->getResult(0);
  }

  static Value integer(OpBuilder &inside, Location loc, Type type,
                       int64_t value) {
    return arith::ConstantOp::create(inside, loc,
                                     inside.getIntegerAttr(type, value));
  }
  /// Whether `id`, in [0, classes), is one of the rank's `count`.
  Value isOwn(OpBuilder &inside, Value id, Value rank, int64_t count,
              int64_t classes) {
    Type type = id.getType();
    Value zero = integer(inside, loc, type, 0);
    Value notNegative =
        arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::sge, id, zero);
    Value isClass =
        arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::slt, id,
                              integer(inside, loc, type, classes));
    Value of = arith::DivSIOp::create(inside, loc, id,
                                      integer(inside, loc, type, count));
    Value isRanks =
        arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::eq, of, rank);
    Value both = arith::AndIOp::create(inside, loc, notNegative, isClass);
    return arith::AndIOp::create(inside, loc, both, isRanks);
  }
};
} // namespace

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
  RowKernel kernel{builder, loc};
  RankedTensorType idsType = tensorType(ids), tableType = tensorType(table);
  int64_t count = tableType.getDimSize(0);
  Value rank =
      createIndexOf(builder, loc, idsType.getElementType(), grid, axes, ranks);
  // Another rank's id reads some row; what is no id at all stays as it is, for
  // te.embedding to refuse it.
  Value own = kernel.build(
      idsType, {ids}, {},
      [&](OpBuilder &inside, ValueRange arguments) -> Value {
        Value id = arguments[0];
        Type type = id.getType();
        Value notNegative =
            arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::sge, id,
                                  RowKernel::integer(inside, loc, type, 0));
        Value isClass = arith::CmpIOp::create(
            inside, loc, arith::CmpIPredicate::slt, id,
            RowKernel::integer(inside, loc, type, classes));
        Value place = arith::RemSIOp::create(
            inside, loc, id, RowKernel::integer(inside, loc, type, count));
        Value isId = arith::AndIOp::create(inside, loc, notNegative, isClass);
        return arith::SelectOp::create(inside, loc, isId, place, id);
      });
  auto type =
      RankedTensorType::get({idsType.getDimSize(0), tableType.getDimSize(1)},
                            tableType.getElementType());
  Value rows = EmbeddingOp::create(builder, loc, type, own, table);
  return kernel.build(
      type, {rows, ids}, rank,
      [&](OpBuilder &inside, ValueRange arguments) -> Value {
        Value isOwn =
            kernel.isOwn(inside, arguments[1], arguments[2], count, classes);
        Value zero = arith::ConstantOp::create(
            inside, loc, inside.getZeroAttr(arguments[0].getType()));
        return arith::SelectOp::create(inside, loc, isOwn, arguments[0], zero);
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
      : builder(builder), op(op), kernel{builder, op.getLoc()} {}

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
    Location loc = op.getLoc();
    return kernel.build(
        tensorType(op.getLabels()), {op.getLabels()}, rank,
        [&](OpBuilder &inside, ValueRange arguments) -> Value {
          Value label = arguments[0];
          Type type = label.getType();
          auto number = [&](int64_t value) {
            return RowKernel::integer(inside, loc, type, value);
          };
          auto compare = [&](arith::CmpIPredicate predicate, Value other) {
            return arith::CmpIOp::create(inside, loc, predicate, label, other)
                .getResult();
          };
          Value own =
              kernel.isOwn(inside, label, arguments[1], count, op.getClasses());
          Value place =
              arith::RemSIOp::create(inside, loc, label, number(count));
          Value notNegative = compare(arith::CmpIPredicate::sge, number(0));
          Value isClass =
              compare(arith::CmpIPredicate::slt, number(op.getClasses()));
          Value known =
              arith::AndIOp::create(inside, loc, notNegative, isClass);
          Value other = arith::SelectOp::create(
              inside, loc, known, number(elsewhere), number(columns));
          Value local = arith::SelectOp::create(inside, loc, own, place, other);
          Value isIgnored =
              compare(arith::CmpIPredicate::eq, number(op.getIgnoreIndex()));
          return arith::SelectOp::create(inside, loc, isIgnored, number(-1),
                                         local);
        });
  }

  /// Whether the row counts and its label is the rank's (or: another's).
  Value isRow(OpBuilder &inside, Value label, Value rankIndex, bool own) {
    Location loc = op.getLoc();
    Type type = label.getType();
    Value isOwn =
        kernel.isOwn(inside, label, rankIndex, count, op.getClasses());
    if (!own)
      isOwn = arith::XOrIOp::create(
          inside, loc, isOwn,
          RowKernel::integer(inside, loc, inside.getI1Type(), 1));
    Value counts = arith::CmpIOp::create(
        inside, loc, arith::CmpIPredicate::ne, label,
        RowKernel::integer(inside, loc, type, op.getIgnoreIndex()));
    return arith::AndIOp::create(inside, loc, counts, isOwn);
  }

  /// log(Σ exp) of what the ranks have for a row.
  Value joinLse(Value own) {
    Location loc = op.getLoc();
    int64_t rows = tensorType(own).getDimSize(0);
    Value all = shard::AllGatherOp::create(
        builder, loc, tensorType(own).clone({ranks * rows}), op.getGrid(),
        op.getGridAxes(), own, APInt(64, 0));
    SmallVector<Value> parts;
    for (int64_t i = 0; i < ranks; ++i)
      parts.push_back(sliceDim(builder, loc, all, /*dim=*/0, i * rows, rows));
    return kernel.build(
        tensorType(own), parts, {},
        [&](OpBuilder &inside, ValueRange arguments) -> Value {
          Value largest = arguments[0];
          for (int64_t i = 1; i < ranks; ++i)
            largest =
                arith::MaximumFOp::create(inside, loc, largest, arguments[i]);
          Value sum;
          for (int64_t i = 0; i < ranks; ++i) {
            Value difference =
                arith::SubFOp::create(inside, loc, arguments[i], largest);
            Value term = math::ExpOp::create(inside, loc, difference);
            sum =
                sum ? arith::AddFOp::create(inside, loc, sum, term).getResult()
                    : term;
          }
          Value log = math::LogOp::create(inside, loc, sum);
          return arith::AddFOp::create(inside, loc, largest, log);
        });
  }

  OpBuilder &builder;
  Op op;
  RowKernel kernel;
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
  Value factor =
      tensor::ExpandShapeOp::create(builder, loc, tensorType(dloss).clone({1}),
                                    dloss, ArrayRef<ReassociationIndices>{});
  AffineMap own = builder.getMultiDimIdentityMap(2);
  AffineMap row =
      AffineMap::get(2, 0, builder.getAffineDimExpr(0), op.getContext());
  AffineMap scalar =
      AffineMap::get(2, 0, builder.getAffineConstantExpr(0), op.getContext());
  Value empty = tensor::EmptyOp::create(builder, loc, columnType.getShape(),
                                        columnType.getElementType());
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  double zLoss = op.getZLoss().convertToDouble();
  Value corrected =
      linalg::GenericOp::create(
          builder, loc, columnType,
          ValueRange{column, before, op.getLse(), op.getLabels(), factor,
                     loss.rank},
          ValueRange(empty), {own, own, row, row, scalar, scalar, own},
          iterators,
          [&](OpBuilder &inside, Location, ValueRange arguments) {
            Type f32 = inside.getF32Type(), element = arguments[0].getType();
            auto number = [&](double value) -> Value {
              return arith::ConstantOp::create(inside, loc,
                                               inside.getFloatAttr(f32, value));
            };
            Value logit = arguments[1];
            if (element != f32)
              logit = arith::ExtFOp::create(inside, loc, f32, logit);
            Value difference =
                arith::SubFOp::create(inside, loc, logit, arguments[2]);
            Value p = math::ExpOp::create(inside, loc, difference);
            if (zLoss != 0) {
              Value twice = arith::MulFOp::create(inside, loc, arguments[2],
                                                  number(2 * zLoss));
              Value slope =
                  arith::AddFOp::create(inside, loc, twice, number(1));
              p = arith::MulFOp::create(inside, loc, p, slope);
            }
            Value slope = arith::MulFOp::create(inside, loc, p, arguments[4]);
            if (element != f32)
              slope = arith::TruncFOp::create(inside, loc, element, slope);
            Value isOther = loss.isRow(inside, arguments[3], arguments[5],
                                       /*own=*/false);
            Value result = arith::SelectOp::create(inside, loc, isOther, slope,
                                                   arguments[0]);
            linalg::YieldOp::create(inside, loc, result);
          })
          ->getResult(0);
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
  Value missing = loss.kernel.build(
      rows, {lse, own.getLse(), op.getLabels()}, loss.rank,
      [&](OpBuilder &inside, ValueRange arguments) -> Value {
        Value difference =
            arith::SubFOp::create(inside, loc, arguments[0], arguments[1]);
        if (zLoss != 0) {
          Value square =
              arith::MulFOp::create(inside, loc, arguments[0], arguments[0]);
          Value factor = arith::ConstantOp::create(
              inside, loc, inside.getF32FloatAttr(zLoss));
          Value term = arith::MulFOp::create(inside, loc, square, factor);
          difference = arith::AddFOp::create(inside, loc, difference, term);
        }
        Value isOwn = loss.isRow(inside, arguments[2], arguments[3],
                                 /*own=*/true);
        Value zero =
            arith::ConstantOp::create(inside, loc, inside.getF32FloatAttr(0));
        return arith::SelectOp::create(inside, loc, isOwn, difference, zero);
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

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TEVocabularyOps.cpp.inc"
