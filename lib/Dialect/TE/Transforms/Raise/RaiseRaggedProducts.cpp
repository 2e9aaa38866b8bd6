// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises products of consecutive groups of rows, each with a matrix of its own,
// to te.expert_matmul: sums over all matrices, for each of which the rows of
// other groups are zero, as JAX writes lax.ragged_dot.

#include "Raise/IntegerSorts.h"
#include "Raise/Matchers.h"
#include "Raise/Raise.h"

#include "te/Analysis/Contraction.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/SkipOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The value of a reshaped or widened integer tensor.
static Value skipReshapesAndExtensions(Value value) {
  return skipOps<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                 arith::ExtSIOp>(value);
}

/// The one integer that a tensor repeats.
static std::optional<int64_t> getIntegerSplat(Value value) {
  auto element = dyn_cast_or_null<IntegerAttr>(getRepeatedElement(value));
  if (!element)
    return std::nullopt;
  return element.getValue().getSExtValue();
}

/// Whether a value is x, perhaps reshaped, compared with a number.
static bool isComparison(Value value, arith::CmpIPredicate predicate, Value x,
                         int64_t number) {
  auto op = skipReshapes(value).getDefiningOp<arith::CmpIOp>();
  return op && op.getPredicate() == predicate &&
         skipReshapesAndExtensions(op.getLhs()) == x &&
         getIntegerSplat(op.getRhs()) == number;
}

/// The numbers that others are when they are less than `count`, where those
/// cannot be negative: what wraps negative ones, or drops those that are too
/// large, leaves the others as they are.
static Value getCheckedNumbers(Value value, int64_t count) {
  while (true) {
    value = skipReshapesAndExtensions(value);
    if (auto largest = value.getDefiningOp<arith::MaxSIOp>()) {
      Value x = largest.getLhs(), limit = largest.getRhs();
      if (!getIntegerSplat(limit))
        std::swap(x, limit);
      std::optional<int64_t> number = getIntegerSplat(limit);
      if (!number || *number > 0 || !getUpperBound(x))
        return value;
      value = x;
      continue;
    }
    auto select = value.getDefiningOp<arith::SelectOp>();
    if (!select)
      return value;
    Value x = skipReshapesAndExtensions(select.getFalseValue());
    if (getUpperBound(x) &&
        isComparison(select.getCondition(), arith::CmpIPredicate::slt, x, 0)) {
      value = x;
      continue;
    }
    x = skipReshapesAndExtensions(select.getTrueValue());
    auto both =
        skipReshapes(select.getCondition()).getDefiningOp<arith::AndIOp>();
    std::optional<int64_t> other = getIntegerSplat(select.getFalseValue());
    if (!both || !other || *other >= 0 ||
        !isComparison(both.getLhs(), arith::CmpIPredicate::sge, x, 0) ||
        !isComparison(both.getRhs(), arith::CmpIPredicate::sle, x, count - 1))
      return value;
    value = x;
  }
}

