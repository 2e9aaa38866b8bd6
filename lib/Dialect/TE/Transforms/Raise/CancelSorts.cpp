// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes products of experts on rows as they were before they were sorted by
// expert, so that the sort and its inverse are no part of the program.

#include "Raise/IntegerSorts.h"
#include "Raise/Matchers.h"
#include "Raise/Raise.h"

#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/DeadOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// Values whose slices along a dimension `dim` are those of others in another
/// order: slice i is slice order[i] of `before`, a value of the same type.
class MovedRows {
public:
  struct Moved {
    Value before;
    int64_t dim;
  };

  MovedRows(ConstantEvaluator &evaluator, int64_t rows)
      : evaluator(evaluator), rows(rows) {}

  void add(Value value, Value before, int64_t dim) {
    moved[value] = {before, dim};
  }
  const Moved *find(Value value) const {
    auto it = moved.find(value);
    return it == moved.end() ? nullptr : &it->second;
  }
  /// Whether a value is the order itself.
  bool isOrder(Value value) {
    const Moved *known = find(value);
    return known && isPosition(evaluator, known->before, known->dim);
  }
  /// Adds the result of an op that treats each row alike, with the same op on
  /// rows that were not moved.
  bool carry(Operation *op);
  /// The result of an op that sums over rows, by the same op on rows that were
  /// not moved; null if it does anything else.
  Value sum(Operation *op);

private:
  bool isUniform(Value value, int64_t dim, unsigned depth = 0) const;
  std::optional<int64_t> getResultDim(Operation *op) const;
  std::optional<int64_t> getReshapedDim(Operation *op, int64_t dim) const;
  std::optional<unsigned> getRowLoop(linalg::LinalgOp op) const;
  Operation *clone(Operation *op);

  ConstantEvaluator &evaluator;
  const int64_t rows;
  llvm::DenseMap<Value, Moved> moved;
};
} // namespace

/// Whether all slices of a value along a dimension are equal.
bool MovedRows::isUniform(Value value, int64_t dim, unsigned depth) const {
  if (getRepeatedElement(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || depth > 8)
    return false;
  if (isa<tensor::EmptyOp, linalg::FillOp>(op))
    return true;
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op))
    return llvm::is_contained(broadcast.getDimensions(), dim);
  if (op->hasTrait<OpTrait::Elementwise>())
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return isa<RankedTensorType>(operand.getType()) &&
             isUniform(operand, dim, depth + 1);
    });
  return false;
}

/// The dimension of a reshape's result that holds dimension `dim` of its
/// operand and nothing else.
std::optional<int64_t> MovedRows::getReshapedDim(Operation *op,
                                                 int64_t dim) const {
  // The dimension of one that a group has, if all others are 1.
  auto only = [&](ArrayRef<int64_t> shape,
                  ArrayRef<int64_t> group) -> std::optional<int64_t> {
    std::optional<int64_t> found;
    for (int64_t at : group)
      if (shape[at] != 1) {
        if (found)
          return std::nullopt;
        found = at;
      }
    return found;
  };
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return only(expand.getType().getShape(),
                expand.getReassociationIndices()[dim]);
  auto collapse = cast<tensor::CollapseShapeOp>(op);
  for (auto [result, group] :
       llvm::enumerate(collapse.getReassociationIndices()))
    if (llvm::is_contained(group, dim))
      return only(collapse.getSrcType().getShape(), group)
                 ? std::optional<int64_t>(result)
                 : std::nullopt;
  return std::nullopt;
}

/// The loop of a structured op over the rows of all of its operands that have
/// any; nullopt if rows are not treated alike.
std::optional<unsigned> MovedRows::getRowLoop(linalg::LinalgOp op) const {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1)
    return std::nullopt;
  std::optional<unsigned> loop;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [operand, map] : llvm::zip(op->getOperands(), maps))
    if (const Moved *known = find(operand)) {
      auto dim = dyn_cast<AffineDimExpr>(map.getResult(known->dim));
      if (!dim || (loop && *loop != dim.getPosition()))
        return std::nullopt;
      loop = dim.getPosition();
    }
  if (!loop)
    return std::nullopt;
  for (auto [operand, map] : llvm::zip(op->getOperands(), maps)) {
    const Moved *known = find(operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (expr.isFunctionOfDim(*loop) &&
          (known ? int64_t(dim) != known->dim
                 : !isa<AffineDimExpr>(expr) || !isUniform(operand, dim)))
        return std::nullopt;
  }
  for (linalg::IndexOp index : op.getBlock()->getOps<linalg::IndexOp>())
    if (index.getDim() == *loop)
      return std::nullopt;
  return loop;
}

