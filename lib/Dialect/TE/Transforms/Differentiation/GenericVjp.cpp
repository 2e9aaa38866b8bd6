// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector-Jacobian product of linalg.generic, from its body.

#include "Differentiation/GenericVjp.h"
#include "Differentiation/ContractionVjp.h"
#include "Differentiation/ScalarAdjoint.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/ScalarBuilder.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::te;

namespace {

/// The product of one op. The adjoint op runs over all of the op's loops, reads
/// the op's inputs and the cotangents, and recomputes the op's body.
class GenericAdjoint {
public:
  GenericAdjoint(linalg::GenericOp op, OpBuilder &builder,
                 ValueRange cotangents)
      : op(op), builder(builder), cotangents(cotangents), loc(op.getLoc()),
        sizes(op.getStaticLoopRanges()) {}

  LogicalResult build(const llvm::BitVector &needed,
                      MutableArrayRef<Value> operandCotangents);

private:
  LogicalResult check();
  LogicalResult buildExtremum(const llvm::BitVector &needed,
                              MutableArrayRef<Value> operandCotangents);
  /// The output of the adjoint op for operand `number`'s cotangent: the loops
  /// that the operand does not have come first, to be summed over.
  struct Destination {
    unsigned number;
    SmallVector<unsigned> summed;
    AffineMap map;
    RankedTensorType type;
  };
  Destination getDestination(unsigned number);
  Value sum(Value value, const Destination &destination);
  void buildBody(OpBuilder &inside, ValueRange arguments,
                 ArrayRef<Destination> destinations);

  RankedTensorType getType(unsigned number) {
    return cast<RankedTensorType>(op->getOperand(number).getType());
  }

  linalg::GenericOp op;
  OpBuilder &builder;
  ValueRange cotangents;
  Location loc;
  SmallVector<int64_t> sizes;
  /// Filled while the body is built: operands that no result depends on, and
  /// those whose cotangent, before it is summed, is that of a result.
  llvm::SmallDenseSet<unsigned> without;
  llvm::SmallDenseMap<unsigned, Value> passedOn;
};

} // namespace

/// The loops are parallel, or sums: the body adds a value to the old one.
LogicalResult GenericAdjoint::check() {
  if (!op.hasPureTensorSemantics() ||
      llvm::any_of(sizes, ShapedType::isDynamic))
    return op.emitOpError() << "has operands of dynamic shape; only static "
                               "shapes are differentiated";
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return op.emitOpError()
             << "has an index map " << AffineMapAttr::get(map)
             << "; operands that are permuted or repeated along whole "
                "dimensions are differentiated";
  for (auto [result, argument] : llvm::enumerate(op.getRegionOutputArgs())) {
    if (argument.use_empty() && op.getNumParallelLoops() == op.getNumLoops())
      continue;
    auto sum = op.getBody()
                   ->getTerminator()
                   ->getOperand(result)
                   .getDefiningOp<arith::AddFOp>();
    if (!sum || !argument.hasOneUse() ||
        !llvm::is_contained(sum->getOperands(), argument))
      return op.emitOpError() << "reduces otherwise than by a sum or an "
                                 "extremum; pointwise ops, "
                                 "sums, maxima and minima are differentiated";
  }
  return success();
}

GenericAdjoint::Destination GenericAdjoint::getDestination(unsigned number) {
  AffineMap map = op.getIndexingMapsArray()[number];
  llvm::SmallBitVector kept(sizes.size());
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      kept.set(dim.getPosition());
  Destination destination{number, {}, map, getType(number)};
  // Every loop is a dimension of the operand.
  if (kept.all() && map.getNumResults() == sizes.size())
    return destination;
  SmallVector<AffineExpr> position;
  SmallVector<int64_t> shape;
  auto append = [&](unsigned loop) {
    position.push_back(builder.getAffineDimExpr(loop));
    shape.push_back(sizes[loop]);
  };
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (!kept.test(loop)) {
      destination.summed.push_back(loop);
      append(loop);
    }
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      append(dim.getPosition());
  destination.map =
      AffineMap::get(sizes.size(), 0, position, builder.getContext());
  destination.type = getType(number).clone(shape);
  return destination;
}

/// Sums over the leading dimensions and reshapes the rest to the operand's
/// shape. As many dimensions at a time are the rows of a matrix as leave it
/// columns enough for a GPU.
Value GenericAdjoint::sum(Value value, const Destination &destination) {
  if (destination.type == getType(destination.number) &&
      destination.summed.empty())
    return value;
  constexpr int64_t kFewColumns = 128;
  for (int64_t left = destination.summed.size(); left > 0;) {
    SmallVector<int64_t> shape(tensorType(value).getShape());
    int64_t rows = 1, columns = ShapedType::getNumElements(shape);
    size_t count = 0;
    do {
      rows *= shape[count];
      columns = ShapedType::getNumElements(ArrayRef(shape).drop_front(++count));
    } while (--left > 0 &&
             ShapedType::getNumElements(
                 ArrayRef(shape).drop_front(count + 1)) >= kFewColumns);
    value = reshapeTo(builder, loc, value, {rows, columns});
    value = ColumnSumOp::create(
        builder, loc, RankedTensorType::get({columns}, builder.getF32Type()),
        value);
    value = reshapeTo(builder, loc, value, ArrayRef(shape).drop_front(count));
  }
  // The remaining dimensions have the operand's elements in order.
  return reshapeTo(builder, loc, value, getType(destination.number).getShape());
}

