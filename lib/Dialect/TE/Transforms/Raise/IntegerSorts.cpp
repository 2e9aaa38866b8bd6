// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/IntegerSorts.h"

#include "Raise/Matchers.h"

#include "te/Support/SkipOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Kernels of four loops
//===----------------------------------------------------------------------===//

using LoopNumbers = ArrayRef<unsigned>;

/// A kernel of three parallel loops and one that reduces, whose operands have
/// these loops as their dimensions, and which starts from zeros.
static linalg::GenericOp getPairKernel(Operation *op,
                                       ArrayRef<LoopNumbers> maps) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || generic.getNumLoops() != 4 || generic.getNumResults() != 1 ||
      !generic.hasPureTensorSemantics() ||
      generic->getNumOperands() != maps.size() ||
      generic.getNumReductionLoops() != 1 ||
      generic.getIteratorTypesArray().back() !=
          utils::IteratorType::reduction ||
      !tensorType(generic.getResult(0)).hasStaticShape())
    return {};
  for (auto [map, labels] : llvm::zip(generic.getIndexingMapsArray(), maps)) {
    if (map.getNumResults() != labels.size())
      return {};
    for (auto [expr, label] : llvm::zip(map.getResults(), labels))
      if (expr != getAffineDimExpr(label, op->getContext()))
        return {};
  }
  DenseIntElementsAttr zeros;
  Value init = generic.getOutputs().front();
  bool isZeros = isa<FloatType>(getElementTypeOrSelf(init))
                     ? isZero(init)
                     : matchPattern(init, m_Constant(&zeros)) &&
                           zeros.isSplat() &&
                           zeros.getSplatValue<APInt>().isZero();
  return isZeros ? generic : linalg::GenericOp();
}

/// The term that a kernel adds to its sum; null if it does more or less.
static Value getTerm(linalg::GenericOp op) {
  Block &body = *op.getBody();
  Operation *sum = body.getTerminator()->getOperand(0).getDefiningOp();
  Value old = body.getArguments().back();
  if (!isa_and_present<arith::AddFOp, arith::AddIOp>(sum) || !old.hasOneUse())
    return {};
  if (sum->getOperand(0) == old)
    return sum->getOperand(1);
  return sum->getOperand(1) == old ? sum->getOperand(0) : Value();
}

/// The loop that a value in a kernel counts, perhaps as an integer.
static std::optional<unsigned> getLoop(Value value) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index ? std::optional<unsigned>(index.getDim()) : std::nullopt;
}

static arith::CmpIOp findComparison(Value value,
                                    arith::CmpIPredicate predicate) {
  auto op = value.getDefiningOp<arith::CmpIOp>();
  return op && op.getPredicate() == predicate ? op : arith::CmpIOp();
}

static bool areOperands(Operation *op, Value a, Value b) {
  return (op->getOperand(0) == a && op->getOperand(1) == b) ||
         (op->getOperand(0) == b && op->getOperand(1) == a);
}