/// The integers of which `counts[e]` are e; null if it is not known to be such
/// a count.
static Value getCountedNumbers(Value counts) {
  const int64_t count = tensorType(counts).getNumElements();
  counts = skipReshapesAndExtensions(counts);
  if (auto add = counts.getDefiningOp<arith::AddIOp>())
    for (auto [zero, sum] : {std::pair(add.getLhs(), add.getRhs()),
                             std::pair(add.getRhs(), add.getLhs())})
      if (getIntegerSplat(zero) == 0)
        counts = skipReshapesAndExtensions(sum);
  Operation *op = counts.getDefiningOp();
  if (auto sum = op ? PositionSum::get(op) : std::nullopt) {
    if (!sum->scatters || getIntegerSplat(sum->x) != 1 ||
        tensorType(sum->ids).getNumElements() != tensorDim(sum->ids, 1))
      return {};
    return getCheckedNumbers(sum->ids, count);
  }
  // Sums of what equals each number.
  auto sum = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!sum || sum.getNumDpsInputs() != 1 || sum.getNumResults() != 1 ||
      sum.getNumReductionLoops() != 1 || sum.getNumLoops() != 2)
    return {};
  SmallVector<AffineMap> maps = sum.getIndexingMapsArray();
  Block &body = *sum.getBody();
  auto add = dyn_cast<arith::AddIOp>(body.front());
  if (!maps.front().isPermutation() || !add ||
      add->getNextNode() != body.getTerminator() ||
      body.getTerminator()->getOperand(0) != add.getResult() ||
      !llvm::is_contained(add->getOperands(), body.getArgument(0)) ||
      !llvm::is_contained(add->getOperands(), body.getArgument(1)) ||
      getIntegerSplat(sum.getOutputs().front()) != 0)
    return {};
  const unsigned kept =
      cast<AffineDimExpr>(maps.back().getResult(0)).getPosition();
  const int64_t keptDim =
      *maps.front().getResultPosition(getAffineDimExpr(kept, op->getContext()));
  auto truth = sum.getInputs().front().getDefiningOp<arith::ExtUIOp>();
  auto equal = truth ? truth.getIn().getDefiningOp<arith::CmpIOp>() : nullptr;
  if (!equal || equal.getPredicate() != arith::CmpIPredicate::eq)
    return {};
  ConstantEvaluator evaluator;
  for (auto [numbers, positions] :
       {std::pair(equal.getLhs(), equal.getRhs()),
        std::pair(equal.getRhs(), equal.getLhs())}) {
    Value vector = getVectorAlong(numbers, 1 - keptDim);
    if (vector && isPosition(evaluator, positions, keptDim))
      return skipReshapesAndExtensions(vector);
  }
  return {};
}

namespace {
/// Rows of consecutive groups: those of group e are from the sum of the sizes
/// before it to that with its own.
struct Groups {
  Value sizes, ends;
};
} // namespace

/// The sums of sizes whose value before each of theirs `begins` holds.
static bool areBegins(Value begins, Value ends, int64_t count) {
  begins = skipReshapes(begins);
  auto concat = begins.getDefiningOp<tensor::ConcatOp>();
  if (concat && concat.getInputs().size() == 2) {
    Value first = concat.getInputs()[0];
    auto rest = concat.getInputs()[1].getDefiningOp<tensor::ExtractSliceOp>();
    return tensorType(first).getNumElements() == 1 &&
           getIntegerSplat(first) == 0 && rest &&
           tensorType(rest.getResult()).getNumElements() == count - 1 &&
           llvm::all_of(rest.getStaticOffsets(),
                        [](int64_t offset) { return offset == 0; }) &&
           llvm::all_of(rest.getStaticStrides(),
                        [](int64_t stride) { return stride == 1; }) &&
           skipReshapes(rest.getSource()) == ends;
  }
  return false;
}

