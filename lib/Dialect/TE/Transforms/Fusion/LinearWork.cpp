// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/LinearWork.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// Adds the kernels of layers to a list.
class LinearWork {
public:
  LinearWork(MatmulOp like, const LinearFuture &future,
             SmallVector<Work> &kernels)
      : like(like), future(future), kernels(kernels), m(like.getM()),
        k(like.getK()), isFp8(future.precision == ComputePrecision::FP8) {
    MLIRContext *context = like.getContext();
    Type f32 = Float32Type::get(context), bf16 = BFloat16Type::get(context);
    compute = future.precision == ComputePrecision::F32 ? f32 : bf16;
    parameter = future.boundary == BoundaryType::F32 ? f32 : bf16;
    forward = isFp8 ? Type(Float8E4M3FNType::get(context)) : compute;
    gradient = isFp8 ? Type(Float8E5M2Type::get(context)) : compute;
    if (isFp8) {
      m = llvm::alignTo(m, kFp8Alignment);
      k = llvm::alignTo(k, kFp8Alignment);
    }
  }

  void addProducts(int64_t width);
  /// Of the gradient of the layers' result.
  void addGradientQuantization(int64_t width);
  /// Of weights that the optimizer has updated: by itself, or in the step that
  /// reads them.
  void addWeightQuantization(int64_t width, bool byOptimizer);
  /// Sums the gradients of the input from `count` products.
  void addInputGradientSums(int64_t count);

private:
  int64_t aligned(int64_t width) const {
    return isFp8 ? llvm::alignTo(width, kFp8Alignment) : width;
  }
  void addProduct(int64_t m, int64_t n, int64_t k, Type a, Type b, Type d,
                  bool transposeA, bool transposeB, bool isForward);
  double bytesOf(int64_t rows, int64_t cols, Type type) const {
    return getBytes(RankedTensorType::get({rows, cols}, type));
  }

  MatmulOp like;
  const LinearFuture &future;
  SmallVector<Work> &kernels;
  int64_t m, k;
  bool isFp8;
  Type compute, parameter, forward, gradient;
};
} // namespace

void LinearWork::addProduct(int64_t m, int64_t n, int64_t k, Type a, Type b,
                            Type d, bool transposeA, bool transposeB,
                            bool isForward) {
  MatrixProduct product{m, n, k, a, b, d};
  // The one form that FP8 products have.
  product.transposeA = !isFp8 && transposeA;
  product.transposeB = isFp8 || transposeB;
  product.hasBias = isForward && like.getBias();
  product.fastAccumulate = isFp8 && isForward;
  kernels.push_back(
      Work::ofProduct(isFp8 ? "scaled_matmul" : "matmul", product));
}

void LinearWork::addProducts(int64_t width) {
  int64_t n = aligned(width);
  bool transposed = like.getTransposeB();
  addProduct(m, n, k, forward, forward, compute, /*transposeA=*/false,
             transposed, /*isForward=*/true);
  if (!future.hasGradients)
    return;
  addProduct(m, k, n, gradient, forward, compute, /*transposeA=*/false,
             !transposed, /*isForward=*/false);
  // The gradient of the weight is stored as the weight is.
  if (transposed)
    addProduct(n, k, m, gradient, forward, parameter, /*transposeA=*/true,
               /*transposeB=*/false, /*isForward=*/false);
  else
    addProduct(k, n, m, forward, gradient, parameter, /*transposeA=*/true,
               /*transposeB=*/false, /*isForward=*/false);
}

void LinearWork::addGradientQuantization(int64_t width) {
  if (!future.hasGradients)
    return;
  Work work;
  double read = bytesOf(m, width, compute);
  if (isFp8) {
    work.kernel = "quantize";
    work.bytes = read + 2 * bytesOf(m, aligned(width), gradient);
    if (like.getBias())
      work.addExtra("dbias");
  } else if (like.getBias()) {
    work.kernel = "column_sum";
    work.bytes = read;
  } else {
    return;
  }
  kernels.push_back(std::move(work));
}

void LinearWork::addWeightQuantization(int64_t width, bool byOptimizer) {
  if (!isFp8 || !future.optimizer)
    return;
  Work work;
  work.kernel =
      byOptimizer ? future.optimizer.getOptimizerName() : StringRef("quantize");
  work.bytes = 2 * bytesOf(aligned(width), k, forward);
  if (byOptimizer)
    work.addExtra("quantize");
  else
    work.bytes += bytesOf(width, k, parameter);
  kernels.push_back(std::move(work));
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

SmallVector<Work> mlir::te::getLinearWork(ArrayRef<MatmulOp> linears,
                                          bool joined,
                                          const LinearFuture &future) {
  SmallVector<Work> kernels;
  LinearWork work(linears.front(), future, kernels);
  int64_t total = 0;
  for (MatmulOp linear : linears) {
    int64_t width = linear.getN();
    total += width;
    // The parts of a joined weight are separate parameters: the optimizer
    // writes no copies of what it does not update as one.
    work.addWeightQuantization(width, /*byOptimizer=*/!joined);
    if (joined)
      continue;
    work.addProducts(width);
    work.addGradientQuantization(width);
  }
  if (joined) {
    work.addProducts(total);
    work.addGradientQuantization(total);
  } else {
    work.addInputGradientSums(linears.size());
  }
  return kernels;
}
