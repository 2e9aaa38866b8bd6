// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices of more than 2^31 elements, where a 32-bit index overflows. Rows
// hold one value each, and what is read back is the first and the last ones.

#include "Gpu.h"
#include "tert/device.h"

#include <cmath>
#include <vector>

using namespace tert_test;

namespace {
constexpr int64_t rows = 65552, cols = 32768;
static_assert(rows * cols > int64_t(1) << 31);
constexpr uint64_t neededBytes = uint64_t(12) << 30;

uint16_t bf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return uint16_t(bits >> 16); // values here have few digits
}

float fromBf16(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

/// A dense tensor in the GPU's memory.
class Large {
public:
  Large(tert_context *gpu, int32_t dtype, std::vector<int64_t> sizes)
      : gpu(gpu), layout{dtype, int32_t(sizes.size()), {}, {}} {
    int64_t stride = 1;
    for (size_t dim = sizes.size(); dim-- > 0; stride *= sizes[dim]) {
      layout.sizes[dim] = sizes[dim];
      layout.strides[dim] = stride;
    }
    bytes = dtype == TERT_F32    ? 4
            : dtype == TERT_I64  ? 8
            : dtype == TERT_BF16 ? 2
                                 : 1;
    EXPECT_EQ(tert_allocate(gpu, size_t(stride * bytes), &memory), TERT_OK)
        << tert_last_error(gpu);
    tensor = {memory, &layout};
  }
  ~Large() { tert_release(gpu, memory); }
  Large(const Large &) = delete;
  Large &operator=(const Large &) = delete;

  operator const tert_tensor *() const { return &tensor; }
  char *at(int64_t index) const {
    return static_cast<char *>(memory) + index * bytes;
  }
  template <typename T> T read(int64_t index) const {
    T value = {};
    EXPECT_EQ(tert_copy_to_host(gpu, &value, at(index), sizeof(T)), TERT_OK);
    return value;
  }
  float readBf16(int64_t index) const {
    return fromBf16(read<uint16_t>(index));
  }
  template <typename T>
  void write(int64_t index, const std::vector<T> &values) const {
    EXPECT_EQ(tert_copy_to_device(gpu, at(index), values.data(),
                                  values.size() * sizeof(T)),
              TERT_OK);
  }

private:
  tert_context *gpu;
  tert_layout layout;
  int64_t bytes = 0;
  void *memory = nullptr;
  tert_tensor tensor;
};

class LargeTest : public GpuTest {
protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (!gpu)
      return;
    tert_device_info info = {};
    ASSERT_EQ(tert_device_read_info(gpu, &info), TERT_OK);
    if (info.free_bytes < neededBytes)
      GTEST_SKIP() << "needs 12 GiB of free memory";
  }

  /// Ones, and threes in the last row.
  void fill(const Large &x) {
    ASSERT_EQ(tert_fill(gpu, nullptr, x, 1.0), TERT_OK) << gpuError();
    x.write<uint16_t>((rows - 1) * cols,
                      std::vector<uint16_t>(cols, bf16(3.0f)));
  }

  static constexpr int64_t end = rows * cols - 1; // the last element
};
} // namespace

TEST_F(LargeTest, FillCopyAdd) {
  Large x(gpu, TERT_BF16, {rows, cols}), y(gpu, TERT_BF16, {rows, cols});
  Large row(gpu, TERT_BF16, {cols});
  ASSERT_NO_FATAL_FAILURE(fill(x));
  ASSERT_EQ(tert_fill(gpu, nullptr, row, 0.5), TERT_OK);
  ASSERT_EQ(tert_fill(gpu, nullptr, y, 0.0), TERT_OK);
  ASSERT_EQ(tert_copy(gpu, nullptr, x, y), TERT_OK) << gpuError();
  EXPECT_EQ(y.readBf16(0), 1.0f);
  EXPECT_EQ(y.readBf16(end - cols), 1.0f);
  EXPECT_EQ(y.readBf16(end), 3.0f);
  ASSERT_EQ(tert_add(gpu, nullptr, x, row, y), TERT_OK) << gpuError();
  EXPECT_EQ(y.readBf16(0), 1.5f);
  EXPECT_EQ(y.readBf16(end - cols), 1.5f);
  EXPECT_EQ(y.readBf16(end), 3.5f);
}

