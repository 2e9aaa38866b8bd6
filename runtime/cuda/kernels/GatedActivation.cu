// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/ActivationFunctions.cuh"
#include "cuda/kernels/GatedGrad.cuh"
#include "cuda/kernels/Tile.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

/// Matrices of bf16, the usual case.
struct Bf16Source {
  using Raw = Raw8<Bf16>;
  View<Bf16> x;

  __device__ void load(Raw &raw, int64_t row, int64_t col, int valid,
                       bool whole) const {
    raw.load(x.at(row, col), valid, whole);
  }
  __device__ void get(const Raw &raw, float (&v)[8]) const { raw.get(v); }
};

/// Matrices of f32 or bf16, mixed.
struct AnySource {
  using Raw = RawAny8;
  AnyFloat x;

  __device__ void load(Raw &raw, int64_t row, int64_t col, int valid,
                       bool whole) const {
    raw.load(x, row, col, valid, whole);
  }
  __device__ void get(const Raw &raw, float (&v)[8]) const {
    raw.get(x.isBf16, v);
  }
};

/// kind(gate) * up
template <typename Source, typename Function> struct GatedActivate {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight =
      sizeof(typename Source::Raw) == 16 ? 4 : 2;
  static constexpr int rowsAhead = sizeof(typename Source::Raw) == 16 ? 2 : 0;
  static constexpr int minBlocks = 5;
  struct Raw {
    typename Source::Raw gate, up;
  };

  Source gate, up;
  bool aligned;

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    gate.load(raw.gate, row, col, valid, whole);
    up.load(raw.up, row, col, valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t, int64_t, int,
                          float (&v)[8], float (&)[1][8]) const {
    float u[8];
    gate.get(raw.gate, v);
    up.get(raw.up, u);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] = __fmul_rn(Function::value(v[k]), u[k]);
  }
};

/// dgate = dy * up * kind'(gate), or dup = dy * kind(gate).
template <typename Function>
__device__ inline float gradOf(bool isGate, float dy, float gate, float up) {
  return isGate ? __fmul_rn(__fmul_rn(dy, up), Function::derivative(gate))
                : __fmul_rn(dy, Function::value(gate));
}

/// Both gradients side by side, [rows, 2 cols], in the order of gate and up.
/// Each has a multiple of eight columns, so that no group of eight contains
/// both. The tiles of an element's two results are in flight at about the same
/// time, so that their common inputs are read from memory once.
template <typename Source, typename Function> struct JoinedGrad {
  static constexpr int numSums = 1;
  static constexpr int rowsInFlight = 2;
  static constexpr int rowsAhead = 0;
  static constexpr int minBlocks = 4;
  struct Raw {
    typename Source::Raw dy, gate, up;
  };

  Source dy, gate, up;
  bool aligned;
  int64_t cols;
  bool upFirst;

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    const int64_t source = col < cols ? col : col - cols;
    dy.load(raw.dy, row, source, valid, whole);
    gate.load(raw.gate, row, source, valid, whole);
    up.load(raw.up, row, source, valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t, int64_t col, int,
                          float (&v)[8], float (&sums)[1][8]) const {
    float gateV[8], upV[8];
    dy.get(raw.dy, v);
    gate.get(raw.gate, gateV);
    up.get(raw.up, upV);
    const bool isGate = (col < cols) != upFirst;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      v[k] = gradOf<Function>(isGate, v[k], gateV[k], upV[k]);
      sums[0][k] = v[k];
    }
  }
};

/// Like JoinedGrad, but element by element, as a group may contain both.
template <typename Function> struct UnevenGrad {
  static constexpr int numSums = 1;
  static constexpr int rowsInFlight = 1;
  static constexpr int rowsAhead = 0;
  static constexpr int minBlocks = 4;
  struct Raw {
    float dy[8], gate[8], up[8];
  };

  AnyFloat dy, gate, up;
  bool aligned;
  int64_t cols;
  bool upFirst;

  static __device__ float at(const AnyFloat &x, int64_t row, int64_t col) {
    return x.at(row * x.stride + col);
  }
  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool) const {
    Raw raw;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const int64_t source = col + k < cols ? col + k : col + k - cols;
      raw.dy[k] = k < valid ? at(dy, row, source) : 0.0f;
      raw.gate[k] = k < valid ? at(gate, row, source) : 0.0f;
      raw.up[k] = k < valid ? at(up, row, source) : 0.0f;
    }
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t, int64_t col, int,
                          float (&v)[8], float (&sums)[1][8]) const {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      v[k] = gradOf<Function>((col + k < cols) != upFirst, raw.dy[k],
                              raw.gate[k], raw.up[k]);
      sums[0][k] = v[k];
    }
  }
};