/// The groups of a mask, [e, p, ...], of the rows p of each group e.
static std::optional<Groups> getGroups(Value mask, int64_t groupDim,
                                       int64_t rowDim) {
  auto both = mask.getDefiningOp<arith::AndIOp>();
  if (!both)
    return std::nullopt;
  ConstantEvaluator evaluator;
  const int64_t count = tensorDim(mask, groupDim);
  Value begins, ends;
  for (Value part : both->getOperands()) {
    auto compare = part.getDefiningOp<arith::CmpIOp>();
    if (!compare)
      return std::nullopt;
    Value limit = compare.getLhs(), position = compare.getRhs();
    arith::CmpIPredicate predicate = compare.getPredicate();
    if (!isPosition(evaluator, position, rowDim)) {
      std::swap(limit, position);
      if (predicate == arith::CmpIPredicate::sgt)
        predicate = arith::CmpIPredicate::slt;
      else if (predicate == arith::CmpIPredicate::slt)
        predicate = arith::CmpIPredicate::sgt;
      else if (predicate == arith::CmpIPredicate::sge)
        predicate = arith::CmpIPredicate::sle;
      else
        return std::nullopt;
    }
    if (!isPosition(evaluator, position, rowDim))
      return std::nullopt;
    Value vector = getVectorAlong(limit, groupDim);
    if (!vector)
      return std::nullopt;
    if (predicate == arith::CmpIPredicate::sle)
      begins = vector;
    else if (predicate == arith::CmpIPredicate::sgt)
      ends = skipReshapes(vector);
    else
      return std::nullopt;
  }
  Operation *op = ends ? ends.getDefiningOp() : nullptr;
  Value sizes = op ? getCumulativeSum(op) : Value();
  if (!begins || !sizes || tensorType(sizes).getNumElements() != count ||
      tensorDim(sizes, 1) != count || !areBegins(begins, ends, count))
    return std::nullopt;
  // With negative sizes groups would overlap.
  std::optional<int64_t> most = getUpperBound(sizes);
  int64_t sum;
  if (!most || llvm::MulOverflow(*most, count, sum) ||
      !APInt(64, sum).isSignedIntN(
          getElementTypeOrSelf(sizes).getIntOrFloatBitWidth()))
    return std::nullopt;
  return Groups{sizes, ends};
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

/// The sorted numbers of rows whose counts the sizes of groups are: row i of
/// all groups is of the group of the i-th. Null if there is no such sort.
static Value getSortedNumbers(OpBuilder &builder, Operation *op, Value sizes,
                              int64_t rows) {
  Value numbers = getCountedNumbers(sizes);
  std::optional<int64_t> most;
  if (numbers)
    most = getUpperBound(numbers);
  if (!most || tensorType(numbers).getNumElements() != rows)
    return {};
  for (Operation &other : *op->getBlock()) {
    if (&other == op)
      break;
    auto sort = IntegerSort::get(&other);
    if (!sort || sort->largest ||
        skipReshapesAndExtensions(sort->keys) != numbers)
      continue;
    // A kernel that moves numbers to their places.
    for (Operation *user = &other; user != op; user = user->getNextNode()) {
      auto sum = PositionSum::get(user);
      if (!sum || !sum->scatters || skipReshapes(sum->ids) != sort->places ||
          tensorShape(sum->x) != tensorShape(sort->places) ||
          !isa<IntegerType>(getElementTypeOrSelf(sum->x)))
        continue;
      builder.setInsertionPoint(user);
      auto moved = tensorType(sum->x);
      auto width = [](Value value) {
        return getElementTypeOrSelf(value).getIntOrFloatBitWidth();
      };
      Value keys = sort->keys;
      if (width(keys) > width(sum->x)) {
        if (!APInt(64, *most).isSignedIntN(width(sum->x)))
          continue;
        keys = arith::TruncIOp::create(builder, user->getLoc(), moved, keys);
      } else if (width(keys) < width(sum->x)) {
        keys = arith::ExtSIOp::create(builder, user->getLoc(), moved, keys);
      }
      IRMapping mapping;
      mapping.map(sum->x, keys);
      Operation *copy = builder.clone(*user, mapping);
      builder.setInsertionPoint(op);
      return reshapeTo(builder, op->getLoc(), copy->getResult(0), {rows});
    }
  }
  return {};
}

/// For each row, the number of groups that end at or before it.
static Value countEnds(OpBuilder &builder, Location loc, Value ends,
                       int64_t rows) {
  MLIRContext *context = builder.getContext();
  Type i64 = builder.getI64Type();
  auto type = RankedTensorType::get({rows}, i64);
  Value zeros =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  AffineExpr row, group;
  bindDims(context, row, group);
  auto op = linalg::GenericOp::create(
      builder, loc, type,
      reshapeTo(builder, loc, ends, tensorType(ends).getNumElements()), zeros,
      {AffineMap::get(2, 0, group, context),
       AffineMap::get(2, 0, row, context)},
      {utils::IteratorType::parallel, utils::IteratorType::reduction},
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        Value index = linalg::IndexOp::create(inside, loc, 0);
        Value at = arith::IndexCastOp::create(inside, loc,
                                              arguments[0].getType(), index);
        Value ended = arith::CmpIOp::create(
            inside, loc, arith::CmpIPredicate::sle, arguments[0], at);
        Value one = arith::ExtUIOp::create(inside, loc, i64, ended);
        Value sum = arith::AddIOp::create(inside, loc, arguments[1], one);
        linalg::YieldOp::create(inside, loc, sum);
      });
  return op.getResult(0);
}

