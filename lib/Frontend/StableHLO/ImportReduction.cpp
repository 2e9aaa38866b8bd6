// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions: sums, maxima, minima, logical and and or, positions of maxima,
// and cumulative sums.

#include "ModuleImporter.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

namespace {
enum class Combiner { Sum, Max, Min, And, Or };
} // namespace

/// The function of a region of two arguments and one operation on them.
static std::optional<Combiner> getCombiner(Region &region) {
  if (!region.hasOneBlock() || region.getNumArguments() != 2)
    return std::nullopt;
  Block &block = region.front();
  if (llvm::range_size(block) != 2)
    return std::nullopt;
  Operation &op = block.front(), &end = block.back();
  auto isArguments = [&](OperandRange operands) {
    return operands.size() == 2 && operands[0] != operands[1] &&
           llvm::is_contained(block.getArguments(), operands[0]) &&
           llvm::is_contained(block.getArguments(), operands[1]);
  };
  if (op.getNumResults() != 1 || !isArguments(op.getOperands()) ||
      end.getNumOperands() != 1 || end.getOperand(0) != op.getResult(0))
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
  if (!type || TypeRange(region.getArgumentTypes()) != TypeRange{type, type})
    return std::nullopt;
  bool truths = type.getElementType().isInteger(1);
  StringRef name = op.getName().getStringRef();
  if (name == "stablehlo.add")
    return truths ? Combiner::Or : Combiner::Sum;
  if (name == "stablehlo.maximum")
    return truths ? Combiner::Or : Combiner::Max;
  if (name == "stablehlo.minimum")
    return truths ? Combiner::And : Combiner::Min;
  if (name == "stablehlo.and" && truths)
    return Combiner::And;
  if (name == "stablehlo.or" && truths)
    return Combiner::Or;
  return std::nullopt;
}

/// True if an initial value is neutral.
static bool isNeutral(Combiner combiner, const ConstantTensor *start,
                      Type element) {
  std::optional<double> number = start ? start->getSplat() : std::nullopt;
  if (!number)
    return false;
  double limit = std::numeric_limits<double>::infinity();
  bool isLowest = *number == -limit, isHighest = *number == limit;
  if (auto type = dyn_cast<IntegerType>(element)) {
    unsigned width = type.getWidth();
    int64_t value = start->isInt() ? start->toInts().front() : 0;
    isLowest = APInt::getSignedMinValue(width).getSExtValue() == value;
    isHighest = APInt::getSignedMaxValue(width).getSExtValue() == value;
  }
  switch (combiner) {
  case Combiner::Sum:
  case Combiner::Or:
    return *number == 0;
  case Combiner::And:
    return *number == 1;
  case Combiner::Max:
    return isLowest;
  case Combiner::Min:
    return isHighest;
  }
  llvm_unreachable("all combiners are handled");
}

static Value reduceValue(TensorMath &math, Value x, Combiner combiner,
                         const llvm::SmallBitVector &dims) {
  Type element = tensorType(x).getElementType();
  switch (combiner) {
  case Combiner::Sum:
    return math.convert(math.reduce(ReductionKind::Sum, x, dims), element);
  case Combiner::Max:
    return math.convert(math.reduce(ReductionKind::Max, x, dims), element);
  case Combiner::Min:
    return math.convert(math.reduce(ReductionKind::Min, x, dims), element);
  case Combiner::And:
  case Combiner::Or:
    break;
  }
  // Booleans are reduced as numbers, if there is anything to reduce.
  bool trivial = true;
  SmallVector<int64_t> kept;
  for (auto [dim, size] : llvm::enumerate(tensorType(x).getShape())) {
    if (!dims.test(dim))
      kept.push_back(size);
    else
      trivial &= size == 1;
  }
  if (trivial)
    return math.reshape(x, kept);
  Type i32 = IntegerType::get(x.getContext(), 32);
  Value y = math.reduce(combiner == Combiner::And ? ReductionKind::Min
                                                  : ReductionKind::Max,
                        math.convert(x, i32), dims);
  return math.convert(y, element);
}