/// One of the two gradients, for gate and up as separate matrices.
template <typename Function> struct SeparateGrad {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = 1;
  static constexpr int rowsAhead = 0;
  static constexpr int minBlocks = 4;
  struct Raw {
    RawAny8 dy, gate, up;
  };

  AnySource dy, gate, up;
  bool aligned;
  bool isGate;

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    dy.load(raw.dy, row, col, valid, whole);
    gate.load(raw.gate, row, col, valid, whole);
    up.load(raw.up, row, col, valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t, int64_t, int,
                          float (&v)[8], float (&)[1][8]) const {
    float gateV[8], upV[8];
    dy.get(raw.dy, v);
    gate.get(raw.gate, gateV);
    up.get(raw.up, upV);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] = gradOf<Function>(isGate, v[k], gateV[k], upV[k]);
  }
};

/// Gate and up, from one tensor or two.
struct Gate {
  AnyFloat gate, up;
  int64_t cols;

  Gate(const tert_tensor &x, const tert_tensor *separateUp, bool upFirst)
      : gate(anyFloat(x)), up(separateUp ? anyFloat(*separateUp) : gate),
        cols(separateUp ? sizeOf(x, 1) : sizeOf(x, 1) / 2) {
    if (separateUp)
      return;
    const int64_t elementBytes = gate.isBf16 ? 2 : 4;
    // The second half must start at a multiple of eight, too.
    gate.aligned = up.aligned = gate.aligned && cols % 8 == 0;
    AnyFloat &second = upFirst ? gate : up;
    second.data = static_cast<char *>(second.data) + cols * elementBytes;
  }
};

template <typename Source> Source sourceOf(const AnyFloat &x);
template <> Bf16Source sourceOf<Bf16Source>(const AnyFloat &x) {
  return {{static_cast<Bf16 *>(x.data), x.stride, x.aligned}};
}
template <> AnySource sourceOf<AnySource>(const AnyFloat &x) { return {x}; }

/// The matrices of a gradient by both halves of x, read as bf16. `value`
/// receives the column-wise copy of the activation, quantized with
/// `valueScale`.
GatedGradProblem gatedGradProblem(const AnyFloat &dy, const Gate &gate,
                                  const TileOutputs &outputs, bool upFirst,
                                  const tert_tensor *value = nullptr,
                                  const tert_tensor *valueScale = nullptr) {
  auto view = [](const AnyFloat &x) { return sourceOf<Bf16Source>(x).x; };
  GatedGradProblem p = {view(dy),
                        view(gate.gate),
                        view(gate.up),
                        outputs,
                        upFirst ? gate.cols : 0,
                        upFirst ? 0 : gate.cols,
                        fp8Output(value, 16),
                        value && dtypeOf(*value) == TERT_F8E5M2,
                        nullptr};
  if (valueScale)
    p.valueScale = static_cast<const float *>(valueScale->data);
  return p;
}

/// Calls fn with a source that can read all of `tensors`.
template <typename Fn>
void withSource(std::initializer_list<AnyFloat> tensors, const Fn &fn) {
  bool isBf16 = true, aligned = true;
  for (const AnyFloat &x : tensors) {
    isBf16 &= x.isBf16;
    aligned &= x.aligned;
  }
  if (isBf16)
    fn(Bf16Source(), aligned);
  else
    fn(AnySource(), aligned);
}

} // namespace

