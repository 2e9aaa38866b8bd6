// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/LinearWork.h"

#include <numeric>

using namespace mlir;
using namespace mlir::te;

Value mlir::te::getWeight(LinearOpInterface linear) {
  return linear->getOperand(linear.getWeightOperand());
}

Value mlir::te::getBias(LinearOpInterface linear) {
  std::optional<unsigned> number = linear.getBiasOperand();
  return number ? linear->getOperand(*number) : Value();
}

static int64_t getWidth(LinearOpInterface linear) {
  return cast<RankedTensorType>(linear->getResult(0).getType()).getDimSize(1);
}

namespace {
/// Adds the kernels of layers to a list.
class LinearWork {
public:
  LinearWork(LinearOpInterface like, const LinearFuture &future,
             SmallVector<Work> &kernels)
      : like(like), future(future), kernels(kernels),
        isFp8(future.precision == ComputePrecision::FP8) {
    MLIRContext *context = like->getContext();
    Type f32 = Float32Type::get(context), bf16 = BFloat16Type::get(context);
    compute = future.precision == ComputePrecision::F32 ? f32 : bf16;
    parameter = future.boundary == BoundaryType::F32 ? f32 : bf16;
    input = weight = gradient = compute;
    auto weightType = cast<RankedTensorType>(getWeight(like).getType());
    auto resultType = cast<RankedTensorType>(like->getResult(0).getType());
    m = resultType.getDimSize(0);
    k = weightType.getDimSize(1 - like.getFeatureDim());
    if (isFp8) {
      input = future.recipe.getElementType(TensorRole::Input);
      weight = future.recipe.getElementType(TensorRole::Weight);
      gradient = future.recipe.getElementType(TensorRole::GradOutput);
      m = llvm::alignTo(m, kFp8Alignment);
      k = llvm::alignTo(k, kFp8Alignment);
      carriesScales = !future.recipe.getStates(1).empty();
    }
  }

  void addProducts(int64_t width);
  /// Of the gradient of the layers' result.
  void addGradientQuantization(int64_t width);
  /// Of weights that are updated.
  void addWeightQuantizations(ArrayRef<int64_t> widths, bool joined);
  /// Sums the gradients of the input from `count` products.
  void addInputGradientSums(int64_t count);

private:
  int64_t aligned(int64_t width) const {
    return isFp8 ? llvm::alignTo(width, kFp8Alignment) : width;
  }
  void addProduct(int64_t m, int64_t n, int64_t k, Type a, Type b, Type d,
                  bool transposeA, bool transposeB, bool isForward);
  /// Of a weight, by the optimizer or in the step that reads it.
  void addWeightQuantization(int64_t width, bool byOptimizer);
  /// What makes the scale of a tensor, if that is done in the step.
  void addScale(int64_t rows, int64_t cols, Type type) {
    llvm::append_range(kernels, future.recipe.getScaleWork(
                                    RankedTensorType::get({rows, cols}, type)));
  }
  double bytesOf(int64_t rows, int64_t cols, Type type) const {
    return getBytes(RankedTensorType::get({rows, cols}, type));
  }

  LinearOpInterface like;
  const LinearFuture &future;
  SmallVector<Work> &kernels;
  int64_t m, k;
  bool isFp8;
  bool carriesScales = false;
  /// Element types: of what is computed and of parameters, and of what products
  /// read.
  Type compute, parameter, input, weight, gradient;
};
} // namespace

void LinearWork::addProduct(int64_t m, int64_t n, int64_t k, Type a, Type b,
                            Type d, bool transposeA, bool transposeB,
                            bool isForward) {
  MatrixProduct product{m, n, k, a, b, d};
  // The one form that FP8 products have.
  product.transposeA = !isFp8 && transposeA;
  product.transposeB = isFp8 || transposeB;
  product.hasBias = isForward && like.getBiasOperand();
  product.fastAccumulate = isFp8 && isForward;
  kernels.push_back(
      Work::ofProduct(isFp8 ? "scaled_matmul" : "matmul", product));
}