/// The dimension of an op's result that has a row for each of its operands'.
std::optional<int64_t> MovedRows::getResultDim(Operation *op) const {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  const Moved *first = find(op->getOperand(0));
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return first ? getReshapedDim(op, first->dim) : std::nullopt;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!first || slice.getSourceType().getRank() != slice.getType().getRank())
      return std::nullopt;
    const int64_t dim = first->dim;
    return slice.getStaticOffsets()[dim] == 0 &&
                   slice.getStaticSizes()[dim] == rows &&
                   slice.getStaticStrides()[dim] == 1
               ? std::optional(dim)
               : std::nullopt;
  }
  if (auto lookup = dyn_cast<EmbeddingOp>(op))
    return first && !find(lookup.getTable()) ? std::optional<int64_t>(0)
                                             : std::nullopt;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    std::optional<unsigned> loop = getRowLoop(structured);
    if (!loop || structured.getIteratorTypesArray()[*loop] !=
                     utils::IteratorType::parallel)
      return std::nullopt;
    std::optional<int64_t> dim;
    for (auto [at, expr] :
         llvm::enumerate(structured.getIndexingMapsArray().back().getResults()))
      if (expr.isFunctionOfDim(*loop)) {
        if (dim || !isa<AffineDimExpr>(expr))
          return std::nullopt;
        dim = at;
      }
    return dim;
  }
  auto concat = dyn_cast<tensor::ConcatOp>(op);
  const bool isElementwise =
      op->hasTrait<OpTrait::Elementwise>() || isa<AddOp>(op) ||
      (isa<ActivationOp>(op) && op->getNumOperands() == 1);
  if (!concat && !isElementwise)
    return std::nullopt;
  std::optional<int64_t> dim;
  for (Value operand : op->getOperands())
    if (const Moved *known = find(operand)) {
      if (dim && *dim != known->dim)
        return std::nullopt;
      dim = known->dim;
    }
  // te.add may repeat rows.
  if (!dim || (concat && int64_t(concat.getDim()) == *dim) ||
      tensorDim(op->getResult(0), *dim) != rows)
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (!find(operand) &&
        (!isa<RankedTensorType>(operand.getType()) ||
         (tensorDim(operand, *dim) != 1 && !isUniform(operand, *dim))))
      return std::nullopt;
  return dim;
}

namespace {
/// Numbers that count to `size`, each `inner` times, over and over.
struct Repetition {
  int64_t outer, size, inner;
};
} // namespace

static std::optional<Repetition> getRepetition(const Elements &ids,
                                               int64_t rows, int64_t size) {
  if (size <= 0 || rows % size)
    return std::nullopt;
  for (Repetition form :
       {Repetition{1, size, rows / size}, Repetition{rows / size, size, 1}}) {
    bool is = true;
    for (int64_t i = 0; is && i < rows; ++i)
      is = ids.at(i).integer == i / form.inner % size;
    if (is)
      return form;
  }
  return std::nullopt;
}

/// A lookup of every row of its table as often, in a fixed order.
static Value buildRepeatedRows(OpBuilder &builder, EmbeddingOp op,
                               Repetition form) {
  Location loc = op.getLoc();
  RankedTensorType type = tensorType(op.getY());
  if (form.outer == 1 && form.inner == 1)
    return op.getTable();
  const int64_t columns = type.getDimSize(1);
  const bool isOuter = form.outer > 1;
  SmallVector<int64_t> shape{form.size, form.inner, columns};
  if (isOuter)
    shape = {form.outer, form.size, columns};
  Value init =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  Value repeated = linalg::BroadcastOp::create(builder, loc, op.getTable(),
                                               init, {isOuter ? 0 : 1})
                       ->getResult(0);
  return tensor::CollapseShapeOp::create(
      builder, loc, type, repeated,
      ArrayRef<ReassociationIndices>{{0, 1}, {2}});
}