void cuda::gatedActivation(LaunchContext &launch, const tert_site &,
                           const tert_tensor &x, const tert_tensor *up,
                           const tert_tensor *y,
                           const tert_quantized &quantized,
                           tert_activation_kind kind, bool upFirst) {
  const Gate gate(x, up, upFirst);
  TileOutputs outputs = tileOutputs(sizeOf(x, 0), gate.cols, y, quantized);
  withActivation(kind, [&](auto function) {
    withSource({gate.gate, gate.up}, [&](auto source, bool aligned) {
      using Source = decltype(source);
      launchTiles(
          launch, "gated activation kernel",
          GatedActivate<Source, decltype(function)>{
              sourceOf<Source>(gate.gate), sourceOf<Source>(gate.up), aligned},
          outputs);
    });
  });
}

void cuda::gatedActivationGrad(LaunchContext &launch, const tert_site &,
                               const tert_tensor &dy, const tert_tensor &x,
                               const tert_tensor *up, const tert_tensor *dx,
                               const tert_tensor *dup,
                               const tert_quantized &quantized,
                               const tert_tensor *dbias,
                               tert_activation_kind kind, bool upFirst) {
  const Gate gate(x, up, upFirst);
  const AnyFloat cotangent = anyFloat(dy);
  const int64_t rows = sizeOf(x, 0), cols = gate.cols;
  withActivation(kind, [&](auto function) {
    using Function = decltype(function);
    if (up) {
      const bool aligned =
          cotangent.aligned && gate.gate.aligned && gate.up.aligned;
      for (bool isGate : {true, false})
        launchTiles(launch, "gated activation gradient kernel",
                    SeparateGrad<Function>{
                        {cotangent}, {gate.gate}, {gate.up}, aligned, isGate},
                    tileOutputs(rows, cols, isGate ? dx : dup));
      return;
    }
    const TileOutputs outputs = tileOutputs(rows, 2 * cols, dx, quantized);
    const GatedGradProblem problem =
        gatedGradProblem(cotangent, gate, outputs, upFirst);
    if (cotangent.isBf16 && gate.gate.isBf16 && !dbias && problem.fits()) {
      launchGatedGrad<Function>(launch, "gated activation gradient kernel",
                                problem);
      return;
    }
    if (cols % 8 != 0) {
      launchTiles(launch, "gated activation gradient kernel",
                  UnevenGrad<Function>{cotangent, gate.gate, gate.up,
                                       /*aligned=*/false, cols, upFirst},
                  outputs, {dbias});
      return;
    }
    withSource({cotangent, gate.gate, gate.up}, [&](auto source, bool aligned) {
      using Source = decltype(source);
      launchTiles(launch, "gated activation gradient kernel",
                  JoinedGrad<Source, Function>{
                      sourceOf<Source>(cotangent), sourceOf<Source>(gate.gate),
                      sourceOf<Source>(gate.up), aligned, cols, upFirst},
                  outputs, {dbias});
    });
  });
}

void cuda::gatedActivationGradRecompute(
    LaunchContext &launch, const tert_site &site, const tert_tensor &dy,
    const tert_tensor &x, const tert_tensor &yScale, const tert_tensor *dx,
    const tert_quantized &quantized, const tert_tensor *dbias,
    const tert_tensor &yColumnwise, tert_activation_kind kind, bool upFirst) {
  const Gate gate(x, /*separateUp=*/nullptr, upFirst);
  const AnyFloat cotangent = anyFloat(dy);
  const GatedGradProblem problem = gatedGradProblem(
      cotangent, gate, tileOutputs(sizeOf(x, 0), 2 * gate.cols, dx, quantized),
      upFirst, &yColumnwise, &yScale);
  if (!cotangent.isBf16 || !gate.gate.isBf16 || dbias || !problem.fits()) {
    tert_quantized columnwise = {};
    columnwise.scale = &yScale;
    columnwise.columnwise.data = &yColumnwise;
    gatedActivationGrad(launch, site, dy, x, /*up=*/nullptr, dx,
                        /*dup=*/nullptr, quantized, dbias, kind, upFirst);
    gatedActivation(launch, site, x, /*up=*/nullptr, /*y=*/nullptr, columnwise,
                    kind, upFirst);
    return;
  }
  withActivation(kind, [&](auto function) {
    launchGatedGrad<decltype(function)>(
        launch, "gated activation gradient kernel", problem);
  });
}