void LinearWork::addProducts(int64_t width) {
  int64_t n = aligned(width);
  bool transposed = like.getFeatureDim() == 0;
  addProduct(m, n, k, input, weight, compute, /*transposeA=*/false, transposed,
             /*isForward=*/true);
  if (!future.hasGradients)
    return;
  addProduct(m, k, n, gradient, weight, compute, /*transposeA=*/false,
             !transposed, /*isForward=*/false);
  if (future.isFrozen)
    return;
  // The gradient of the weight is stored as the weight is.
  if (transposed)
    addProduct(n, k, m, gradient, input, parameter, /*transposeA=*/true,
               /*transposeB=*/false, /*isForward=*/false);
  else
    addProduct(k, n, m, input, gradient, parameter, /*transposeA=*/true,
               /*transposeB=*/false, /*isForward=*/false);
}

void LinearWork::addGradientQuantization(int64_t width) {
  if (!future.hasGradients)
    return;
  Work work;
  double read = bytesOf(m, width, compute);
  if (isFp8) {
    addScale(m, width, compute);
    work.kernel = "quantize";
    work.bytes = read + 2 * bytesOf(m, aligned(width), gradient);
    if (like.getBiasOperand())
      work.addExtra("dbias");
  } else if (like.getBiasOperand()) {
    work.kernel = "column_sum";
    work.bytes = read;
  } else {
    return;
  }
  kernels.push_back(std::move(work));
}

void LinearWork::addWeightQuantization(int64_t width, bool byOptimizer) {
  Work work;
  work.kernel = byOptimizer ? "update" : "quantize";
  work.bytes = 2 * bytesOf(aligned(width), k, weight);
  if (byOptimizer)
    work.addExtra("quantize");
  else
    work.bytes += bytesOf(width, k, parameter);
  kernels.push_back(std::move(work));
}

void LinearWork::addWeightQuantizations(ArrayRef<int64_t> widths, bool joined) {
  if (!isFp8)
    return;
  if (carriesScales) {
    // Without an optimizer nothing differs but the number of launches.
    if (!future.optimizer)
      return;
    // Copies of a frozen parameter stay; those of a weight that is put together
    // of several are made in every step.
    if (future.isFrozen && !joined)
      return;
    // The parts of a joined weight are separate parameters: the optimizer
    // writes no copies of what it does not update as one, and each part is
    // quantized where it lies (tert-quantize-parts).
    for (int64_t width : widths)
      addWeightQuantization(width, /*byOptimizer=*/!joined);
    return;
  }
  // A scale made in the step is made of the whole weight, which is put together
  // for it.
  if (joined)
    for (int64_t width : widths) {
      Work copy;
      copy.kernel = "copy";
      copy.bytes = 2 * bytesOf(width, k, parameter);
      kernels.push_back(std::move(copy));
    }
  int64_t total = std::accumulate(widths.begin(), widths.end(), int64_t(0));
  for (int64_t width : joined ? ArrayRef(total) : widths) {
    addScale(width, k, parameter);
    addWeightQuantization(width, /*byOptimizer=*/false);
  }
}

void LinearWork::addInputGradientSums(int64_t count) {
  if (!future.hasGradients)
    return;
  for (int64_t i = 1; i < count; ++i) {
    Work work;
    work.kernel = "add";
    work.bytes = 3 * bytesOf(m, k, compute);
    kernels.push_back(std::move(work));
  }
}

SmallVector<Work> mlir::te::getLinearWork(ArrayRef<LinearOpInterface> linears,
                                          bool joined,
                                          const LinearFuture &future) {
  SmallVector<Work> kernels;
  LinearWork work(linears.front(), future, kernels);
  SmallVector<int64_t> widths = llvm::map_to_vector(linears, getWidth);
  work.addWeightQuantizations(widths, joined);
  if (joined)
    widths = {std::accumulate(widths.begin(), widths.end(), int64_t(0))};
  for (int64_t width : widths) {
    work.addProducts(width);
    work.addGradientQuantization(width);
  }
  work.addInputGradientSums(widths.size());
  return kernels;
}
