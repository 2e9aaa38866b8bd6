// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas over indices as linalg.generic: y[i,j] = sum over k of a[i,k] *
// b[k,j].

#ifndef TE_DIALECT_TE_IR_FORMULA_H
#define TE_DIALECT_TE_IR_FORMULA_H

#include "te/Support/ScalarBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::te {

class QuantizingOpInterface;

/// A tensor and the index of each of its dimensions, a letter; '0' reads a
/// dimension of one element.
struct Term {
  Value tensor;
  StringRef indices;
};

/// The body of a formula: arithmetic in float32 on elements of the terms, which
/// are widened; integers stay integers.
class Scalars : public ScalarBuilder {
public:
  Scalars(OpBuilder &builder, Location loc, StringRef indices)
      : ScalarBuilder(builder, loc, builder.getF32Type()), indices(indices) {}

  /// The value of an index, of type `index`.
  Value at(char index);
  /// Integers of `like`'s type.
  Value integer(Value like, int64_t number);
  Value compareInts(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  /// An element of a tensor at computed positions of type `index`, widened.
  Value extract(Value tensor, ValueRange position);
  Value toIndex(Value integer);
  Value max(Value a, Value b) {
    return arith::MaximumFOp::create(builder, loc, a, b);
  }
  Value min(Value a, Value b) {
    return arith::MinimumFOp::create(builder, loc, a, b);
  }
  /// Neither infinite nor NaN.
  Value isFinite(Value a) {
    return compare(arith::CmpFPredicate::OEQ, sub(a, a), number(0));
  }
  Value both(Value a, Value b) {
    return arith::AndIOp::create(builder, loc, a, b);
  }

private:
  StringRef indices;
};

/// The body of a contraction.
inline Value product(Scalars &s, ValueRange x) { return s.mul(x[0], x[1]); }

class Formula {
public:
  using Body = function_ref<Value(Scalars &, ValueRange)>;
  enum class Join { Sum, Max };

  Formula(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// Sets the size of an index that no term has.
  void setSize(char index, int64_t size) { sizes[index] = size; }

  /// Maps over all values of `indices`, which are the result's dimensions, with
  /// elements of type `element`.
  Value map(StringRef indices, Type element, ArrayRef<Term> terms, Body body);
  /// Several elements of type `element` each.
  SmallVector<Value>
  mapMany(StringRef indices, Type element, unsigned numResults,
          ArrayRef<Term> terms,
          function_ref<SmallVector<Value>(Scalars &, ValueRange)> body);
  /// The same joined over all indices of the terms that `kept` lacks, in
  /// float32.
  Value join(Join kind, StringRef kept, ArrayRef<Term> terms, Body body);
  Value sum(StringRef kept, ArrayRef<Term> terms, Body body) {
    return join(Join::Sum, kept, terms, body);
  }
  /// Several sums, in one pass over the terms.
  SmallVector<Value>
  sumMany(StringRef kept, unsigned numResults, ArrayRef<Term> terms,
          function_ref<SmallVector<Value>(Scalars &, ValueRange)> body);

  /// Rounds to another element type.
  Value convert(Value tensor, Type element);
  /// Splits a dimension `dim` of `outer * inner` elements of `value` in two.
  Value splitDim(Value value, int64_t dim, int64_t inner);
  Value reshape(Value value, ArrayRef<int64_t> shape);
  /// Elements [first, first + count) along a dimension.
  Value slice(Value value, int64_t dim, int64_t first, int64_t count);
  Value constant(RankedTensorType type, ArrayRef<float> values);

  OpBuilder &builder;
  Location loc;

private:
  void readSizes(ArrayRef<Term> terms);
  /// Returns the loops of a sum over the terms: `kept`, then what it lacks; and
  /// the type of the result.
  std::pair<std::string, RankedTensorType> getLoops(StringRef kept,
                                                    ArrayRef<Term> terms);
  AffineMap getMap(StringRef loops, StringRef indices);
  SmallVector<Value> build(
      StringRef loops, StringRef result, ValueRange inits, ArrayRef<Term> terms,
      function_ref<SmallVector<Value>(Scalars &, ValueRange, ValueRange)> body);

  llvm::DenseMap<char, int64_t> sizes;
};

/// What an op is in linalg (LinalgFormOpInterface): a value for each result.
class LinalgForm : public Formula {
public:
  LinalgForm(OpBuilder &builder, Operation *op)
      : Formula(builder, op->getLoc()), values(op->getNumResults()) {}

  /// False if `result` is null or has no users, and need not be computed.
  bool needs(Value result) const { return result && !result.use_empty(); }
  /// Sets `value` in the element type of `result`, if that is needed.
  void set(Value result, Value value);
  /// Sets the sum of a matrix's rows, if it is needed.
  void setRowSum(Value result, Value matrix);
  /// Sets the FP8 copies of `value`, which `op` quantizes, and its amax, as far
  /// as they are needed.
  void setQuantized(QuantizingOpInterface op, Value value);
  /// A value for each result, null where none was set.
  SmallVector<Value> take() { return std::move(values); }

private:
  SmallVector<Value> values;
};

/// The indices of all dimensions of a tensor: "abc".
StringRef getAllIndices(Value tensor);
/// The size of a dimension of a tensor.
int64_t sizeOf(Value tensor, int64_t dim);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_FORMULA_H
