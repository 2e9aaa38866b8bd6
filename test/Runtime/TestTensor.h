// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors for tests of the C ABI: they own memory and layout, guard the gaps
// between rows, and convert to and from double.
#ifndef TERT_TEST_RUNTIME_TESTTENSOR_H
#define TERT_TEST_RUNTIME_TESTTENSOR_H

#include "Fp8Value.h"
#include "tert/ops.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tert_test {

inline int64_t bytesOf(int32_t dtype) {
  switch (dtype) {
  case TERT_F32:
  case TERT_I32:
    return 4;
  case TERT_BF16:
    return 2;
  case TERT_I64:
    return 8;
  default:
    return 1;
  }
}

inline float bf16Value(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

/// Round to nearest even.
inline uint16_t bf16Bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (std::isnan(value))
    return uint16_t(bits >> 16 | 0x40);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// A tensor that owns its memory. Bytes between and behind the rows hold a
/// pattern that checkGaps() expects to find again.
class Tensor {
public:
  /// Row-major; `rowGap` elements are left free behind every innermost row.
  Tensor(int32_t dtype, std::vector<int64_t> sizes, int64_t rowGap = 0) {
    std::vector<int64_t> strides(sizes.size());
    int64_t stride = 1;
    for (size_t dim = sizes.size(); dim-- > 0;) {
      strides[dim] = stride;
      stride *= sizes[dim];
      if (dim + 1 == sizes.size())
        stride += rowGap;
    }
    init(dtype, sizes, strides);
  }
  Tensor(int32_t dtype, std::vector<int64_t> sizes,
         std::vector<int64_t> strides) {
    init(dtype, sizes, strides);
  }
  static Tensor scalar(float value) {
    Tensor tensor(TERT_F32, {});
    tensor.set(0, value);
    return tensor;
  }

  Tensor(const Tensor &other) { *this = other; }
  Tensor &operator=(const Tensor &other) {
    layout = other.layout;
    memory = other.memory;
    handle = {memory.data() + guardBytes, &layout};
    return *this;
  }

  /// Some rows of a tensor, in its memory.
  class Rows {
  public:
    Rows(const Tensor &tensor, int64_t first, int64_t count)
        : layout(tensor.layout) {
      layout.sizes[0] = count;
      handle.data = static_cast<uint8_t *>(tensor.data()) +
                    first * layout.strides[0] * bytesOf(layout.dtype);
    }
    operator const tert_tensor *() {
      handle.layout = &layout;
      return &handle;
    }

  private:
    tert_layout layout;
    tert_tensor handle;
  };
  Rows rows(int64_t first, int64_t count) const {
    return Rows(*this, first, count);
  }

  operator const tert_tensor *() const { return &handle; }
  const tert_tensor &get() const { return handle; }
  void *data() const { return handle.data; }
  /// May be edited to build bad tensors.
  tert_layout layout;

  int64_t numElements() const {
    int64_t count = 1;
    for (int32_t dim = 0; dim < layout.rank; ++dim)
      count *= layout.sizes[dim];
    return count;
  }
  int64_t size(int dim) const { return layout.sizes[dim]; }

  /// Element number `index` in row-major order of the sizes.
  double at(int64_t index) const { return load(offsetOf(index)); }
  double at(int64_t row, int64_t col) const { return at(row * size(1) + col); }
  void set(int64_t index, double value) { store(offsetOf(index), value); }
  /// The bits of an element, for comparisons that must be exact.
  uint64_t bitsAt(int64_t index) const {
    uint64_t bits = 0;
    std::memcpy(&bits, address(offsetOf(index)), bytesOf(layout.dtype));
    return bits;
  }
  uint64_t bitsAt(int64_t row, int64_t col) const {
    return bitsAt(row * size(1) + col);
  }
  void setBits(int64_t index, uint64_t bits) {
    std::memcpy(address(offsetOf(index)), &bits, bytesOf(layout.dtype));
  }

  Tensor &fill(const std::function<double(int64_t)> &value) {
    for (int64_t i = 0, e = numElements(); i < e; ++i)
      set(i, value(i));
    return *this;
  }
  /// Normally distributed.
  Tensor &randomize(uint32_t seed, double deviation = 1.0) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> distribution(0.0, deviation);
    return fill([&](int64_t) { return distribution(generator); });
  }

  /// Whether every element has the same bits as in `other`.
  bool sameBits(const Tensor &other) const {
    for (int64_t i = 0, e = numElements(); i < e; ++i)
      if (bitsAt(i) != other.bitsAt(i))
        return false;
    return true;
  }

  /// Nothing outside the tensor's elements was written.
  void checkGaps() const {
    std::vector<bool> used(memory.size(), false);
    for (int64_t i = 0, e = numElements(); i < e; ++i) {
      size_t begin = address(offsetOf(i)) - memory.data();
      for (int64_t byte = 0; byte < bytesOf(layout.dtype); ++byte)
        used[begin + byte] = true;
    }
    for (size_t i = 0; i < memory.size(); ++i)
      if (!used[i])
        ASSERT_EQ(memory[i], pattern) << "byte " << i << " was written";
  }

  /// The whole memory, gaps and guards included, for copies to a device.
  const unsigned char *memoryData() const { return memory.data(); }
  unsigned char *memoryData() { return memory.data(); }
  size_t memoryBytes() const { return memory.size(); }
  size_t dataOffset() const { return guardBytes; }

private:
  // A multiple of what devices align memory to.
  static constexpr size_t guardBytes = 256;
  static constexpr unsigned char pattern = 0xA5;

  void init(int32_t dtype, const std::vector<int64_t> &sizes,
            const std::vector<int64_t> &strides) {
    layout = {};
    layout.dtype = dtype;
    layout.rank = static_cast<int32_t>(sizes.size());
    int64_t span = 1;
    for (size_t dim = 0; dim < sizes.size(); ++dim) {
      layout.sizes[dim] = sizes[dim];
      layout.strides[dim] = strides[dim];
      span += sizes[dim] ? (sizes[dim] - 1) * strides[dim] : 0;
    }
    memory.assign(span * bytesOf(dtype) + 2 * guardBytes, pattern);
    handle = {memory.data() + guardBytes, &layout};
  }

  int64_t offsetOf(int64_t index) const {
    int64_t offset = 0;
    for (int32_t dim = layout.rank - 1; dim >= 0; --dim) {
      offset += index % layout.sizes[dim] * layout.strides[dim];
      index /= layout.sizes[dim];
    }
    return offset;
  }
  unsigned char *address(int64_t offset) const {
    return static_cast<unsigned char *>(handle.data) +
           offset * bytesOf(layout.dtype);
  }
  template <typename T> T read(int64_t offset) const {
    T value;
    std::memcpy(&value, address(offset), sizeof(value));
    return value;
  }
  template <typename T> void write(int64_t offset, T value) {
    std::memcpy(address(offset), &value, sizeof(value));
  }
  double load(int64_t offset) const {
    switch (layout.dtype) {
    case TERT_F32:
      return read<float>(offset);
    case TERT_BF16:
      return bf16Value(read<uint16_t>(offset));
    case TERT_I64:
      return double(read<int64_t>(offset));
    case TERT_I32:
      return read<int32_t>(offset);
    case TERT_U8:
      return read<uint8_t>(offset);
    default:
      return fp8Value(layout.dtype, read<uint8_t>(offset));
    }
  }
  void store(int64_t offset, double value) {
    switch (layout.dtype) {
    case TERT_F32:
      return write(offset, float(value));
    case TERT_BF16:
      return write(offset, bf16Bits(float(value)));
    case TERT_I64:
      return write(offset, int64_t(value));
    case TERT_I32:
      return write(offset, int32_t(value));
    default: // codes of FP8, and bytes
      return write(offset, uint8_t(value));
    }
  }

  std::vector<unsigned char> memory;
  tert_tensor handle;
};