/// The dimensions that a reduction of `shape` to `result` removes.
static std::optional<llvm::SmallBitVector>
getReduced(const HloOp &op, ArrayRef<int64_t> shape, ArrayRef<int64_t> result) {
  auto dimensions = op.getInts("dimensions");
  if (!dimensions || !areDimensions(*dimensions, shape.size()))
    return std::nullopt;
  llvm::SmallBitVector dims(shape.size());
  for (int64_t dim : *dimensions)
    dims.set(dim);
  SmallVector<int64_t> kept;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!dims.test(dim))
      kept.push_back(size);
  if (ArrayRef<int64_t>(kept) != result)
    return std::nullopt;
  return dims;
}

//===----------------------------------------------------------------------===//
// Positions of extrema
//===----------------------------------------------------------------------===//

/// True if a region on pairs (x, i) computes from their order alone: its
/// results for every order of two pairs then determine it.
static bool dependsOnOrder(Region &region) {
  Block &block = region.front();
  for (Operation &op : block) {
    StringRef name = op.getName().getStringRef();
    bool isLast = &op == &block.back();
    if (!isLast && name != "stablehlo.compare" && name != "stablehlo.select" &&
        name != "stablehlo.or" && name != "stablehlo.and" &&
        name != "stablehlo.not")
      return false;
    if (op.getNumRegions() != 0)
      return false;
    for (Value operand : op.getOperands())
      if (operand.getParentRegion() != &region)
        return false;
  }
  return true;
}

/// True if a region on two pairs selects the larger (smaller) first element,
/// and of equal ones the one with the smaller second element.
static bool choosesFirst(ModuleImporter &importer, Region &region,
                         bool largest) {
  auto x = cast<RankedTensorType>(region.getArgument(0).getType());
  auto i = cast<RankedTensorType>(region.getArgument(1).getType());
  for (int a : {0, 1, 2})
    for (int p : {0, 1, 2}) {
      // (a, p) against (1, 1)
      auto splat = [](double value, RankedTensorType type) {
        return ConstantTensor::splat(
            ConstantTensor::getKind(type.getElementType()), value,
            type.getShape());
      };
      SmallVector<Definition> arguments{splat(a, x), splat(p, i), splat(1, x),
                                        splat(1, i)},
          results;
      if (failed(importer.importRegion(region, arguments, results)) ||
          results.size() != 2)
        return false;
      bool isBetter = largest ? a > 1 : a < 1;
      bool takesFirst = isBetter || (a == 1 && p < 1);
      int wanted[] = {takesFirst ? a : 1, takesFirst ? p : 1};
      for (auto [result, number] : llvm::zip(results, wanted)) {
        auto *constant = std::get_if<ConstantTensor>(&result);
        if (!constant || constant->getSplat() != double(number))
          return false;
      }
    }
  return true;
}

/// The largest or smallest element along a dimension and its position, which
/// comes from a second operand, an iota.
static LogicalResult importExtremum(ModuleImporter &importer, const HloOp &op) {
  auto reason = "it reduces several tensors at once, and not to the position "
                "of a maximum or minimum";
  Region &region = op->getRegion(0);
  auto x = op.getOperandType(0), i = op.getOperandType(1);
  auto scalar = [](RankedTensorType type) {
    return type.clone(ArrayRef<int64_t>());
  };
  Type types[] = {scalar(x), scalar(i), scalar(x), scalar(i)};
  auto dims = getReduced(op, x.getShape(), op.getShape());
  const ConstantTensor *positions = importer.getConstant(op, 1);
  if (x.getShape() != i.getShape() || !dims || dims->count() != 1 ||
      op.getType(1).getShape() != op.getShape() || !positions ||
      !positions->isInt() || isa<IntegerType>(x.getElementType()) ||
      !ModuleImporter::isBlockOf(region, types) || !dependsOnOrder(region))
    return importer.unsupported(op, reason);
  int64_t dim = dims->find_first(), size = x.getDimSize(dim);
  // The second operand counts along the dimension.
  for (int64_t other = 0; other < i.getRank(); ++other)
    if (positions->getStrides()[other] != 0 && other != dim)
      return importer.unsupported(op, reason);
  for (int64_t at = 0; at < size; ++at)
    if (positions->at(at * positions->getStrides()[dim]).integer != at)
      return importer.unsupported(op, reason);
  bool largest = choosesFirst(importer, region, true);
  if (!largest && !choosesFirst(importer, region, false))
    return importer.unsupported(op, reason);
  if (!isNeutral(largest ? Combiner::Max : Combiner::Min,
                 importer.getConstant(op, 2), x.getElementType()))
    return importer.unsupported(op, reason);
  Value value = importer.getValue(op, 0);
  if (!value)
    return failure();
  TensorMath math(importer, op.getLoc());
  importer.defineAt(
      op, 0,
      reduceValue(math, value, largest ? Combiner::Max : Combiner::Min, *dims));
  // Exactly one element of the dimension sorts before all others.
  Value rank = math.rank(value, dim, largest);
  Value isFirst = math.compare(arith::CmpIPredicate::eq, rank,
                               math.number(tensorType(rank), 0));
  Value position = math.select(isFirst, math.iota(x.getShape(), dim),
                               math.number(tensorType(rank), 0));
  position = math.reduce(ReductionKind::Sum, position, *dims);
  importer.defineAt(op, 1, math.convert(position, i.getElementType()));
  return success();
}

