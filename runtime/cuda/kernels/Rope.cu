// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Vector.cuh"

#include <algorithm>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int ropeThreads = 256;

/// A tensor of heads, with strides named by dimension.
struct Heads {
  AnyFloat x;
  int64_t batch, sequence, head;

  Heads(const tert_tensor &tensor, const int32_t (&dims)[3])
      : x{tensor.data, 0, false, dtypeOf(tensor) == TERT_BF16},
        batch(strideOf(tensor, dims[0])), sequence(strideOf(tensor, dims[1])),
        head(strideOf(tensor, dims[2])) {
    const int64_t bytes = bytesOf(dtypeOf(tensor));
    x.aligned = reinterpret_cast<uintptr_t>(tensor.data) % 16 == 0 &&
                batch * bytes % 16 == 0 && sequence * bytes % 16 == 0 &&
                head * bytes % 16 == 0;
  }
  __device__ int64_t at(int64_t b, int64_t s, int64_t h) const {
    return b * batch + s * sequence + h * head;
  }
};

struct Problem {
  Heads x, y;
  AnyFloat cos, sin; // rows of `pairs` elements
  int64_t positions, heads, dim, pairs;
  bool tableIsPerToken;
  float sign; // -1 for the inverse rotation
};

__device__ inline void rotate(float a, float b, float cos, float sin, float &ya,
                              float &yb) {
  ya = __fsub_rn(__fmul_rn(a, cos), __fmul_rn(b, sin));
  yb = __fadd_rn(__fmul_rn(b, cos), __fmul_rn(a, sin));
}

/// A thread rotates eight pairs of one head, or copies up to sixteen elements
/// after the pairs. `groups` counts groups of eight pairs or sixteen elements
/// in a head.
template <bool interleaved>
__global__ void __launch_bounds__(ropeThreads)
    ropeKernel(const __grid_constant__ Problem p, int64_t groups,
               int64_t total) {
  const int64_t pairGroups = ceilDiv(p.pairs, 8);
  for (int64_t i = int64_t(blockIdx.x) * ropeThreads + threadIdx.x; i < total;
       i += int64_t(gridDim.x) * ropeThreads) {
    const int64_t group = i % groups, head = i / groups % p.heads;
    const int64_t token = i / groups / p.heads;
    const int64_t b = token / p.positions, s = token % p.positions;
    const int64_t from = p.x.at(b, s, head), to = p.y.at(b, s, head);
    // Addresses within a head keep the alignment of its start.
    auto load = [&](int64_t col, int valid, float (&v)[8]) {
      AnyFloat x = p.x.x;
      x.aligned &= col % 8 == 0;
      x.load(0, from + col, valid, v);
    };
    auto store = [&](int64_t col, int valid, const float (&v)[8]) {
      AnyFloat y = p.y.x;
      y.aligned &= col % 8 == 0;
      y.store(0, to + col, valid, v);
    };
    auto validAt = [](int64_t col, int64_t end) {
      return int(max(int64_t(0), min(int64_t(8), end - col)));
    };
    float u[8], v[8];
    if (group >= pairGroups) {
      const int64_t col = 2 * p.pairs + (group - pairGroups) * 16;
      for (int64_t part = col; part < min(col + 16, p.dim); part += 8) {
        load(part, validAt(part, p.dim), u);
        store(part, validAt(part, p.dim), u);
      }
      continue;
    }
    const int64_t pair = group * 8;
    const int valid = validAt(pair, p.pairs);
    const int64_t row = p.tableIsPerToken ? token : s;
    float cos[8], sin[8];
    p.cos.load(row, pair, valid, cos);
    p.sin.load(row, pair, valid, sin);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      sin[k] *= p.sign;
    if constexpr (interleaved) {
      const int64_t col = 2 * pair, end = 2 * p.pairs;
      load(col, validAt(col, end), u);
      load(col + 8, validAt(col + 8, end), v);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        float a, b;
        rotate(u[2 * k], u[2 * k + 1], cos[k], sin[k], a, b);
        u[2 * k] = a;
        u[2 * k + 1] = b;
        rotate(v[2 * k], v[2 * k + 1], cos[k + 4], sin[k + 4], a, b);
        v[2 * k] = a;
        v[2 * k + 1] = b;
      }
      store(col, validAt(col, end), u);
      store(col + 8, validAt(col + 8, end), v);
    } else {
      load(pair, valid, u);
      load(p.pairs + pair, valid, v);
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        float a, b;
        rotate(u[k], v[k], cos[k], sin[k], a, b);
        u[k] = a;
        v[k] = b;
      }
      store(pair, valid, u);
      store(p.pairs + pair, valid, v);
    }
  }
}

/// Block size of the next kernel, and the number of heads that a block rotates.
constexpr int groupThreads = 128;
constexpr int headsInFlight = 2;