/// A tert_scaled: an FP8 copy and its scale.
class Scaled {
public:
  Scaled(const tert_tensor *data, const tert_tensor *scaleInv)
      : value{data, scaleInv} {}
  operator const tert_scaled *() const { return &value; }

private:
  tert_scaled value;
};

/// A tert_quantized; null parts are not wanted.
class Quantized {
public:
  Quantized(const tert_tensor *scale, const tert_tensor *rowwise,
            const tert_tensor *columnwise, const tert_tensor *amax)
      : value{scale, {rowwise, nullptr}, {columnwise, nullptr}, amax} {}
  operator const tert_quantized *() const { return &value; }
  const tert_quantized &get() const { return value; }

private:
  tert_quantized value;
};

/// A CPU context that closes itself.
class Context {
public:
  explicit Context(int32_t numThreads = 2) {
    tert_options options = {numThreads, 0};
    char message[256] = "";
    EXPECT_EQ(tert_open("cpu", &options, &context, message, sizeof(message)),
              TERT_OK)
        << message;
  }
  ~Context() { tert_close(context); }
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  operator tert_context *() const { return context; }
  std::string error() const { return tert_last_error(context); }

private:
  tert_context *context = nullptr;
};

/// EXPECT_OK(context, tert_...(context, ...))
#define EXPECT_OK(context, call) EXPECT_EQ((call), TERT_OK) << (context).error()

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_TESTTENSOR_H