/// Numbers of groups as te.expert_matmul has them: int32, and -1 for rows
/// behind the last of `count` groups.
static Value buildRowExperts(OpBuilder &builder, Location loc, Value numbers,
                             int64_t count) {
  RankedTensorType type = tensorType(numbers);
  auto splat = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(
            type, builder.getIntegerAttr(type.getElementType(), number)));
  };
  Value isGroup = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        numbers, splat(count));
  numbers = arith::SelectOp::create(builder, loc, isGroup, numbers, splat(-1));
  if (type.getElementType().isInteger(32))
    return numbers;
  return arith::TruncIOp::create(builder, loc, type.clone(builder.getI32Type()),
                                 numbers);
}

namespace {
/// A contraction over groups and inputs, of rows that a mask selects and a
/// matrix of each group.
struct RaggedProduct {
  static std::optional<RaggedProduct> get(const Contraction &contraction,
                                          unsigned rowsOperand);

  Value rows, matrices;
  Groups groups;
  bool transposed;
};
} // namespace

std::optional<RaggedProduct> RaggedProduct::get(const Contraction &contraction,
                                                unsigned rowsOperand) {
  const auto &ofRows = contraction.dimensions[rowsOperand],
             &ofMatrices = contraction.dimensions[1 - rowsOperand],
             &ofResult = contraction.dimensions[2];
  if (!contraction.batch.empty() || ofRows.size() != 3 ||
      ofMatrices.size() != 3 || ofResult.size() != 2 ||
      contraction.k.size() != 2)
    return std::nullopt;
  auto select =
      contraction.operands[rowsOperand].getDefiningOp<arith::SelectOp>();
  if (!select || !isZero(select.getFalseValue()) ||
      !isa<RankedTensorType>(select.getCondition().getType()))
    return std::nullopt;
  auto repeated = select.getTrueValue().getDefiningOp<linalg::BroadcastOp>();
  if (!repeated || repeated.getDimensions().size() != 1)
    return std::nullopt;
  const int64_t groupDim = repeated.getDimensions().front();
  const unsigned group = ofRows[groupDim];
  SmallVector<unsigned> own(ofRows);
  own.erase(own.begin() + groupDim);
  if (!llvm::is_contained(contraction.k, group) || ofMatrices[0] != group ||
      ofResult[0] != own[0] || !llvm::is_contained(contraction.k, own[1]) ||
      contraction.loopSizes[group] == 1)
    return std::nullopt;
  const bool transposed = ofMatrices[1] == ofResult[1];
  if (ofMatrices[transposed ? 2 : 1] != own[1])
    return std::nullopt;
  std::optional<Groups> groups =
      getGroups(select.getCondition(), groupDim, groupDim == 0 ? 1 : 0);
  if (!groups)
    return std::nullopt;
  return RaggedProduct{repeated.getInput(),
                       contraction.operands[1 - rowsOperand], *groups,
                       transposed};
}

void mlir::te::raiseRaggedProducts(Operation *root) {
  IRRewriter rewriter(root->getContext());
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    FailureOr<Contraction> contraction = Contraction::get(op);
    if (failed(contraction) || !isZero(contraction->init()))
      continue;
    std::optional<RaggedProduct> product = RaggedProduct::get(*contraction, 0);
    if (!product)
      product = RaggedProduct::get(*contraction, 1);
    if (!product)
      continue;
    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    const int64_t rows = tensorDim(product->rows, 0);
    const int64_t count = tensorDim(product->matrices, 0);
    Value numbers = getSortedNumbers(rewriter, op, product->groups.sizes, rows);
    if (!numbers)
      numbers = countEnds(rewriter, loc, product->groups.ends, rows);
    Value experts = buildRowExperts(rewriter, loc, numbers, count);
    Value b = tensor::CollapseShapeOp::create(
        rewriter, loc, product->matrices,
        ArrayRef<ReassociationIndices>{{0, 1}, {2}});
    auto function = op->getParentOfType<func::FuncOp>();
    remark::passed(loc,
                   remark::RemarkOpts::name("RaggedProduct")
                       .category("te-raise")
                       .function(function ? function.getName() : StringRef()))
        << remark::add(
               "'{0}' is a product of groups of rows with their matrices",
               op->getName().getStringRef());
    rewriter.replaceOpWithNewOp<ExpertMatmulOp>(
        op, tensorType(contraction->init()), product->rows, b, experts,
        /*transpose_b=*/product->transposed, /*alignment=*/1, MatmulRole::Fprop,
        /*input_first=*/false, /*layer=*/StringAttr());
  }
}