/// A sum of rows by position, of which each gets as many, in a fixed order.
static Value buildSummedRows(OpBuilder &builder, const PositionSum &op,
                             Repetition form) {
  Location loc = op.y.getLoc();
  RankedTensorType type = tensorType(op.y);
  const int64_t columns = type.getDimSize(2);
  if (form.outer == 1 && form.inner == 1)
    return op.x;
  Value x = reshapeTo(builder, loc, op.x,
                      {form.outer, form.size, form.inner, columns});
  const bool isOuter = form.outer > 1;
  SmallVector<int64_t> shape{form.size, form.inner, columns};
  if (isOuter)
    shape = {form.outer, form.size, columns};
  x = reshapeTo(builder, loc, x, shape);
  RankedTensorType result = type.clone({form.size, columns});
  Value zeros =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(result));
  MLIRContext *context = builder.getContext();
  AffineMap all = AffineMap::getMultiDimIdentityMap(3, context);
  auto parallel = utils::IteratorType::parallel,
       reduction = utils::IteratorType::reduction;
  SmallVector<utils::IteratorType> loops{parallel, reduction, parallel};
  if (isOuter)
    loops = {reduction, parallel, parallel};
  auto sum = linalg::GenericOp::create(
      builder, loc, result, x, zeros, {all, all.dropResult(isOuter ? 0 : 1)},
      loops, [](OpBuilder &inside, Location loc, ValueRange arguments) {
        Value y;
        if (isa<FloatType>(arguments[0].getType()))
          y = arith::AddFOp::create(inside, loc, arguments[1], arguments[0]);
        else
          y = arith::AddIOp::create(inside, loc, arguments[1], arguments[0]);
        linalg::YieldOp::create(inside, loc, y);
      });
  return reshapeTo(builder, loc, sum.getResult(0), type.getShape());
}

/// The op on rows that were not moved.
Operation *MovedRows::clone(Operation *op) {
  OpBuilder builder(op);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (const Moved *known = find(operand))
      mapping.map(operand, known->before);
  return builder.clone(*op, mapping);
}

bool MovedRows::carry(Operation *op) {
  std::optional<int64_t> dim = getResultDim(op);
  if (!dim)
    return false;
  Operation *copy = clone(op);
  Value before = copy->getResult(0);
  OpBuilder builder(op);
  if (isa<IntegerType>(getElementTypeOrSelf(before))) {
    // Numbers that no longer depend on the order are known.
    DenseElementsAttr data = evaluator.get(before);
    if (data && (data.isSplat() || !isa<linalg::BroadcastOp>(op)))
      before = arith::ConstantOp::create(builder, op->getLoc(), data);
    // In any order, equal numbers are the same.
    if (data && data.isSplat()) {
      op->getResult(0).replaceAllUsesWith(before);
      return true;
    }
    if (auto sum = PositionSum::get(copy);
        sum && !sum->scatters && isPosition(evaluator, sum->ids, 1) &&
        tensorType(sum->x) == tensorType(before))
      before = sum->x;
  }
  if (auto lookup = dyn_cast<EmbeddingOp>(copy)) {
    auto ids = evaluator.getElements(lookup.getIds());
    std::optional<Repetition> form;
    if (ids)
      form = getRepetition(*ids, rows, tensorDim(lookup.getTable(), 0));
    if (form)
      before = buildRepeatedRows(builder, lookup, *form);
  }
  add(op->getResult(0), before, *dim);
  return true;
}

/// Whether a kernel adds a term to its sum, and the old sum is no part of it.
static bool addsTerms(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  Value old = body.getArguments().back();
  Operation *sum = body.getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_present<arith::AddFOp, arith::AddIOp>(sum) &&
         old.hasOneUse() && *old.getUsers().begin() == sum &&
         sum->getResult(0).hasOneUse();
}

