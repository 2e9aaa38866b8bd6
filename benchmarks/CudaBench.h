// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times calls on a GPU: they are recorded into a graph and replayed, over
// tensors that together are larger than its cache.
#ifndef TERT_BENCHMARKS_CUDABENCH_H
#define TERT_BENCHMARKS_CUDABENCH_H

#include "Dtype.h"
#include "tert/graph.h"
#include "tert/ops.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace tert_bench {

[[noreturn]] inline void fail(const std::string &message) {
  std::fprintf(stderr, "tert-benchmark-cuda-ops: %s\n", message.c_str());
  std::exit(1);
}

using Call = std::function<tert_status()>;

/// An entry that makes the calls its first buffer points to.
inline tert_status makeCalls(tert_context *, void *const *buffers) {
  for (const Call &call : *static_cast<const std::vector<Call> *>(buffers[0]))
    if (tert_status status = call())
      return status;
  return TERT_OK;
}

/// The context, and the tensors that live in it.
class Device {
public:
  explicit Device(const char *name) {
    char message[1024];
    if (tert_open(name, nullptr, &context, message, sizeof(message)))
      fail(message);
    constexpr size_t count = 1000003;
    wide.resize(4 * count);
    narrow.resize(2 * count);
    std::normal_distribution<float> distribution;
    for (size_t i = 0; i < count; ++i) {
      float value = distribution(generator);
      std::memcpy(wide.data() + 4 * i, &value, 4);
      // The upper half of an f32 is a bf16 (of a little-endian machine).
      std::memcpy(narrow.data() + 2 * i, wide.data() + 4 * i + 2, 2);
    }
  }
  ~Device() {
    clear();
    tert_close(context);
  }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  operator tert_context *() const { return context; }

  void check(tert_status status) const {
    if (status != TERT_OK)
      fail(tert_last_error(context));
  }

  /// Releases all tensors.
  void clear() {
    for (const auto &each : tensors)
      tert_release(context, each->tensor.data);
    tensors.clear();
  }

  /// Row-major. Floats are normally distributed, i64 below `limit`, the rest
  /// zero.
  const tert_tensor *tensor(int32_t dtype, const std::vector<int64_t> &sizes,
                            uint64_t limit = 100) {
    const tert_tensor *result = allocate(dtype, sizes);
    const int64_t count = countOf(sizes);
    const size_t bytes = size_t(count * bytesOf(dtype));
    std::vector<unsigned char> memory(bytes);
    if (dtype == TERT_F32 || dtype == TERT_BF16) {
      // A long period is random enough, and quickly made.
      const auto &pool = dtype == TERT_F32 ? wide : narrow;
      for (size_t i = 0; i < bytes; i += pool.size())
        std::memcpy(memory.data() + i, pool.data(),
                    std::min(pool.size(), bytes - i));
    } else if (dtype == TERT_I64) {
      for (int64_t i = 0; i < count; ++i) {
        int64_t number = int64_t(generator() % limit);
        std::memcpy(memory.data() + i * 8, &number, 8);
      }
    }
    check(tert_copy_to_device(context, result->data, memory.data(), bytes));
    return result;
  }

  /// Row-major, of any contents.
  const tert_tensor *allocate(int32_t dtype,
                              const std::vector<int64_t> &sizes) {
    auto owned = std::make_unique<Owned>();
    owned->layout.dtype = dtype;
    owned->layout.rank = int32_t(sizes.size());
    int64_t count = 1;
    for (size_t dim = sizes.size(); dim-- > 0;) {
      owned->layout.sizes[dim] = sizes[dim];
      owned->layout.strides[dim] = count;
      count *= sizes[dim];
    }
    check(tert_allocate(context, size_t(count * bytesOf(dtype)),
                        &owned->tensor.data));
    owned->tensor.layout = &owned->layout;
    tensors.push_back(std::move(owned));
    return &tensors.back()->tensor;
  }

  const tert_tensor *scalar(float value) {
    const tert_tensor *result = tensor(TERT_F32, {});
    check(tert_fill(context, nullptr, result, value));
    return result;
  }

  /// Median seconds of one of the calls, which are recorded into one graph.
  double time(const std::vector<Call> &calls, int repetitions) const {
    void *buffers[] = {const_cast<std::vector<Call> *>(&calls)};
    check(makeCalls(context, buffers));
    check(tert_synchronize(context));
    tert_graph *graph = nullptr;
    check(tert_graph_capture(context, makeCalls, buffers, &graph));
    std::vector<double> times;
    for (int i = 0; i < repetitions + 2; ++i) {
      auto start = std::chrono::steady_clock::now();
      check(tert_graph_launch(graph));
      check(tert_synchronize(context));
      std::chrono::duration<double> elapsed =
          std::chrono::steady_clock::now() - start;
      if (i >= 2)
        times.push_back(elapsed.count() / double(calls.size()));
    }
    tert_graph_release(graph);
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }

private:
  struct Owned {
    tert_layout layout = {};
    tert_tensor tensor = {};
  };

  static int64_t countOf(const std::vector<int64_t> &sizes) {
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    return count;
  }

  tert_context *context = nullptr;
  std::vector<std::unique_ptr<Owned>> tensors;
  std::vector<unsigned char> wide, narrow; // f32 and bf16 numbers
  std::minstd_rand generator{1};
};

/// Prints the time of ops beside their floor.
class Bench {
public:
  /// Ops whose names do not contain `part` are left out.
  Bench(Device &device, int repetitions, std::string part)
      : device(device), repetitions(repetitions), part(std::move(part)) {}

  /// Median seconds of one call. `make` makes the call over tensors of its own.
  double time(const std::function<Call()> &make) {
    constexpr int sets = 4, rounds = 8;
    std::vector<Call> calls;
    for (int i = 0; i < sets; ++i)
      calls.push_back(make());
    for (int i = sets; i < sets * rounds; ++i)
      calls.push_back(calls[i - sets]);
    const double seconds = device.time(calls, repetitions);
    device.clear();
    return seconds;
  }

  void measureCopy() {
    constexpr int64_t n = int64_t(1) << 29;
    double seconds = time([&] {
      const tert_tensor *x = device.tensor(TERT_BF16, {n / 4});
      const tert_tensor *y = device.tensor(TERT_BF16, {n / 4});
      return [this, x, y] { return tert_copy(device, nullptr, x, y); };
    });
    bandwidth = double(n) / seconds;
    std::printf("copy: %.2f TB/s read and written\n", bandwidth / 1e12);
    std::printf("%-46s %9s %9s %7s\n", "op", "us", "floor us", "share");
  }

  void report(const std::string &name, double bytes,
              const std::function<Call()> &make) {
    if (name.find(part) == std::string::npos)
      return;
    double seconds = time(make), floor = bytes / bandwidth;
    std::printf("%-46s %9.2f %9.2f %6.0f%%\n", name.c_str(), seconds * 1e6,
                floor * 1e6, 100 * floor / seconds);
    std::fflush(stdout);
  }

  Device &device;

private:
  int repetitions;
  std::string part;
  double bandwidth = 1;
};

} // namespace tert_bench

#endif // TERT_BENCHMARKS_CUDABENCH_H