/// Zero as an integer or a float.
static bool isZeroScalar(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

namespace {
/// A kernel that counts, for each number of [o, n, p], those along dimension 1
/// that are in front of it when they are sorted.
struct Ranking {
  Value keys, places;
  bool largest;
};
} // namespace

/// Whether an op compares integers or floats so.
static bool compares(Operation *op, arith::CmpIPredicate integers,
                     arith::CmpFPredicate floats) {
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return compare.getPredicate() == integers;
  auto compare = dyn_cast_or_null<arith::CmpFOp>(op);
  return compare && compare.getPredicate() == floats;
}

static std::optional<Ranking> getRanking(Operation *op) {
  linalg::GenericOp kernel =
      getPairKernel(op, {{0, 1, 2}, {0, 3, 2}, {0, 1, 2}});
  if (!kernel || kernel.getInputs()[0] != kernel.getInputs()[1] ||
      !getElementTypeOrSelf(kernel.getResult(0)).isInteger(64))
    return std::nullopt;
  Value term = getTerm(kernel);
  auto one = term ? term.getDefiningOp<arith::ExtUIOp>() : arith::ExtUIOp();
  auto either =
      one ? one.getIn().getDefiningOp<arith::OrIOp>() : arith::OrIOp();
  if (!either || !either.getType().isInteger(1))
    return std::nullopt;
  Block &body = *kernel.getBody();
  Value own = body.getArgument(0), other = body.getArgument(1);
  for (auto [a, b] : {std::pair(either.getLhs(), either.getRhs()),
                      std::pair(either.getRhs(), either.getLhs())}) {
    Operation *before = a.getDefiningOp();
    auto both = b.getDefiningOp<arith::AndIOp>();
    if (!both ||
        !compares(before, arith::CmpIPredicate::sgt,
                  arith::CmpFPredicate::OGT) ||
        !areOperands(before, own, other))
      continue;
    for (auto [c, d] : {std::pair(both.getLhs(), both.getRhs()),
                        std::pair(both.getRhs(), both.getLhs())}) {
      Operation *equal = c.getDefiningOp();
      arith::CmpIOp earlier = findComparison(d, arith::CmpIPredicate::ult);
      if (compares(equal, arith::CmpIPredicate::eq,
                   arith::CmpFPredicate::OEQ) &&
          earlier && areOperands(equal, own, other) &&
          getLoop(earlier.getLhs()) == 3 && getLoop(earlier.getRhs()) == 1)
        return Ranking{kernel.getInputs().front(), kernel.getResult(0),
                       before->getOperand(0) == other};
    }
  }
  return std::nullopt;
}

std::optional<IntegerSort> IntegerSort::get(Operation *op) {
  std::optional<Ranking> ranking = getRanking(op);
  if (!ranking || !isa<IntegerType>(getElementTypeOrSelf(ranking->keys)))
    return std::nullopt;
  ArrayRef<int64_t> shape = tensorShape(ranking->places);
  if (shape[0] != 1 || shape[2] != 1)
    return std::nullopt;
  return IntegerSort{ranking->keys, ranking->places, shape[1],
                     ranking->largest};
}

bool mlir::te::sortsAlongRows(Operation *op) {
  return getRanking(op).has_value();
}

std::optional<PositionSum> PositionSum::get(Operation *op) {
  bool scatters = true;
  linalg::GenericOp kernel =
      getPairKernel(op, {{0, 3, 2}, {0, 3, 2}, {0, 1, 2}});
  if (!kernel) {
    scatters = false;
    kernel = getPairKernel(op, {{0, 1, 2}, {0, 3, 2}, {0, 1, 2}});
  }
  Value term = kernel ? getTerm(kernel) : Value();
  auto select = term ? term.getDefiningOp<arith::SelectOp>() : nullptr;
  if (!select || !isZeroScalar(select.getFalseValue()) ||
      select.getTrueValue() != kernel.getBody()->getArgument(1))
    return std::nullopt;
  arith::CmpIOp here =
      findComparison(select.getCondition(), arith::CmpIPredicate::eq);
  const unsigned position = scatters ? 1 : 3;
  Value id = kernel.getBody()->getArgument(0);
  if (!here || !((here.getLhs() == id && getLoop(here.getRhs()) == position) ||
                 (here.getRhs() == id && getLoop(here.getLhs()) == position)))
    return std::nullopt;
  return PositionSum{kernel.getInputs()[0], kernel.getInputs()[1],
                     kernel.getResult(0), scatters};
}

Value mlir::te::getCumulativeSum(Operation *op) {
  linalg::GenericOp kernel = getPairKernel(op, {{0, 3, 2}, {0, 1, 2}});
  Value term = kernel ? getTerm(kernel) : Value();
  auto select = term ? term.getDefiningOp<arith::SelectOp>() : nullptr;
  if (!select || !isZeroScalar(select.getFalseValue()) ||
      select.getTrueValue() != kernel.getBody()->getArgument(0))
    return {};
  arith::CmpIOp counts =
      findComparison(select.getCondition(), arith::CmpIPredicate::ule);
  return counts && getLoop(counts.getLhs()) == 3 &&
                 getLoop(counts.getRhs()) == 1
             ? kernel.getInputs().front()
             : Value();
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Of one element of an integer type.
static int64_t getLargest(Type type) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return width == 1 ? 1 : llvm::APInt::getSignedMaxValue(width).getSExtValue();
}

static std::optional<int64_t> getBound(Value value, unsigned depth);

/// Of a kernel's scalar, whose inputs have the bounds of its operands.
static std::optional<int64_t> getScalarBound(linalg::GenericOp kernel,
                                             Value value, unsigned depth) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != kernel.getBody() ||
        argument.getArgNumber() >= kernel.getNumDpsInputs())
      return std::nullopt;
    return getBound(kernel.getInputs()[argument.getArgNumber()], depth + 1);
  }
  if (std::optional<unsigned> loop = getLoop(value))
    return std::max<int64_t>(kernel.getStaticLoopRanges()[*loop], 1) - 1;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.isNonNegative() ? std::optional(number.getSExtValue())
                                  : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto a = getScalarBound(kernel, select.getTrueValue(), depth + 1),
         b = getScalarBound(kernel, select.getFalseValue(), depth + 1);
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
  }
  if (isa<arith::ExtUIOp>(op) &&
      getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
    return 1;
  return std::nullopt;
}

