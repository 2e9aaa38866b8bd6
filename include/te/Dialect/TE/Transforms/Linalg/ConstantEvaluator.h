// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates values computed from constants alone.

#ifndef TE_DIALECT_TE_TRANSFORMS_LINALG_CONSTANTEVALUATOR_H
#define TE_DIALECT_TE_TRANSFORMS_LINALG_CONSTANTEVALUATOR_H

#include "te/Dialect/TE/Transforms/Linalg/ScalarFunctions.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace mlir::te {

/// The elements of a tensor in row-major order; a single number for a splat. A
/// scalar is a tensor of rank 0.
struct Elements {
  RankedTensorType type;
  std::vector<Number> numbers;

  bool isSplat() const { return numbers.size() == 1; }
  const Number &at(int64_t place) const {
    return numbers[isSplat() ? 0 : place];
  }
};

/// The elements of an attribute of a static type of floats or signless integers
/// of at most 64 bits; nullopt if they are not known.
std::optional<Elements> readElements(Attribute attribute,
                                     RankedTensorType type);
DenseElementsAttr toAttribute(const Elements &elements);

/// Evaluates ops on constants: arith and math on scalars and tensors, linalg
/// with static shapes and linear maps, movements of tensors, and ops that lower
/// to linalg (LinalgFormOpInterface). Results are rounded to the element
/// type after every op, as the ops define; attributes that request other
/// arithmetic make an op unknown.
class ConstantEvaluator {
public:
  /// Limits the elements of a tensor and the scalar operations of an op; values
  /// that exceed them are not constant.
  explicit ConstantEvaluator(int64_t mostElements = int64_t(1) << 24,
                             int64_t mostWork = int64_t(1) << 27);
  ~ConstantEvaluator();

  /// The elements of a tensor or scalar; null if it does not depend on
  /// constants alone, or is not evaluated.
  DenseElementsAttr get(Value value);
  /// The same, without an attribute.
  std::shared_ptr<const Elements> getElements(Value value);

  /// Clears the cache: values may be erased after that.
  void clear();

private:
  using Known = std::shared_ptr<const Elements>;

  /// The values that `op` is computed from; false if unknown.
  bool getSources(Operation *op, SmallVectorImpl<Value> &sources) const;
  Known compute(OpResult result);
  Known computeElementwise(OpResult result);
  Known computeMovement(OpResult result);
  Known computeStructured(linalg::LinalgOp op, unsigned number);
  Known computeLowered(OpResult result);
  RankedTensorType getType(Type type) const;

  int64_t mostElements, mostWork;
  llvm::DenseMap<Value, Known> known;
};

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_LINALG_CONSTANTEVALUATOR_H
