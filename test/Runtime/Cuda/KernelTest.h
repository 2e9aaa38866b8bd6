// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of one op on the CPU and on the GPU, and comparisons of what they give.
#ifndef TERT_TEST_RUNTIME_CUDA_KERNELTEST_H
#define TERT_TEST_RUNTIME_CUDA_KERNELTEST_H

#include "Gpu.h"

namespace tert_test {

/// Tensors of one call, on both sides.
class KernelTest : public GpuTest {
protected:
  using Arguments = std::vector<const tert_tensor *>;

  /// Calls `op` with `tensors` on the CPU and on the GPU; the results replace
  /// them in `onCpu` and `onGpu`.
  template <typename Op>
  void runBoth(const std::vector<Tensor> &tensors, const Op &op) {
    onCpu = tensors;
    onGpu.clear();
    Arguments arguments;
    for (Tensor &tensor : onCpu)
      arguments.push_back(tensor);
    ASSERT_EQ(op(static_cast<tert_context *>(cpu), arguments), TERT_OK)
        << cpu.error();
    std::list<OnGpu> copies;
    arguments.clear();
    for (const Tensor &tensor : tensors) {
      copies.emplace_back(gpu, tensor);
      arguments.push_back(copies.back());
    }
    ASSERT_EQ(op(gpu, arguments), TERT_OK) << gpuError();
    ASSERT_EQ(tert_synchronize(gpu), TERT_OK) << gpuError();
    for (const OnGpu &copy : copies)
      onGpu.push_back(copy.read());
    for (const Tensor &tensor : onGpu)
      tensor.checkGaps();
  }

  void expectSameBits(size_t index) {
    const Tensor &a = onGpu[index], &b = onCpu[index];
    for (int64_t i = 0, e = a.numElements(); i < e; ++i)
      ASSERT_EQ(a.bitsAt(i), b.bitsAt(i))
          << "tensor " << index << " at " << i << ": " << a.at(i) << " for "
          << b.at(i);
  }

  /// Within `bound` of the CPU's, as a share of the tensor's norm.
  void expectClose(size_t index, double bound) {
    EXPECT_LE(relativeError(onGpu[index], onCpu[index]), bound)
        << "tensor " << index;
  }

  /// FP8 codes that are the CPU's or, in at most `share` of them, a neighbour
  /// in value: f32 results a few units apart that straddle a tie.
  void expectCodes(size_t index, double share) {
    const Tensor &a = onGpu[index], &b = onCpu[index];
    int64_t differing = 0;
    for (int64_t i = 0, e = a.numElements(); i < e; ++i) {
      int x = int(a.bitsAt(i)), y = int(b.bitsAt(i));
      if (x == y)
        continue;
      ++differing;
      // Around zero the sign may differ as well.
      int apart =
          (x & 0x80) == (y & 0x80) ? std::abs(x - y) : (x & 0x7f) + (y & 0x7f);
      ASSERT_LE(apart, 1) << "tensor " << index << " at " << i;
    }
    EXPECT_LE(double(differing), 2 + share * double(a.numElements()))
        << "tensor " << index;
  }

  std::vector<Tensor> onCpu, onGpu;
};

struct Shape {
  int64_t rows, cols, gap;
};

inline const Shape shapes[] = {
    {1, 1, 0},    {1, 300, 0},  {70, 1, 3},    {16, 16, 0},    {33, 47, 0},
    {64, 128, 0}, {65, 129, 3}, {200, 190, 2}, {300, 1024, 0}, {129, 768, 8},
    {0, 5, 0},    {5, 0, 0},    {3, 5000, 0},  {513, 2304, 0}};

/// Rows of models, which norms read once: by one to eight warps, with all they
/// can hold and with less, in one strip of a block and in several.
inline std::vector<Shape> normShapes() {
  std::vector<Shape> all(std::begin(shapes), std::end(shapes));
  all.insert(all.end(), {{64, 256, 0},
                         {64, 512, 0},
                         {128, 768, 0},
                         {64, 1024, 8},
                         {64, 1280, 0},
                         {64, 1536, 0},
                         {64, 1792, 0},
                         {64, 2048, 0},
                         {64, 2304, 0},
                         {64, 3072, 0},
                         {128, 3328, 0},
                         {192, 4096, 0},
                         {32768, 256, 0}});
  return all;
}

/// Enough tiles that every block takes several.
inline const Shape largeShapes[] = {
    {8192, 4096, 0}, {16384, 768, 0}, {1, 9000000, 0}, {3000, 4104, 8}};

inline Tensor poisoned(int32_t dtype, std::vector<int64_t> sizes,
                       int64_t gap = 0) {
  Tensor tensor(dtype, std::move(sizes), gap);
  for (int64_t i = 0, e = tensor.numElements(); i < e; ++i)
    tensor.setBits(i, ~uint64_t(0));
  return tensor;
}

inline Tensor random(int32_t dtype, std::vector<int64_t> sizes, int64_t gap,
                     uint32_t seed, double deviation = 1.0) {
  Tensor tensor(dtype, std::move(sizes), gap);
  tensor.randomize(seed, deviation);
  return tensor;
}

/// rowwise, columnwise, amax behind `tensors`; padded and unaligned, or as the
/// compiler lays them out.
inline void addQuantized(std::vector<Tensor> &tensors, int32_t format,
                         const Shape &shape) {
  bool padded = shape.gap != 0;
  int64_t rows = shape.rows + (padded ? 3 : 0);
  int64_t cols = shape.cols + (padded ? 5 : 0);
  tensors.push_back(poisoned(format, {rows, cols}, padded ? 2 : 0));
  tensors.push_back(poisoned(
      format, {shape.cols + (padded ? 200 : 0), shape.rows + (padded ? 70 : 0)},
      padded ? 1 : 0));
  tensors.push_back(poisoned(TERT_F32, {}));
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_CUDA_KERNELTEST_H
