// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/Formula.h"

#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;

StringRef mlir::te::getAllIndices(Value tensor) {
  return StringRef("abcdefghijklmnop").take_front(tensorType(tensor).getRank());
}

int64_t mlir::te::sizeOf(Value tensor, int64_t dim) {
  return tensorType(tensor).getDimSize(dim);
}

Value Scalars::at(char index) {
  return linalg::IndexOp::create(builder, loc, indices.find(index));
}

Value Scalars::integer(Value like, int64_t number) {
  return arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(like.getType(), number));
}

Value Scalars::extract(Value tensor, ValueRange position) {
  Value element = tensor::ExtractOp::create(builder, loc, tensor, position);
  return isa<FloatType>(element.getType())
             ? convertScalar(builder, loc, element, type)
             : element;
}

Value Scalars::toIndex(Value integer) {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    integer);
}

void Formula::readSizes(ArrayRef<Term> terms) {
  for (const Term &term : terms)
    for (auto [index, size] :
         llvm::zip_equal(term.indices, tensorType(term.tensor).getShape()))
      if (index != '0')
        sizes[index] = size;
}

AffineMap Formula::getMap(StringRef loops, StringRef indices) {
  SmallVector<AffineExpr> position;
  for (char index : indices)
    position.push_back(index == '0'
                           ? builder.getAffineConstantExpr(0)
                           : builder.getAffineDimExpr(loops.find(index)));
  return AffineMap::get(loops.size(), 0, position, builder.getContext());
}

/// `body` gets the elements and the results' old ones. Results have the first
/// one's type.
SmallVector<Value> Formula::build(
    StringRef loops, StringRef result, ValueRange inits, ArrayRef<Term> terms,
    function_ref<SmallVector<Value>(Scalars &, ValueRange, ValueRange)> body) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Term &term : terms) {
    inputs.push_back(term.tensor);
    maps.push_back(getMap(loops, term.indices));
  }
  maps.append(inits.size(), getMap(loops, result));
  SmallVector<utils::IteratorType> iterators;
  for (char index : loops)
    iterators.push_back(result.contains(index)
                            ? utils::IteratorType::parallel
                            : utils::IteratorType::reduction);
  Type element = tensorType(inits.front()).getElementType();
  auto generic = linalg::GenericOp::create(
      builder, loc, TypeRange(inits), inputs, inits, maps, iterators,
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        Scalars scalars(inside, loc, loops);
        SmallVector<Value> wide;
        for (Value argument : arguments.drop_back(inits.size()))
          wide.push_back(
              isa<FloatType>(argument.getType())
                  ? convertScalar(inside, loc, argument, inside.getF32Type())
                  : argument);
        SmallVector<Value> values =
            body(scalars, wide, arguments.take_back(inits.size()));
        if (isa<FloatType>(element))
          for (Value &value : values)
            value = convertScalar(inside, loc, value, element);
        linalg::YieldOp::create(inside, loc, values);
      });
  return llvm::to_vector_of<Value>(generic.getResults());
}

SmallVector<Value>
Formula::mapMany(StringRef indices, Type element, unsigned numResults,
                 ArrayRef<Term> terms,
                 function_ref<SmallVector<Value>(Scalars &, ValueRange)> body) {
  readSizes(terms);
  SmallVector<int64_t> shape;
  for (char index : indices)
    shape.push_back(sizes.lookup(index));
  SmallVector<Value> inits(
      numResults, tensor::EmptyOp::create(builder, loc, shape, element));
  return build(indices, indices, inits, terms,
               [&](Scalars &scalars, ValueRange elements, ValueRange) {
                 return body(scalars, elements);
               });
}

Value Formula::map(StringRef indices, Type element, ArrayRef<Term> terms,
                   Body body) {
  return mapMany(indices, element, 1, terms,
                 [&](Scalars &scalars, ValueRange elements) {
                   return SmallVector<Value>{body(scalars, elements)};
                 })
      .front();
}

std::pair<std::string, RankedTensorType>
Formula::getLoops(StringRef kept, ArrayRef<Term> terms) {
  readSizes(terms);
  std::string loops = kept.str();
  SmallVector<int64_t> shape;
  for (char index : kept)
    shape.push_back(sizes.lookup(index));
  for (const Term &term : terms)
    for (char index : term.indices)
      if (index != '0' && loops.find(index) == std::string::npos)
        loops += index;
  return {loops, RankedTensorType::get(shape, builder.getF32Type())};
}

Value Formula::join(Join kind, StringRef kept, ArrayRef<Term> terms,
                    Body body) {
  auto [loops, type] = getLoops(kept, terms);
  Value init = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          type,
          kind == Join::Sum ? 0.0f : -std::numeric_limits<float>::infinity()));
  return build(loops, kept, init, terms,
               [&](Scalars &scalars, ValueRange elements,
                   ValueRange old) -> SmallVector<Value> {
                 Value term = body(scalars, elements);
                 return {kind == Join::Sum ? scalars.add(old[0], term)
                                           : scalars.max(old[0], term)};
               })
      .front();
}

SmallVector<Value>
Formula::sumMany(StringRef kept, unsigned numResults, ArrayRef<Term> terms,
                 function_ref<SmallVector<Value>(Scalars &, ValueRange)> body) {
  auto [loops, type] = getLoops(kept, terms);
  Value zeros = arith::ConstantOp::create(builder, loc,
                                          DenseElementsAttr::get(type, 0.0f));
  SmallVector<Value> inits(numResults, zeros);
  return build(loops, kept, inits, terms,
               [&](Scalars &scalars, ValueRange elements, ValueRange old) {
                 SmallVector<Value> sums = body(scalars, elements);
                 for (auto [sum, before] : llvm::zip_equal(sums, old))
                   sum = scalars.add(before, sum);
                 return sums;
               });
}

Value Formula::convert(Value tensor, Type element) {
  if (tensorType(tensor).getElementType() == element)
    return tensor;
  StringRef all = getAllIndices(tensor);
  return map(all, element, {{tensor, all}},
             [](Scalars &, ValueRange elements) { return elements[0]; });
}

Value Formula::reshape(Value value, ArrayRef<int64_t> shape) {
  return reshapeTo(builder, loc, value, shape);
}

Value Formula::splitDim(Value value, int64_t dim, int64_t inner) {
  RankedTensorType type = tensorType(value);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= inner;
  shape.insert(shape.begin() + dim + 1, inner);
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    groups.push_back({next++});
    if (i == dim)
      groups.back().push_back(next++);
  }
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       groups);
}

Value Formula::slice(Value value, int64_t dim, int64_t first, int64_t count) {
  return sliceDim(builder, loc, value, dim, first, count);
}

Value Formula::constant(RankedTensorType type, ArrayRef<float> values) {
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, values));
}

void LinalgForm::set(Value result, Value value) {
  if (needs(result))
    values[cast<OpResult>(result).getResultNumber()] =
        convert(value, tensorType(result).getElementType());
}

void LinalgForm::setRowSum(Value result, Value matrix) {
  if (needs(result))
    set(result, sum("n", {{matrix, "mn"}},
                    [](Scalars &, ValueRange x) { return x[0]; }));
}
