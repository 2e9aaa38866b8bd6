// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, movement, and structured ops.

#include "Evaluator.h"

#include "../ScalarEvaluator.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

//===----------------------------------------------------------------------===//
// Constants and movement
//===----------------------------------------------------------------------===//

void Evaluator::execute(arith::ConstantOp op) {
  HostTensor &y = make(op.getResult());
  auto number = [](const APInt &value) {
    return value.getBitWidth() == 1 ? double(value.getBoolValue())
                                    : value.signedRoundToDouble();
  };
  if (auto single = dyn_cast<FloatAttr>(op.getValue()))
    y[0] = single.getValueAsDouble();
  else if (auto single = dyn_cast<IntegerAttr>(op.getValue()))
    y[0] = number(single.getValue());
  else if (auto elements = cast<DenseElementsAttr>(op.getValue());
           isa<FloatType>(elements.getElementType()))
    for (auto [i, value] : llvm::enumerate(elements.getValues<APFloat>())) {
      // Of any format; conversions to wider ones are exact.
      APFloat wide = value;
      bool loses;
      wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
      y[i] = wide.convertToDouble();
    }
  else
    for (auto [i, value] : llvm::enumerate(elements.getValues<APInt>()))
      y[i] = number(value);
}
/// Copies between a tensor and a piece of it that starts at `offset` along
/// `axis`.
template <typename Copy>
static void forPiece(ArrayRef<int64_t> whole, ArrayRef<int64_t> piece,
                     int64_t axis, int64_t offset, Copy copy) {
  SmallVector<int64_t> strides = stridesOf(whole);
  forEachIndex(piece, [&](ArrayRef<int64_t> index, int64_t linear) {
    int64_t at = offset * strides[axis];
    for (auto [i, s] : llvm::zip_equal(index, strides))
      at += i * s;
    copy(at, linear);
  });
}

void Evaluator::execute(SplitOp op) {
  int64_t offset = 0, axis = op.getAxis();
  for (Value piece : op.getPieces()) {
    HostTensor &out = make(piece);
    const HostTensor &x = get(op.getX());
    forPiece(x.shape, out.shape, axis, offset,
             [&](int64_t at, int64_t linear) { out[linear] = x[at]; });
    offset += out.shape[axis];
  }
}

void Evaluator::execute(tensor::ConcatOp op) {
  HostTensor &y = make(op.getResult());
  int64_t offset = 0, axis = op.getDim();
  for (Value input : op.getInputs()) {
    const HostTensor &x = get(input);
    forPiece(y.shape, x.shape, axis, offset,
             [&](int64_t at, int64_t linear) { y[at] = x[linear]; });
    offset += x.shape[axis];
  }
}
SmallVector<int64_t> Evaluator::getNumbers(ArrayRef<OpFoldResult> numbers) {
  return llvm::map_to_vector(numbers, [&](OpFoldResult number) {
    auto value = dyn_cast<Value>(number);
    return value ? static_cast<int64_t>(scalar(value))
                 : *getConstantIntValue(number);
  });
}

/// Calls `copy(index in the whole, index in the slice)`.
template <typename Op, typename Copy>
static void forSlice(Op op, ArrayRef<int64_t> offsets, ArrayRef<int64_t> whole,
                     Copy copy) {
  SmallVector<int64_t> strides = stridesOf(whole);
  forEachIndex(
      op.getStaticSizes(), [&](ArrayRef<int64_t> index, int64_t linear) {
        int64_t at = 0;
        for (size_t d = 0; d < index.size(); ++d)
          at += (offsets[d] + index[d] * op.getStaticStrides()[d]) * strides[d];
        copy(at, linear);
      });
}

void Evaluator::execute(tensor::ExtractSliceOp op) {
  HostTensor &y = make(op.getResult());
  const HostTensor &x = get(op.getSource());
  SmallVector<int64_t> offsets = getNumbers(op.getMixedOffsets());
  forSlice(op, offsets, x.shape,
           [&](int64_t at, int64_t linear) { y[linear] = x[at]; });
}