static std::optional<int64_t> getKernelBound(linalg::GenericOp kernel,
                                             unsigned depth) {
  if (kernel.getNumResults() != 1 || !kernel.hasPureTensorSemantics())
    return std::nullopt;
  if (kernel.getNumReductionLoops() == 0)
    return getScalarBound(
        kernel, kernel.getBody()->getTerminator()->getOperand(0), depth);
  Value term = getTerm(kernel);
  DenseIntElementsAttr init;
  if (!term || !matchPattern(kernel.getOutputs().front(), m_Constant(&init)) ||
      !init.isSplat() || !init.getSplatValue<APInt>().isZero())
    return std::nullopt;
  std::optional<int64_t> bound = getScalarBound(kernel, term, depth);
  for (auto [type, size] :
       llvm::zip(kernel.getIteratorTypesArray(), kernel.getStaticLoopRanges()))
    if (bound && type == utils::IteratorType::reduction) {
      int64_t sum;
      bound = llvm::MulOverflow(*bound, size, sum) ? std::nullopt
                                                   : std::optional(sum);
    }
  return bound;
}

static std::optional<int64_t> getBound(Value value, unsigned depth) {
  if (!isa<IntegerType>(getElementTypeOrSelf(value)) || depth > 24)
    return std::nullopt;
  DenseIntElementsAttr data;
  if (matchPattern(value, m_Constant(&data))) {
    int64_t largest = 0;
    const bool isTruth = data.getElementType().isInteger(1);
    for (const APInt &number : data.getValues<APInt>()) {
      if (number.isNegative() && !isTruth)
        return std::nullopt;
      largest = std::max(largest, int64_t(number.getZExtValue()));
    }
    return largest;
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto of = [&](unsigned operand) {
    return getBound(op->getOperand(operand), depth + 1);
  };
  std::optional<int64_t> bound;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp, linalg::BroadcastOp, linalg::TransposeOp,
          arith::ExtSIOp, arith::TruncIOp>(op)) {
    // Truth values are negative as signed numbers.
    if (!isa<arith::ExtSIOp>(op) ||
        !getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
      bound = of(0);
  } else if (isa<arith::ExtUIOp>(op)) {
    bound = getElementTypeOrSelf(op->getOperand(0)).isInteger(1)
                ? std::optional<int64_t>(1)
                : of(0);
  } else if (isa<arith::SelectOp>(op)) {
    auto a = of(1), b = of(2);
    if (a && b)
      bound = std::max(*a, *b);
  } else if (isa<arith::MaxSIOp>(op)) {
    auto a = of(0), b = of(1);
    if (a && b)
      bound = std::max(*a, *b);
    else if (a || b)
      bound = getLargest(value.getType());
  } else if (isa<arith::MinSIOp>(op)) {
    auto a = of(0), b = of(1);
    if (a && b)
      bound = std::min(*a, *b);
  } else if (isa<arith::AddIOp>(op)) {
    auto a = of(0), b = of(1);
    int64_t sum;
    if (a && b && !llvm::AddOverflow(*a, *b, sum))
      bound = sum;
  } else if (auto kernel = dyn_cast<linalg::GenericOp>(op)) {
    bound = getKernelBound(kernel, depth);
  }
  // A sum that wraps around, or a narrower number, may be negative.
  return bound && *bound <= getLargest(value.getType()) ? bound : std::nullopt;
}

std::optional<int64_t> mlir::te::getUpperBound(Value value) {
  return getBound(value, 0);
}

//===----------------------------------------------------------------------===//
// Vectors that tensors repeat
//===----------------------------------------------------------------------===//

/// Looks through repetitions along other dimensions than `dim`, and through
/// reshapes that only add or remove dimensions of size 1; `dim` follows.
static Value skipRepeats(Value value, int64_t &dim) {
  auto find = [](ArrayRef<int64_t> shape, ArrayRef<int64_t> group,
                 int64_t size) -> int64_t {
    int64_t found = -1;
    for (int64_t at : group)
      if (shape[at] == size && (found < 0 || size != 1))
        found = found < 0 ? at : -2;
      else if (shape[at] != 1)
        return -1;
    return found;
  };
  while (true) {
    if (auto broadcast = value.getDefiningOp<linalg::BroadcastOp>()) {
      ArrayRef<int64_t> added = broadcast.getDimensions();
      if (llvm::is_contained(added, dim))
        return value;
      dim -= llvm::count_if(added, [&](int64_t at) { return at < dim; });
      value = broadcast.getInput();
      continue;
    }
    const int64_t size = tensorDim(value, dim);
    if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>()) {
      SmallVector<ReassociationIndices> groups =
          expand.getReassociationIndices();
      auto *group = llvm::find_if(groups, [&](const auto &group) {
        return llvm::is_contained(group, dim);
      });
      if (group == groups.end() ||
          tensorDim(expand.getSrc(), group - groups.begin()) != size)
        return value;
      dim = group - groups.begin();
      value = expand.getSrc();
      continue;
    }
    if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>()) {
      int64_t found = find(collapse.getSrcType().getShape(),
                           collapse.getReassociationIndices()[dim], size);
      if (found < 0)
        return value;
      dim = found;
      value = collapse.getSrc();
      continue;
    }
    return value;
  }
}

Attribute mlir::te::getRepeatedElement(Value value) {
  value = skipOps<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                  linalg::BroadcastOp>(value);
  SplatElementsAttr constant;
  return matchPattern(value, m_Constant(&constant))
             ? constant.getSplatValue<Attribute>()
             : Attribute();
}

bool mlir::te::isPosition(ConstantEvaluator &evaluator, Value value,
                          int64_t dim) {
  value = skipRepeats(value, dim);
  auto elements = evaluator.getElements(value);
  if (!elements || !isa<IntegerType>(getElementTypeOrSelf(value)))
    return false;
  ArrayRef<int64_t> shape = tensorType(value).getShape();
  const int64_t inner = ShapedType::getNumElements(shape.drop_front(dim + 1));
  for (int64_t i = 0, end = ShapedType::getNumElements(shape); i < end; ++i)
    if (elements->at(i).integer != i / inner % shape[dim])
      return false;
  return true;
}

Value mlir::te::getVectorAlong(Value value, int64_t dim) {
  const int64_t size = tensorDim(value, dim);
  value = skipRepeats(value, dim);
  return tensorType(value).getNumElements() == size ? value : Value();
}