Value MovedRows::sum(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return {};
  std::optional<unsigned> loop = getRowLoop(structured);
  if (!loop || structured.getNumDpsInits() != 1 ||
      structured.getIteratorTypesArray()[*loop] !=
          utils::IteratorType::reduction ||
      !addsTerms(structured))
    return {};
  Operation *copy = clone(op);
  auto sum = PositionSum::get(copy);
  if (!sum || !sum->scatters || tensorDim(sum->x, 0) != 1)
    return copy->getResult(0);
  // Ids may differ from column to column.
  Value ids = getVectorAlong(sum->ids, 1);
  auto elements = ids ? evaluator.getElements(ids) : nullptr;
  std::optional<Repetition> form;
  if (elements)
    form = getRepetition(*elements, rows, tensorDim(copy->getResult(0), 1));
  OpBuilder builder(op);
  return form ? buildSummedRows(builder, *sum, *form) : copy->getResult(0);
}

namespace {
/// What one sort moves, in the ops behind it.
class CancelledSort {
public:
  CancelledSort(const IntegerSort &sort, ConstantEvaluator &evaluator);
  void run();

private:
  Value foldRepeated(Operation *op);
  void visit(Operation *op);
  bool moveProduct(ExpertMatmulOp op);

  IntegerSort sort;
  ConstantEvaluator &evaluator;
  /// Rows in the order of the sort, and numbers in the order of its inverse.
  MovedRows sorted, placed;
  /// The order, [1, rows, 1].
  Value order;
};
} // namespace

CancelledSort::CancelledSort(const IntegerSort &sort,
                             ConstantEvaluator &evaluator)
    : sort(sort), evaluator(evaluator), sorted(evaluator, sort.rows),
      placed(evaluator, sort.rows) {
  OpBuilder builder(sort.places.getDefiningOp());
  SmallVector<int64_t> numbers =
      llvm::to_vector(llvm::seq<int64_t>(0, sort.rows));
  Value positions = arith::ConstantOp::create(
      builder, sort.places.getLoc(),
      DenseIntElementsAttr::get(
          tensorType(sort.places).clone(builder.getI64Type()),
          ArrayRef(numbers)));
  placed.add(sort.places, positions, 1);
}

/// A product of sorted rows with their experts' matrices, as sorted rows of the
/// product.
bool CancelledSort::moveProduct(ExpertMatmulOp op) {
  const MovedRows::Moved *a = sorted.find(op.getA()),
                         *groups = sorted.find(op.getGroups());
  if (op.getRole() != MatmulRole::Fprop || op.getAlignment() != 1 || !order ||
      !a || a->dim != 0 || !groups)
    return false;
  OpBuilder builder(op);
  IRMapping mapping;
  mapping.map(op.getA(), a->before);
  mapping.map(op.getGroups(), groups->before);
  Value product = builder.clone(*op, mapping)->getResult(0);
  Value ids = reshapeTo(builder, op.getLoc(), order, {sort.rows});
  Value y = EmbeddingOp::create(builder, op.getLoc(), op.getD().getType(), ids,
                                product);
  op.getD().replaceAllUsesWith(y);
  sorted.add(y, product, 0);
  return true;
}

/// What an op computes of numbers that no longer depend on any order: checks
/// that positions are inside a table choose between rows and NaNs.
Value CancelledSort::foldRepeated(Operation *op) {
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto condition = dyn_cast_or_null<IntegerAttr>(
        getRepeatedElement(select.getCondition()));
    if (!condition)
      return {};
    return condition.getValue().isZero() ? select.getFalseValue()
                                         : select.getTrueValue();
  }
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumOperands() == 0 ||
      !isa<IntegerType>(getElementTypeOrSelf(op->getResult(0))) ||
      !llvm::all_of(op->getOperands(), getRepeatedElement))
    return {};
  DenseElementsAttr data = evaluator.get(op->getResult(0));
  if (!data || !data.isSplat() || !isa<RankedTensorType>(data.getType()))
    return {};
  OpBuilder builder(op);
  return arith::ConstantOp::create(builder, op->getLoc(), data);
}