void Evaluator::execute(tensor::InsertSliceOp op) {
  HostTensor &y = make(op.getResult());
  y.data = get(op.getDest()).data;
  const HostTensor &x = get(op.getSource());
  SmallVector<int64_t> offsets = getNumbers(op.getMixedOffsets());
  forSlice(op, offsets, y.shape,
           [&](int64_t at, int64_t linear) { y[at] = x[linear]; });
}

void Evaluator::execute(linalg::TransposeOp op) {
  HostTensor &y = make(op->getResult(0));
  const HostTensor &x = get(op.getInput());
  SmallVector<int64_t> strides = stridesOf(x.shape);
  forEachIndex(y.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
    int64_t at = 0;
    for (auto [d, from] : llvm::enumerate(op.getPermutation()))
      at += index[d] * strides[from];
    y[linear] = x[at];
  });
}

void Evaluator::execute(tensor::ExtractOp op) {
  const HostTensor &x = get(op.getTensor());
  int64_t at = 0;
  for (auto [index, stride] : llvm::zip(op.getIndices(), stridesOf(x.shape)))
    at += stride * static_cast<int64_t>(scalar(index));
  make(op.getResult())[0] = x[at];
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

static int64_t evaluateIndex(AffineExpr expr, ArrayRef<int64_t> counters) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return counters[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluateIndex(binary.getLHS(), counters);
  int64_t rhs = evaluateIndex(binary.getRHS(), counters);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return lhs % rhs;
  case AffineExprKind::FloorDiv:
    return lhs / rhs;
  default:
    llvm_unreachable("no such index map in the tests");
  }
}

namespace {
/// Where iterations find their element of an operand.
class Walk {
public:
  Walk(AffineMap map, ArrayRef<int64_t> shape)
      : map(map), strides(stridesOf(shape)), steps(map.getNumDims()) {
    for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides)) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        steps[dim.getPosition()] += stride;
      else if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        start += stride * constant.getValue();
      else
        isLinear = false;
    }
  }

  int64_t locate(ArrayRef<int64_t> counters) const {
    int64_t at = 0;
    if (!isLinear) {
      for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides))
        at += stride * evaluateIndex(expr, counters);
      return at;
    }
    for (size_t loop = 0; loop < steps.size(); ++loop)
      at += steps[loop] * counters[loop];
    return start + at;
  }

private:
  AffineMap map;
  SmallVector<int64_t> strides;
  /// Of an index that is made of counters and constants.
  SmallVector<int64_t> steps;
  int64_t start = 0;
  bool isLinear = true;
};
} // namespace

LogicalResult Evaluator::executeStructured(linalg::LinalgOp op) {
  FailureOr<ScalarProgram> program = ScalarProgram::create(
      *op.getBlock(),
      [&](Value value) -> std::optional<double> {
        auto it = values.find(value);
        if (it == values.end() || it->second->size() != 1)
          return std::nullopt;
        return (*it->second)[0];
      },
      [&](Value value) -> std::optional<ScalarTable> {
        auto it = values.find(value);
        if (it == values.end())
          return std::nullopt;
        return ScalarTable{it->second->data, it->second->shape};
      });
  if (failed(program))
    return failure();
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<HostTensor *> outputs;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    outputs.push_back(&make(result));
    outputs.back()->data = get(op.getDpsInits()[i]).data;
  }
  SmallVector<const HostTensor *> operands;
  SmallVector<Walk> walks;
  for (auto [i, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    operands.push_back(i < numInputs ? &get(op->getOperand(i))
                                     : outputs[i - numInputs]);
    walks.emplace_back(map, operands.back()->shape);
  }
  SmallVector<double> arguments(operands.size());
  forEachIndex(
      op.getStaticLoopRanges(), [&](ArrayRef<int64_t> counters, int64_t) {
        for (size_t i = 0; i < operands.size(); ++i)
          arguments[i] = (*operands[i])[walks[i].locate(counters)];
        ArrayRef<double> results = program->run(arguments, counters, round);
        for (size_t i = 0; i < results.size(); ++i)
          (*outputs[i])[walks[numInputs + i].locate(counters)] = results[i];
      });
  // Bodies compute without a type's own rounding.
  for (Value result : op->getResults())
    if (round.roundsToBF16() && getElementTypeOrSelf(result).isBF16())
      roundValue(result);
  return success();
}
