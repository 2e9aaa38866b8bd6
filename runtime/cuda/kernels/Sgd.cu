// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/Update.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

/// What a step multiplies with, the same for every element.
struct SgdFactors {
  float coefficient, lr, weightDecay, momentum;
  float oneMinusDampening; // worked out in f64, rounded once
  bool hasMomentum, isFirst, nesterov, skip;
};

/// The new parameter; the buffer is written on the way. Each operation is
/// rounded as the CPU does it, so that the results are the same bits.
struct SgdRule {
  using Factors = SgdFactors;
  struct Scalars {
    const float *coefficient, *lr, *momentum, *dampening, *weightDecay;
    const int64_t *step;
    bool nesterov;
  };
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = 1;
  struct Raw {
    RawAny8 gradient;
    Raw8<float> param, buffer;
  };

  AnyFloat gradient;
  View<float> param, buffer;
  bool aligned, decays;
  SgdFactors factors;

  static __device__ Factors factorsOf(const Scalars &scalars) {
    Factors factors;
    factors.coefficient = *scalars.coefficient;
    factors.lr = *scalars.lr;
    factors.weightDecay = *scalars.weightDecay;
    factors.hasMomentum = scalars.momentum != nullptr;
    factors.momentum = scalars.momentum ? *scalars.momentum : 0.0f;
    factors.oneMinusDampening =
        scalars.dampening ? float(1 - double(*scalars.dampening)) : 1.0f;
    factors.isFirst = *scalars.step == 1;
    factors.nesterov = scalars.nesterov;
    factors.skip = isnan(*scalars.coefficient);
    return factors;
  }

  explicit __device__ SgdRule(const Factors &factors) : factors(factors) {}
  __device__ void bind(const UpdateEntry &entry) {
    gradient = entry.gradientView();
    param = entry.view(entry.param);
    buffer = entry.view(entry.states[0]);
    aligned = entry.aligned;
    decays = entry.decays;
  }

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.gradient.load(gradient, row, col, valid, whole);
    raw.param.load(param.at(row, col), valid, whole);
    if (factors.hasMomentum)
      raw.buffer.load(buffer.at(row, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t row, int64_t col,
                          int valid, float (&p)[8], float (&)[1][8]) const {
    raw.param.get(p);
    if (factors.skip)
      return;
    float g[8], b[8];
    raw.gradient.get(gradient.isBf16, g);
    if (factors.hasMomentum)
      raw.buffer.get(b);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float d = __fmul_rn(g[k], factors.coefficient);
      if (decays)
        d = __fmaf_rn(factors.weightDecay, p[k], d);
      if (factors.hasMomentum) {
        b[k] = factors.isFirst
                   ? d
                   : __fmaf_rn(factors.momentum, b[k],
                               __fmul_rn(factors.oneMinusDampening, d));
        d = factors.nesterov ? __fmaf_rn(factors.momentum, b[k], d) : b[k];
      }
      p[k] = __fmaf_rn(-factors.lr, d, p[k]);
    }
    store8(p, param.at(row, col), valid, aligned);
    if (factors.hasMomentum)
      store8(b, buffer.at(row, col), valid, aligned);
  }
};

} // namespace

void cuda::sgd(LaunchContext &launch, const tert_site &,
               const SgdScalars &scalars,
               const std::vector<ParameterUpdate> &parameters) {
  runUpdates<SgdRule>(launch, "SGD kernel",
                      {addressOf(scalars.coefficient), addressOf(scalars.lr),
                       addressOf(scalars.momentum),
                       addressOf(scalars.dampening),
                       addressOf(scalars.weightDecay),
                       stepAddress(scalars.step), scalars.nesterov},
                      parameters);
}