/// For bf16 heads that are full groups of eight pairs. A thread rotates one
/// group of every `headLanes`-th head of a token, all with the same angles.
/// `groups` counts groups of eight pairs in a head.
template <bool interleaved>
__global__ void __launch_bounds__(groupThreads)
    ropeGroupsKernel(const __grid_constant__ Problem p, uint32_t groups,
                     uint32_t headLanes, uint32_t tokens) {
  const uint32_t i = blockIdx.x * groupThreads + threadIdx.x;
  const uint32_t group = i % groups, lane = i / groups % headLanes;
  const uint32_t token = i / groups / headLanes;
  if (token >= tokens)
    return;
  const uint32_t positions = uint32_t(p.positions);
  const uint32_t b = token / positions, s = token - b * positions;
  const int64_t pair = int64_t(group) * 8;
  const int64_t first = interleaved ? 2 * pair : pair;
  const int64_t second = first + (interleaved ? 8 : p.pairs);
  const Bf16 *x = static_cast<const Bf16 *>(p.x.x.data) + p.x.at(b, s, 0);
  Bf16 *y = static_cast<Bf16 *>(p.y.x.data) + p.y.at(b, s, 0);
  Raw8<Bf16> u[headsInFlight], v[headsInFlight];
#pragma unroll
  for (int j = 0; j < headsInFlight; ++j) {
    const int64_t head = lane + j * headLanes;
    if (head < p.heads) {
      u[j].loadVector(x + head * p.x.head + first);
      v[j].loadVector(x + head * p.x.head + second);
    }
  }
  const int64_t row = p.tableIsPerToken ? token : s;
  float cos[8], sin[8];
  p.cos.load(row, pair, 8, cos);
  p.sin.load(row, pair, 8, sin);
#pragma unroll
  for (int k = 0; k < 8; ++k)
    sin[k] *= p.sign;
#pragma unroll
  for (int j = 0; j < headsInFlight; ++j) {
    const int64_t head = lane + j * headLanes;
    if (head >= p.heads)
      break;
    float a[8], c[8];
    u[j].get(a);
    v[j].get(c);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if constexpr (!interleaved) {
        rotate(a[k], c[k], cos[k], sin[k], a[k], c[k]);
      } else {
        // Four pairs in each half.
        float (&half)[8] = k < 4 ? a : c;
        float &even = half[k % 4 * 2], &odd = half[k % 4 * 2 + 1];
        rotate(even, odd, cos[k], sin[k], even, odd);
      }
    }
    store8(a, y + head * p.y.head + first, 8, true);
    store8(c, y + head * p.y.head + second, 8, true);
  }
}

/// Launches the kernel above if it supports the problem.
bool launchGroups(LaunchContext &launch, const Problem &p, int64_t tokens,
                  bool interleaved) {
  const int64_t groups = p.pairs / 8;
  const int64_t headLanes = ceilDiv(p.heads, headsInFlight);
  const int64_t threads = tokens * headLanes * groups;
  if (!p.x.x.isBf16 || !p.y.x.isBf16 || !p.x.x.aligned || !p.y.x.aligned ||
      !p.cos.aligned || !p.sin.aligned || p.pairs % 8 != 0 ||
      p.dim != 2 * p.pairs || threads > INT32_MAX)
    return false;
  auto *kernel = interleaved ? ropeGroupsKernel<true> : ropeGroupsKernel<false>;
  kernel<<<unsigned(ceilDiv(threads, groupThreads)), groupThreads, 0,
           launch.stream>>>(p, uint32_t(groups), uint32_t(headLanes),
                            uint32_t(tokens));
  checkLaunch("rope kernel");
  return true;
}

} // namespace

void cuda::rope(LaunchContext &launch, const tert_site &, const tert_tensor &x,
                const tert_tensor &cos, const tert_tensor &sin,
                const tert_tensor &y, bool interleaved, bool inverse,
                tert_attention_layout layout) {
  // Positions of batch, sequence and heads in each layout.
  static constexpr int32_t dimensions[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}};
  const auto &dims = dimensions[layout];
  const int64_t batches = sizeOf(x, dims[0]), positions = sizeOf(x, dims[1]);
  Problem problem{
      Heads(x, dims),        Heads(y, dims), anyFloat(cos),
      anyFloat(sin),         positions,      sizeOf(x, dims[2]),
      sizeOf(x, 3),          sizeOf(cos, 1), sizeOf(cos, 0) != positions,
      inverse ? -1.0f : 1.0f};
  const int64_t groups =
      ceilDiv(problem.pairs, 8) + ceilDiv(problem.dim - 2 * problem.pairs, 16);
  const int64_t total = batches * positions * problem.heads * groups;
  if (total == 0 ||
      launchGroups(launch, problem, batches * positions, interleaved))
    return;
  const unsigned blocks = unsigned(std::min<int64_t>(
      ceilDiv(total, ropeThreads), 16 * launch.device.multiprocessors));
  if (interleaved)
    ropeKernel<true>
        <<<blocks, ropeThreads, 0, launch.stream>>>(problem, groups, total);
  else
    ropeKernel<false>
        <<<blocks, ropeThreads, 0, launch.stream>>>(problem, groups, total);
  checkLaunch("rope kernel");
}
