// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/ActivationFunctions.cuh"
#include "cuda/kernels/Tile.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

template <typename T, typename Function> struct Activate {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = sizeof(T) == 2 ? 8 : 4;
  static constexpr int rowsAhead = sizeof(T) == 2 ? 4 : 0;
  static constexpr int minBlocks = 6;
  using Raw = Raw8<T>;

  View<T> x;
  bool aligned;

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.load(x.at(row, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t, int64_t, int,
                          float (&v)[8], float (&)[1][8]) const {
    raw.get(v);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] = Function::value(v[k]);
  }
};

/// dx = dy * act'(x), which is also summed to dbias.
template <typename T, typename U, typename Function> struct ActivateGrad {
  static constexpr int numSums = 1;
  static constexpr int rowsInFlight = 4;
  static constexpr int rowsAhead = 0;
  static constexpr int minBlocks = 5;
  struct Raw {
    Raw8<T> dy;
    Raw8<U> x;
  };

  View<T> dy;
  View<U> x;
  bool aligned;

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.dy.load(dy.at(row, col), valid, whole);
    raw.x.load(x.at(row, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t, int64_t, int,
                          float (&v)[8], float (&sums)[1][8]) const {
    float slope[8];
    raw.dy.get(v);
    raw.x.get(slope);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      v[k] *= Function::derivative(slope[k]);
      sums[0][k] = v[k];
    }
  }
};

} // namespace

void cuda::activation(LaunchContext &launch, const tert_site &,
                      const tert_tensor &x, const tert_tensor *y,
                      const tert_quantized &quantized,
                      tert_activation_kind kind) {
  TileOutputs outputs = tileOutputs(sizeOf(x, 0), sizeOf(x, 1), y, quantized);
  withActivation(kind, [&](auto function) {
    withFloat(dtypeOf(x), [&](auto element) {
      using T = decltype(element);
      View<T> view = viewOf<T>(x);
      launchTiles(launch, "activation kernel",
                  Activate<T, decltype(function)>{view, view.aligned}, outputs);
    });
  });
}

void cuda::activationGrad(LaunchContext &launch, const tert_site &,
                          const tert_tensor &dy, const tert_tensor &x,
                          const tert_tensor *dx,
                          const tert_quantized &quantized,
                          const tert_tensor *dbias, tert_activation_kind kind) {
  TileOutputs outputs = tileOutputs(sizeOf(x, 0), sizeOf(x, 1), dx, quantized);
  withActivation(kind, [&](auto function) {
    withFloat(dtypeOf(dy), [&](auto dyElement) {
      withFloat(dtypeOf(x), [&](auto xElement) {
        using T = decltype(dyElement);
        using U = decltype(xElement);
        View<T> dyView = viewOf<T>(dy);
        View<U> xView = viewOf<U>(x);
        bool aligned = dyView.aligned && xView.aligned;
        launchTiles(
            launch, "activation gradient kernel",
            ActivateGrad<T, U, decltype(function)>{dyView, xView, aligned},
            outputs, {dbias});
      });
    });
  });
}