void CancelledSort::visit(Operation *op) {
  if (op->getNumResults() != 1)
    return;
  Value result = op->getResult(0);
  OpBuilder builder(op);
  if (Value same = foldRepeated(op)) {
    result.replaceAllUsesWith(same);
    return;
  }
  // The places of a permutation's numbers are those numbers.
  if (std::optional<IntegerSort> other = IntegerSort::get(op);
      other && !other->largest && sorted.isOrder(other->keys)) {
    Value numbers = other->keys;
    if (!getElementTypeOrSelf(numbers).isInteger(64))
      numbers = arith::ExtSIOp::create(builder, op->getLoc(), result.getType(),
                                       numbers);
    result.replaceAllUsesWith(numbers);
    if (numbers.getDefiningOp() && !sorted.find(numbers))
      sorted.carry(numbers.getDefiningOp());
    return;
  }
  if (auto sum = PositionSum::get(op); sum && sum->scatters) {
    if (skipReshapes(sum->ids) == skipReshapes(sort.places) &&
        tensorShape(sum->ids) == tensorShape(sum->x) &&
        tensorShape(sum->ids) == tensorShape(result)) {
      sorted.add(result, sum->x, 1);
      if (!order && isPosition(evaluator, sum->x, 1))
        order = result;
      return;
    }
    // Numbers in order that move to the places of the order are its inverse.
    if (sorted.isOrder(sum->ids) && isPosition(evaluator, sum->x, 1) &&
        tensorShape(sum->x) == tensorShape(sort.places) &&
        tensorShape(result) == tensorShape(sort.places)) {
      Value numbers = sort.places;
      if (!getElementTypeOrSelf(result).isInteger(64)) {
        numbers = arith::TruncIOp::create(builder, op->getLoc(),
                                          result.getType(), numbers);
        placed.carry(numbers.getDefiningOp());
      }
      result.replaceAllUsesWith(numbers);
      return;
    }
  }
  if (auto lookup = dyn_cast<EmbeddingOp>(op)) {
    const MovedRows::Moved *table = sorted.find(lookup.getTable());
    if (table && table->dim == 0 && placed.isOrder(lookup.getIds())) {
      result.replaceAllUsesWith(table->before);
      return;
    }
  }
  if (auto product = dyn_cast<ExpertMatmulOp>(op)) {
    moveProduct(product);
    return;
  }
  for (MovedRows *rows : {&sorted, &placed}) {
    if (rows->carry(op))
      return;
    if (Value sum = rows->sum(op)) {
      result.replaceAllUsesWith(sum);
      return;
    }
  }
}

void CancelledSort::run() {
  SmallVector<Operation *> behind;
  for (Operation *op = sort.places.getDefiningOp()->getNextNode(); op;
       op = op->getNextNode())
    behind.push_back(op);
  for (Operation *op : behind)
    visit(op);
}

void mlir::te::cancelSorts(Operation *root) {
  root->walk([&](func::FuncOp function) {
    if (function.isExternal())
      return;
    Block &block = function.getBody().front();
    auto getSorts = [&] {
      SmallVector<IntegerSort> sorts;
      for (Operation &op : block)
        if (auto sort = IntegerSort::get(&op); sort && sort->rows > 1)
          sorts.push_back(*sort);
      return sorts;
    };
    if (getSorts().empty() || block.getOps<ExpertMatmulOp>().empty())
      return;
    // Sorts of the same numbers are one.
    SmallVector<IntegerSort> sorts;
    for (IntegerSort sort : getSorts()) {
      auto *same = llvm::find_if(sorts, [&](const IntegerSort &other) {
        return skipReshapes(other.keys) == skipReshapes(sort.keys) &&
               other.largest == sort.largest;
      });
      if (same == sorts.end())
        sorts.push_back(sort);
      else
        sort.places.replaceAllUsesWith(same->places);
    }
    for (const IntegerSort &sort : sorts) {
      ConstantEvaluator evaluator;
      CancelledSort(sort, evaluator).run();
    }
    eraseDeadOps(block);
  });
}
