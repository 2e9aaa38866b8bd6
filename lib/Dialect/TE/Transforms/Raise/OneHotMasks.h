// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out for which rows and experts the elements of a mask can be other than
// zero: comparisons of experts' numbers with positions, sums of them up to each
// row, and what is computed of both.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ONEHOTMASKS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ONEHOTMASKS_H

#include "Raise/LoopLabels.h"
#include "Raise/OneHotFacts.h"

#include "te/Dialect/TE/Transforms/Linalg/ConstantEvaluator.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"

#include <optional>

namespace mlir::te {

/// What is known of an element of a row, perhaps of one of its choices, and an
/// expert: if the expert is chosen, and if it is not.
struct Facts {
  /// Whether it matters that the expert is the choice of the element's own, or
  /// one of the choices of its row.
  enum class Scope { None, Choice, Row };

  Fact chosen, other;
  Scope scope = Scope::None;
  /// Of a sum: whether all of its terms but one are zero, that of the choice.
  bool isOneTerm = false;
};

/// All masks that are computed from the same choices of experts. Elements are
/// named by the loops that the dimensions of their tensors walk.
class OneHotMasks {
public:
  OneHotMasks(ConstantEvaluator &evaluator) : evaluator(evaluator) {}

  /// A loop of its own. Loops that number the same choices become one.
  unsigned addLoop(int64_t size);
  int64_t getSize(unsigned loop) const { return sizes[loop]; }
  /// The loops of experts, and of positions in their capacity.
  void setExperts(unsigned loop) { experts = loop; }
  void setPositions(unsigned loop) { positions = loop; }

  Facts evaluate(const LabelledValue &value);

  /// Moves on to the source of a reshape, transpose, broadcast, or of a slice
  /// of the positions. Returns false if it is none.
  bool goBefore(LabelledValue &value);
  /// The inputs of a structured op for the elements of its result; none if its
  /// dimensions are read otherwise. Loops that it sums over are new ones.
  ArrayRef<LabelledValue> getInputs(linalg::LinalgOp op, const Labels &labels);

  /// The same digits, with one loop for each that number the same.
  Digits unify(ArrayRef<Digit> digits) const;
  bool isPosition(unsigned loop) const;
  bool isExperts(unsigned loop) const;
  /// What an op sums over for the elements of its result, in the inputs' order.
  Digits getSums(linalg::LinalgOp op, const Labels &labels);

  /// The chosen experts' numbers; null if no mask compared any.
  const LabelledValue &getChoices() const { return choices; }
  /// The sum of choices of an expert up to each row, its dimension 1; null if
  /// there is none.
  const LabelledValue &getCounts() const { return counts; }

private:
  struct Input {
    Facts facts;
    std::optional<LabelledValue> source;
  };

  Facts compute(LabelledValue value);
  Facts computeStructured(linalg::GenericOp op, const Labels &labels);
  Facts computeCount(Value source, const LabelledValue &sums);
  Facts computeScatter(linalg::GenericOp op, const Labels &labels);
  Facts fold(Operation *op, ArrayRef<Input> operands);
  Facts reduce(Operation *op, Facts term, unsigned loop,
               ArrayRef<LabelledValue> inputs);
  Facts getConstant(const LabelledValue &value);
  bool areChoices(LabelledValue ids, unsigned loop);
  bool areDistinct(unsigned loop);
  bool areDifferent(ArrayRef<Digit> digits) const;

  ConstantEvaluator &evaluator;
  SmallVector<int64_t> sizes;
  llvm::EquivalenceClasses<unsigned> same;
  std::optional<unsigned> experts, positions;
  /// Loops of experts inside of sums over them.
  llvm::DenseSet<unsigned> summedExperts;
  /// For a loop over more positions than those of a slice: where it begins.
  llvm::DenseMap<unsigned, int64_t> sliced;
  LabelledValue choices, counts;
  int64_t rows = 0;
  unsigned budget = 512;
  llvm::DenseMap<Value, SmallVector<std::pair<Labels, Facts>, 1>> known;
  llvm::DenseMap<
      Value, SmallVector<std::pair<Labels, SmallVector<LabelledValue, 2>>, 1>>
      inputsOf;
};

/// A kernel that adds up its terms, or finds their maximum, from the beginning.
struct Accumulation {
  static std::optional<Accumulation> get(linalg::GenericOp op);

  /// The last op of the kernel, and what it adds.
  Operation *op;
  Value term;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ONEHOTMASKS_H