void GenericAdjoint::buildBody(OpBuilder &inside, ValueRange arguments,
                               ArrayRef<Destination> destinations) {
  IRMapping mapping;
  unsigned numInputs = op.getNumDpsInputs();
  for (unsigned i = 0; i < numInputs; ++i)
    mapping.map(op.getBody()->getArgument(i), arguments[i]);
  // The initial values of sums count as zero: the terms do not depend on them.
  for (BlockArgument old : op.getRegionOutputArgs())
    if (!old.use_empty())
      mapping.map(old,
                  arith::ConstantOp::create(
                      inside, loc, inside.getFloatAttr(old.getType(), 0.0)));
  SmallVector<Operation *> ops;
  for (Operation &inner : op.getBody()->without_terminator())
    ops.push_back(inside.clone(inner, mapping));

  SmallVector<Value> variables;
  for (const Destination &destination : destinations)
    variables.push_back(arguments[destination.number]);
  ScalarAdjoint adjoint(ops, variables);
  unsigned next = numInputs;
  llvm::SmallDenseMap<Value, unsigned> seeds;
  for (auto [i, cotangent] : llvm::enumerate(cotangents)) {
    if (!cotangent)
      continue;
    Value value =
        mapping.lookupOrDefault(op.getBody()->getTerminator()->getOperand(i));
    Value seed = arguments[next++];
    seeds[seed] = i;
    adjoint.add(inside, loc, value,
                convertScalar(inside, loc, seed, value.getType()));
  }
  adjoint.propagate(inside);

  SmallVector<Value> results;
  for (const Destination &destination : destinations) {
    Value input = arguments[destination.number];
    Value derivative = adjoint.lookup(input);
    if (!derivative)
      without.insert(destination.number);
    else if (auto seed = seeds.find(derivative);
             seed != seeds.end() &&
             destination.map ==
                 op.getIndexingMapsArray()[numInputs + seed->second])
      passedOn[destination.number] = cotangents[seed->second];
    if (!derivative)
      derivative = arith::ConstantOp::create(
          inside, loc, inside.getFloatAttr(input.getType(), 0.0));
    results.push_back(derivative);
  }
  linalg::YieldOp::create(inside, loc, results);
}

/// The op that takes the maximum or minimum of an element and the accumulator,
/// if that is all the body does; null otherwise.
static Operation *getExtremum(linalg::GenericOp op) {
  if (op->getNumResults() != 1 || op.getNumDpsInputs() != 1 ||
      op.getNumReductionLoops() == 0)
    return nullptr;
  Operation *yield = op.getBody()->getTerminator();
  Operation *extremum = yield->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                       arith::MinNumFOp>(extremum))
    return nullptr;
  Value element = op.getBody()->getArgument(0),
        old = op.getBody()->getArgument(1);
  auto isElement = [&](Value value) {
    auto widened = value.getDefiningOp<arith::ExtFOp>();
    return value == element || (widened && widened.getIn() == element);
  };
  Value a = extremum->getOperand(0), b = extremum->getOperand(1);
  bool isPlain = (isElement(a) && b == old) || (a == old && isElement(b));
  // Otherwise only the extension of the element.
  unsigned inner = llvm::range_size(op.getBody()->without_terminator());
  return isPlain && inner <= 2 ? extremum : nullptr;
}