TEST_F(LargeTest, Quantize) {
  Large x(gpu, TERT_BF16, {rows, cols}), scale(gpu, TERT_F32, {});
  Large rowwise(gpu, TERT_F8E4M3, {rows, cols}), amax(gpu, TERT_F32, {});
  Large columnwise(gpu, TERT_F8E4M3, {cols, rows});
  ASSERT_NO_FATAL_FAILURE(fill(x));
  scale.write<float>(0, {2.0f});
  ASSERT_EQ(tert_quantize(gpu, nullptr, x,
                          Quantized(scale, rowwise, columnwise, amax), nullptr),
            TERT_OK)
      << gpuError();
  const uint8_t two = 0x40, six = 0x4c; // in E4M3
  EXPECT_EQ(rowwise.read<uint8_t>(0), two);
  EXPECT_EQ(rowwise.read<uint8_t>(end - cols), two);
  EXPECT_EQ(rowwise.read<uint8_t>(end), six);
  // The last row is the end of every column.
  EXPECT_EQ(columnwise.read<uint8_t>(0), two);
  EXPECT_EQ(columnwise.read<uint8_t>(rows - 1), six);
  EXPECT_EQ(columnwise.read<uint8_t>(end - 1), two);
  EXPECT_EQ(columnwise.read<uint8_t>(end), six);
  EXPECT_EQ(amax.read<float>(0), 3.0f);
}

TEST_F(LargeTest, Sums) {
  Large x(gpu, TERT_BF16, {rows, cols}), sums(gpu, TERT_F32, {cols});
  Large norm(gpu, TERT_F32, {});
  ASSERT_NO_FATAL_FAILURE(fill(x));
  ASSERT_EQ(tert_column_sum(gpu, nullptr, x, sums), TERT_OK) << gpuError();
  EXPECT_EQ(sums.read<float>(0), float(rows - 1 + 3));
  EXPECT_EQ(sums.read<float>(cols - 1), float(rows - 1 + 3));
  const tert_tensor *gradient = x;
  ASSERT_EQ(tert_global_norm(gpu, nullptr, 1, gradient, norm), TERT_OK)
      << gpuError();
  double expected = std::sqrt(double(rows - 1) * cols + 9.0 * cols);
  EXPECT_NEAR(norm.read<float>(0), expected, 1e-6 * expected);
}

TEST_F(LargeTest, CrossEntropy) {
  Large logits(gpu, TERT_BF16, {rows, cols}), labels(gpu, TERT_I64, {rows});
  Large loss(gpu, TERT_F32, {}), lse(gpu, TERT_F32, {rows});
  Large count(gpu, TERT_F32, {}), dloss(gpu, TERT_F32, {});
  Large dlogits(gpu, TERT_BF16, {rows, cols});
  ASSERT_NO_FATAL_FAILURE(fill(logits));
  ASSERT_EQ(tert_fill(gpu, nullptr, labels, double(cols - 1)), TERT_OK);
  dloss.write<float>(0, {1.0f});
  ASSERT_EQ(tert_cross_entropy(gpu, nullptr, logits, labels, loss, lse, count,
                               -100, TERT_SUM, 0, 0),
            TERT_OK)
      << gpuError();
  // Every row is uniform.
  const double each = std::log(double(cols));
  EXPECT_NEAR(loss.read<float>(0), each * rows, 1e-5 * each * rows);
  EXPECT_NEAR(lse.read<float>(0), each + 1, 1e-5);
  EXPECT_NEAR(lse.read<float>(rows - 1), each + 3, 1e-5);
  ASSERT_EQ(tert_cross_entropy_grad(gpu, nullptr, dloss, logits, labels, lse,
                                    count, dlogits, -100, TERT_SUM, 0, 0),
            TERT_OK)
      << gpuError();
  EXPECT_NEAR(dlogits.readBf16(0), 1.0 / cols, 1e-6);
  EXPECT_NEAR(dlogits.readBf16(end - 1), 1.0 / cols, 1e-6);
  EXPECT_NEAR(dlogits.readBf16(end), 1.0 / cols - 1, 4e-3);
  EXPECT_NEAR(dlogits.readBf16(end - cols), 1.0 / cols - 1, 4e-3);
}

TEST_F(LargeTest, Matmul) {
  const int64_t k = 16;
  Large a(gpu, TERT_BF16, {rows, k}), b(gpu, TERT_BF16, {cols, k});
  Large d(gpu, TERT_BF16, {rows, cols});
  ASSERT_EQ(tert_fill(gpu, nullptr, a, 1.0), TERT_OK);
  ASSERT_EQ(tert_fill(gpu, nullptr, b, 0.25), TERT_OK);
  a.write<uint16_t>((rows - 1) * k, std::vector<uint16_t>(k, bf16(3.0f)));
  b.write<uint16_t>((cols - 1) * k, std::vector<uint16_t>(k, bf16(0.5f)));
  ASSERT_EQ(tert_matmul(gpu, nullptr, a, b, nullptr, d, 0, 1, 0), TERT_OK)
      << gpuError();
  EXPECT_EQ(d.readBf16(0), 4.0f);
  EXPECT_EQ(d.readBf16(end - cols), 8.0f);
  EXPECT_EQ(d.readBf16(end - 1), 12.0f);
  EXPECT_EQ(d.readBf16(end), 24.0f);
}
