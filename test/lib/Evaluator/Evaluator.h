// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One evaluation of a function by ReferenceEvaluator.h. Ops are executed in
// files by what they are about.

#ifndef TE_TEST_LIB_EVALUATOR_EVALUATOR_H
#define TE_TEST_LIB_EVALUATOR_EVALUATOR_H

#include "../ReferenceEvaluator.h"

#include "te/Dialect/TE/IR/LayerOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace mlir::te::test {

/// A sum of float32 numbers in an order that nobody promises. In float32's
/// range it is infinite where every order ends there, and not a number where
/// some orders leave the range on the way and others do not.
class Sum {
public:
  explicit Sum(const Rounding &rounding) : inFloat(rounding.toFloat) {}

  void add(double term) {
    if (inFloat)
      term = static_cast<float>(term);
    total += term;
    if (term > 0)
      positive += term;
  }
  double get() const;

private:
  bool inFloat;
  double total = 0, positive = 0;
};

class Evaluator {
public:
  Evaluator(func::FuncOp function, Rounding &rounding, Observer observe = {})
      : function(function), round(rounding), observe(observe) {}

  FailureOr<SmallVector<HostTensor>> run(ArrayRef<HostTensor> arguments);
  /// Whether all numbers of the last run are.
  bool isFinite() const;

private:
  const HostTensor &get(Value value) { return *values.find(value)->second; }
  double scalar(Value value) { return get(value)[0]; }
  /// The tensor that `value` becomes, filled with one number.
  HostTensor &make(Value value, double fill = 0);
  void roundValue(Value value);
  /// Within the range of float32, where that is asked for: a term on the way to
  /// a result has no error of its own, but is no number that float32 cannot
  /// hold. What an op's formula has a name for (a mean, a logarithm of a sum)
  /// is rounded instead: programs keep it.
  double hold(double value) const {
    return round.toFloat ? static_cast<double>(static_cast<float>(value))
                         : value;
  }

  LogicalResult visit(Block &block);
  LogicalResult visit(Operation *op);
  /// Ops of arith and math, on tensors or numbers.
  LogicalResult executeElementwise(Operation *op);
  LogicalResult executeStructured(linalg::LinalgOp op);
  LogicalResult execute(func::CallOp op);
  LogicalResult execute(RegionOp op);
  LogicalResult execute(scf::IfOp op);
  LogicalResult execute(scf::ForOp op);
  LogicalResult execute(scf::WhileOp op);
  void assign(ValueRange results, ValueRange values);
  void show(ValueRange computed);

  // Layers.cpp
  void execute(MatmulOp op);
  void execute(LayerNormOp op);
  void execute(LayerNormGradOp op);
  void execute(ActivationOp op);
  void execute(ActivationGradOp op);
  /// Fails, with an error, if an op looks up rows that are not there.
  LogicalResult checkLookups(Operation *op);
  void execute(EmbeddingOp op);
  void execute(EmbeddingGradOp op);
  void execute(AddOp op);
  void execute(ColumnSumOp op);

  // Experts.cpp
  void execute(GroupRowsOp op);
  void execute(PermuteOp op);
  void execute(TakeRowsOp op);
  void execute(UnpermuteOp op);
  void execute(PermuteWeightsGradOp op);
  void execute(ExpertMatmulOp op);
  void execute(ScaledExpertMatmulOp op);

  // CausalConv.cpp
  void execute(CausalConvOp op);
  void execute(CausalConvGradOp op);

  // Scan.cpp
  void execute(ScanOp op);
  void execute(ScanGradOp op);

  // Dropout.cpp
  void execute(DropoutOp op);

  // Llama.cpp
  void execute(RMSNormOp op);
  void execute(RMSNormGradOp op);
  void execute(GatedActivationOp op);
  void execute(GatedActivationGradOp op);
  void execute(RopeOp op);

  // Attention.cpp
  void execute(AttentionOp op);
  void execute(AttentionGradOp op);

  // Precision.cpp
  void execute(QuantizeOp op);
  void execute(DequantizeOp op);
  void execute(AmaxOp op);
  void execute(ComputeScaleOp op);
  void execute(RecordAmaxesOp op);
  void execute(UpdateScalesOp op);
  void execute(ScaledMatmulOp op);
  /// Copies of `x`, which may be padded, and its amax; any may be null.
  void quantizeTo(const HostTensor &x, const HostTensor &scale, Value rowwise,
                  Value columnwise, Value amax);
  /// The result of a producer, itself where it is wanted and quantized where
  /// that is: its float32 value, not the rounded one.
  template <typename Op> void handOut(Op op, HostTensor &value, Value result) {
    if (op.getScale() || op.getAmax()) {
      for (double &element : value.data)
        element = round(element);
      const HostTensor none;
      quantizeTo(value, op.getScale() ? get(op.getScale()) : none,
                 op.getRowwise(), op.getColumnwise(), op.getAmax());
    }
    if (result)
      make(result).data = value.data;
  }

  // Training.cpp
  void execute(ShiftLabelsOp op);
  void execute(CountLabelsOp op);
  void execute(CrossEntropyOp op);
  void execute(CrossEntropyGradOp op);
  void execute(CrossEntropyWithGradOp op);
  void execute(SquaredErrorOp op);
  void execute(SquaredErrorGradOp op);
  void execute(GlobalNormOp op);
  void execute(ClipCoefficientOp op);
  void execute(AdvanceStepOp op);
  void execute(UpdateOp op);

  // Tensors.cpp
  SmallVector<int64_t> getNumbers(ArrayRef<OpFoldResult> numbers);
  void execute(SplitOp op);
  void execute(tensor::ConcatOp op);
  void execute(tensor::ExtractSliceOp op);
  void execute(tensor::InsertSliceOp op);
  void execute(tensor::ExtractOp op);
  void execute(linalg::TransposeOp op);
  void execute(arith::ConstantOp op);

  func::FuncOp function;
  Rounding &round;
  Observer observe; ///< or null
  llvm::DenseMap<Value, std::unique_ptr<HostTensor>> values;
};

/// Distances of neighbours along every dimension of a row-major tensor.
inline SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

/// Calls `body(index, linear)` for every index of `shape`, in row-major order.
template <typename Body> void forEachIndex(ArrayRef<int64_t> shape, Body body) {
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t size = 1;
  for (int64_t dim : shape)
    size *= dim;
  for (int64_t linear = 0; linear < size; ++linear) {
    body(ArrayRef<int64_t>(index), linear);
    for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
}

} // namespace mlir::te::test

#endif // TE_TEST_LIB_EVALUATOR_EVALUATOR_H