/// The elements that are the maximum (or minimum) share the cotangent, as in
/// PyTorch's amax and JAX's max.
LogicalResult
GenericAdjoint::buildExtremum(const llvm::BitVector &needed,
                              MutableArrayRef<Value> operandCotangents) {
  if (needed[1])
    return op.emitOpError() << "takes the extremum of elements and of what it "
                               "starts from; it is differentiated where it "
                               "starts from a constant";
  if (!needed[0])
    return success();
  Value x = op.getDpsInputs()[0], y = op->getResult(0);
  AffineMap xMap = op.getIndexingMapsArray()[0],
            yMap = op.getIndexingMapsArray()[1];
  if (!xMap.isPermutation() || !yMap.isProjectedPermutation())
    return op.emitOpError() << "takes the extremum of elements that it reads "
                               "several times; it is differentiated where it "
                               "reads each of them once";
  Type f32 = builder.getF32Type();
  auto isExtremum = [&](OpBuilder &inside, Value element, Value extremum) {
    Type wide = extremum.getType();
    return arith::CmpFOp::create(inside, loc, arith::CmpFPredicate::OEQ,
                                 convertScalar(inside, loc, element, wide),
                                 extremum);
  };
  auto number = [&](OpBuilder &inside, double value) {
    return arith::ConstantOp::create(inside, loc,
                                     inside.getFloatAttr(f32, value));
  };
  auto countType = cast<RankedTensorType>(y.getType()).clone(f32);
  Value count =
      linalg::GenericOp::create(
          builder, loc, countType, ValueRange{x, y},
          createZeros(builder, loc, countType), {xMap, yMap, yMap},
          op.getIteratorTypesArray(),
          [&](OpBuilder &inside, Location, ValueRange arguments) {
            Value one = arith::SelectOp::create(
                inside, loc, isExtremum(inside, arguments[0], arguments[1]),
                number(inside, 1), number(inside, 0));
            linalg::YieldOp::create(inside, loc,
                                    ValueRange{arith::AddFOp::create(
                                        inside, loc, arguments[2], one)});
          })
          ->getResult(0);
  auto xType = cast<RankedTensorType>(x.getType()).clone(f32);
  Value empty = tensor::EmptyOp::create(builder, loc, xType.getShape(), f32);
  SmallVector<utils::IteratorType> loops(sizes.size(),
                                         utils::IteratorType::parallel);
  operandCotangents[0] =
      linalg::GenericOp::create(
          builder, loc, xType, ValueRange{x, y, count, cotangents[0]}, empty,
          {xMap, yMap, yMap, yMap, xMap}, loops,
          [&](OpBuilder &inside, Location, ValueRange arguments) {
            Value share = arith::DivFOp::create(
                inside, loc, convertScalar(inside, loc, arguments[3], f32),
                arguments[2]);
            linalg::YieldOp::create(
                inside, loc,
                ValueRange{arith::SelectOp::create(
                    inside, loc, isExtremum(inside, arguments[0], arguments[1]),
                    share, number(inside, 0))});
          })
          ->getResult(0);
  return success();
}

LogicalResult GenericAdjoint::build(const llvm::BitVector &needed,
                                    MutableArrayRef<Value> operandCotangents) {
  if (op.hasPureTensorSemantics() &&
      llvm::none_of(sizes, ShapedType::isDynamic) && getExtremum(op))
    return buildExtremum(needed, operandCotangents);
  if (failed(check()))
    return failure();
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<Destination> destinations;
  SmallVector<Value> variables;
  for (unsigned i = 0; i < numInputs; ++i)
    if (needed[i]) {
      if (!isa<RankedTensorType>(op->getOperand(i).getType()))
        return op.emitOpError()
               << "reads a number of type " << op->getOperand(i).getType()
               << " as operand #" << i << "; only tensors have gradients";
      destinations.push_back(getDestination(i));
      variables.push_back(op.getBody()->getArgument(i));
    }
  SmallVector<Operation *> ops;
  for (Operation &inner : op.getBody()->without_terminator())
    ops.push_back(&inner);
  if (Operation *unknown = ScalarAdjoint(ops, variables).findUnknown())
    return op.emitOpError() << "cannot be differentiated: the derivative of '"
                            << unknown->getName() << "' in its body is not "
                            << "known; write it with other functions";

  // The initial value of a sum passes the cotangent through.
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
    if (needed[numInputs + i] && cotangents[i] &&
        !op.getRegionOutputArgs()[i].use_empty())
      operandCotangents[numInputs + i] = cotangents[i];
  if (destinations.empty())
    return success();

  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> inputs = op.getDpsInputs(), inits;
  SmallVector<AffineMap> adjointMaps(ArrayRef(maps).take_front(numInputs));
  for (auto [i, cotangent] : llvm::enumerate(cotangents))
    if (cotangent) {
      inputs.push_back(cotangent);
      adjointMaps.push_back(maps[numInputs + i]);
    }
  SmallVector<Type> types;
  for (const Destination &destination : destinations) {
    adjointMaps.push_back(destination.map);
    types.push_back(destination.type);
    inits.push_back(tensor::EmptyOp::create(builder, loc,
                                            destination.type.getShape(),
                                            destination.type.getElementType()));
  }
  SmallVector<utils::IteratorType> loops(sizes.size(),
                                         utils::IteratorType::parallel);
  auto adjoint = linalg::GenericOp::create(
      builder, loc, types, inputs, inits, adjointMaps, loops,
      [&](OpBuilder &inside, Location, ValueRange arguments) {
        buildBody(inside, arguments, destinations);
      });
  bool isRead = false;
  for (auto [destination, result] :
       llvm::zip(destinations, adjoint.getResults())) {
    if (without.contains(destination.number))
      continue;
    Value direct = passedOn.lookup(destination.number);
    isRead |= !direct;
    operandCotangents[destination.number] =
        sum(direct ? direct : result, destination);
  }
  if (!isRead)
    adjoint.erase();
  return success();
}

LogicalResult mlir::te::buildGenericVjp(Operation *op, OpBuilder &builder,
                                        ValueRange cotangents,
                                        const llvm::BitVector &needed,
                                        MutableArrayRef<Value> operands) {
  auto generic = cast<linalg::GenericOp>(op);
  if (auto contraction = Contraction::get(generic); succeeded(contraction)) {
    buildContractionVjp(generic, *contraction, builder, cotangents[0], needed,
                        operands);
    return success();
  }
  return GenericAdjoint(generic, builder, cotangents).build(needed, operands);
}