static LogicalResult importReduce(ModuleImporter &importer, const HloOp &op) {
  if (op->getNumRegions() != 1 || op->getNumOperands() < 2 ||
      op->getNumOperands() != 2 * op->getNumResults())
    return importer.unsupported(op, "it is not a reduction");
  if (op->getNumResults() == 2)
    return importExtremum(importer, op);
  std::optional<Combiner> combiner =
      op->getNumResults() == 1 ? getCombiner(op->getRegion(0)) : std::nullopt;
  if (!combiner)
    return importer.unsupported(op, "it combines elements otherwise than by a "
                                    "sum, maximum, minimum, 'and' or 'or'");
  auto type = op.getOperandType(0);
  auto dims = getReduced(op, type.getShape(), op.getShape());
  if (!dims || type.getElementType() != op.getType().getElementType() ||
      op->getOperand(1).getType() != type.clone(ArrayRef<int64_t>()))
    return importer.unsupported(op, "its dimensions do not fit its operand");
  if (!isNeutral(*combiner, importer.getConstant(op, 1), type.getElementType()))
    return importer.unsupported(op, "it starts from a value that counts");
  TensorMath math(importer, op.getLoc());
  Value value = importer.getValue(op, 0);
  if (!value)
    return failure();
  return importer.define(op, reduceValue(math, value, *combiner, *dims));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Sums up to every position of a dimension are windows of its size with
/// padding on one side.
static LogicalResult importReduceWindow(ModuleImporter &importer,
                                        const HloOp &op) {
  auto reason = "only sums up to every position of a dimension (cumsum) are "
                "supported";
  if (op->getNumRegions() != 1 || op->getNumOperands() != 2 ||
      op->getNumResults() != 1 || op->getOperand(0).getType() != op.getType() ||
      getCombiner(op->getRegion(0)) != Combiner::Sum)
    return importer.unsupported(op, reason);
  RankedTensorType type = op.getType();
  auto window = op.getInts("window_dimensions"),
       padding = op.getInts("padding");
  size_t rank = type.getRank();
  auto areOnes = [&](StringRef name) {
    auto list = op.getInts(name);
    return !op.getAttr(name) ||
           (list && llvm::all_of(*list, [](int64_t n) { return n == 1; }));
  };
  if (!window || window->size() != rank || !padding ||
      padding->size() != 2 * rank || !areOnes("window_strides") ||
      !areOnes("base_dilations") || !areOnes("window_dilations") ||
      !isNeutral(Combiner::Sum, importer.getConstant(op, 1),
                 type.getElementType()))
    return importer.unsupported(op, reason);
  std::optional<int64_t> along;
  bool reverse = false;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t size = type.getDimSize(dim), before = (*padding)[2 * dim],
            after = (*padding)[2 * dim + 1];
    if ((*window)[dim] == 1 && before == 0 && after == 0)
      continue;
    bool isSum = (*window)[dim] == size && before + after == size - 1 &&
                 (before == 0 || after == 0);
    if (along || !isSum)
      return importer.unsupported(op, reason);
    along = dim;
    reverse = before == 0;
  }
  Value x = importer.getValue(op, 0);
  if (!x)
    return failure();
  TensorMath math(importer, op.getLoc());
  return importer.define(
      op, along ? math.cumulativeSum(x, *along, false, reverse) : x);
}

void mlir::te::stablehlo_import::populateReductionHandlers(
    HandlerTable &table) {
  table["stablehlo.reduce"] = importReduce;
  table["stablehlo.reduce_window"] = importReduceWindow;
}
