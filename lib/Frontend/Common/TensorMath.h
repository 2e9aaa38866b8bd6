// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds operators without a te op: arithmetic, reductions, contractions and
// lookups on whole tensors, all of which have gradients and kernels.

#ifndef TE_LIB_FRONTEND_COMMON_TENSORMATH_H
#define TE_LIB_FRONTEND_COMMON_TENSORMATH_H

#include "TensorBuilder.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::te::frontend {

enum class ReductionKind { Sum, Product, Max, Min };

/// Builds at the builder's insertion point, all at one location. Shapes have
/// been checked by the caller.
class TensorMath {
public:
  TensorMath(TensorBuilder &tensors, Location loc)
      : tensors(tensors), builder(tensors.builder), loc(loc) {}

  //===--------------------------------------------------------------------===//
  // Elementwise ops
  //===--------------------------------------------------------------------===//

  /// A tensor with all elements equal; of integers when `like` is.
  Value number(RankedTensorType like, double value);
  template <typename Op> Value apply(Value a) {
    return Op::create(builder, loc, a);
  }
  template <typename Op> Value apply(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  /// An op on these operands, by its name.
  Value apply(StringRef name, ValueRange operands, Type type) {
    return builder
        .create(loc, builder.getStringAttr(name), operands, TypeRange(type))
        ->getResult(0);
  }
  /// Converts to another element type (getConversion). Null if there is no such
  /// conversion.
  Value convert(Value value, Type element);
  /// Widens floats to float32, the type of sums.
  Value widen(Value value) { return convert(value, builder.getF32Type()); }

  //===--------------------------------------------------------------------===//
  // Shapes
  //===--------------------------------------------------------------------===//

  Value reshape(Value value, ArrayRef<int64_t> shape) {
    return tensors.reshape(loc, value, shape);
  }
  Value transpose(Value value, ArrayRef<int64_t> permutation) {
    return tensors.transpose(loc, value, permutation);
  }
  /// Broadcasts to `shape` with NumPy's rules.
  Value broadcast(Value value, ArrayRef<int64_t> shape);
  /// `count` elements from `start` on, `step` apart, of a dimension.
  Value slice(Value value, int64_t dim, int64_t start, int64_t count,
              int64_t step = 1);
  Value concat(ArrayRef<Value> values, int64_t dim);
  /// Pads a dimension with `before` and `after` elements `fill`.
  Value pad(Value value, int64_t dim, int64_t before, int64_t after,
            double fill);

  //===--------------------------------------------------------------------===//
  // Reductions
  //===--------------------------------------------------------------------===//

  /// Reduces the dimensions set in `dims`, which the result does not have.
  /// Floats are reduced in float32, which is the result's type.
  Value reduce(ReductionKind kind, Value x, const llvm::SmallBitVector &dims);
  /// As reduce, keeping reduced dimensions with size 1.
  Value reduceAndKeep(ReductionKind kind, Value x,
                      const llvm::SmallBitVector &dims);
  /// exp(x) divided by its sum along a dimension, or the logarithm of that, in
  /// float32. With `zeroWithout` a row of only -infinity becomes zeros.
  Value softmax(Value x, int64_t dim, bool zeroWithout = false);
  Value logSoftmax(Value x, int64_t dim);
  /// Sums along a dimension up to every position, or those before it; from the
  /// end with `reverse`.
  Value cumulativeSum(Value x, int64_t dim, bool exclusive, bool reverse);
  /// For every element, the number of elements along the dimension that sort
  /// before it: the largest (or smallest) first, equal ones in order.
  Value rank(Value x, int64_t dim, bool largest);
  /// For every element of a tensor of integers, the number of equal ones behind
  /// it along the dimension.
  Value countEqualBehind(Value x, int64_t dim);
  /// Moves every element along the dimension to its place there; `places` has
  /// x's shape, and each place once.
  Value permute(Value x, Value places, int64_t dim);
  /// The `count` largest (or smallest) elements along a dimension in order, and
  /// their positions (int64).
  std::pair<Value, Value> topK(Value x, int64_t dim, int64_t count,
                               bool largest);

  /// A label for every dimension of an operand.
  using Labels = ArrayRef<unsigned>;
  /// Sum of a · b over the labels that the result lacks; labels count from 0
  /// without gaps. Sums of floats are float32; the result has a's element type.
  Value contract(Value a, Labels aLabels, Value b, Labels bLabels,
                 Labels resultLabels);

  /// Rows of a matrix of floats: te.embedding.
  Value lookup(Value ids, Value table);
  /// Elements of a tensor of floats at flat, row-major positions (int64, any
  /// shape).
  Value take(Value value, Value positions);
  /// A tensor whose elements are a function of their position, one index for
  /// each dimension of `shape`.
  Value fromPosition(
      ArrayRef<int64_t> shape, Type element,
      function_ref<Value(OpBuilder &, Location, ArrayRef<Value>)> formula);
  /// An int64 tensor that counts along a dimension of `shape`.
  Value iota(ArrayRef<int64_t> shape, int64_t dim);
  /// An int64 tensor of these values.
  Value constant(ArrayRef<int64_t> values, ArrayRef<int64_t> shape);
  /// Converts positions in a dimension of `size`, of which negative ones count
  /// from its end, to nonnegative int64.
  Value fromFront(Value positions, int64_t size);
  /// y[o, j, p] = x[o, ids[o, j, p], p], zero where there is no such element;
  /// of any type. ids: [O, J, P] of int64.
  Value gatherAt(Value ids, Value x);
  /// y[o, ids[o, j, p], p] += x[o, j, p], for all j, in a tensor of zeros that
  /// has the shape `dims`, [O, I, P].
  Value scatterSum(Value ids, Value x, ArrayRef<int64_t> dims);
  /// `data`, [rows, size], with rows replaced: `updates` is [n, size], and
  /// `targets` names the row that each update replaces; the last one wins.
  Value replaceRows(Value data, Value updates, ArrayRef<int64_t> targets);

private:
  /// For every element, how many along the dimension `counts` is true of, which
  /// gets it and the other.
  Value
  countPairs(Value x, int64_t dim,
             function_ref<Value(OpBuilder &, Location, Value, Value)> counts);
  Value sumWhereEqual(Value ids, Value x, ArrayRef<int64_t> dims,
                      bool resultHasIds);

  TensorBuilder &tensors;
  OpBuilder &builder;
  Location loc;
};

/// The op of arith that converts elements to another type: truth values are 0
/// and 1, fractions are truncated. Empty if there is none; truth values are
/// comparisons with 0.
StringRef getConversion(Type from, Type to);

inline bool isFloat(Value value) {
  return isa<FloatType>(tensorType(value).getElementType());
}

} // namespace mlir::te::frontend

#endif // TE_LIB_FRONTEND_COMMON_TENSORMATH_H
