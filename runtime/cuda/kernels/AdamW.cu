// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/Update.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

/// What a step multiplies with, the same for every element: worked out in f64,
/// each rounded once.
struct AdamwFactors {
  float coefficient;
  float beta1, oneMinusBeta1, beta2, oneMinusBeta2;
  float decay;             // 1 - lr * weight_decay
  float stepSize;          // lr / (1 - beta1^step)
  float inverseCorrection; // 1 / sqrt(1 - beta2^step)
  float eps;
  int32_t skip;
};

/// The new parameter; the moments are written on the way. Each operation is
/// rounded as the CPU does it, so that the results are the same bits.
struct AdamwRule {
  using Factors = AdamwFactors;
  struct Scalars {
    const float *coefficient, *lr, *beta1, *beta2, *eps, *weightDecay;
    const int64_t *step;
  };
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = 1;
  struct Raw {
    RawAny8 gradient;
    Raw8<float> param, expAvg, expAvgSq;
  };

  AnyFloat gradient;
  View<float> param, expAvg, expAvgSq;
  bool aligned;
  AdamwFactors factors;
  float decay;

  static __device__ Factors factorsOf(const Scalars &scalars) {
    const double rate = *scalars.lr, b1 = *scalars.beta1, b2 = *scalars.beta2;
    const double t = double(*scalars.step);
    Factors factors;
    factors.coefficient = *scalars.coefficient;
    factors.beta1 = *scalars.beta1;
    factors.oneMinusBeta1 = float(1 - b1);
    factors.beta2 = *scalars.beta2;
    factors.oneMinusBeta2 = float(1 - b2);
    factors.decay =
        float(__dsub_rn(1, __dmul_rn(rate, double(*scalars.weightDecay))));
    factors.stepSize = float(rate / (1 - pow(b1, t)));
    factors.inverseCorrection = float(1 / sqrt(1 - pow(b2, t)));
    factors.eps = *scalars.eps;
    factors.skip = isnan(*scalars.coefficient);
    return factors;
  }

  explicit __device__ AdamwRule(const Factors &factors)
      : factors(factors), decay(factors.decay) {}
  __device__ void bind(const UpdateEntry &entry) {
    gradient = entry.gradientView();
    param = entry.view(entry.param);
    expAvg = entry.view(entry.states[0]);
    expAvgSq = entry.view(entry.states[1]);
    aligned = entry.aligned;
    factors.decay = entry.decays ? decay : 1.0f;
  }

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.gradient.load(gradient, row, col, valid, whole);
    raw.param.load(param.at(row, col), valid, whole);
    raw.expAvg.load(expAvg.at(row, col), valid, whole);
    raw.expAvgSq.load(expAvgSq.at(row, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t row, int64_t col,
                          int valid, float (&p)[8], float (&)[1][8]) const {
    raw.param.get(p);
    if (factors.skip)
      return;
    float g[8], m[8], v[8];
    raw.gradient.get(gradient.isBf16, g);
    raw.expAvg.get(m);
    raw.expAvgSq.get(v);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float scaled = __fmul_rn(g[k], factors.coefficient);
      m[k] = __fmaf_rn(factors.oneMinusBeta1, scaled,
                       __fmul_rn(factors.beta1, m[k]));
      v[k] = __fmaf_rn(factors.oneMinusBeta2, __fmul_rn(scaled, scaled),
                       __fmul_rn(factors.beta2, v[k]));
      float root =
          __fmaf_rn(__fsqrt_rn(v[k]), factors.inverseCorrection, factors.eps);
      p[k] = __fmaf_rn(-factors.stepSize, __fdiv_rn(m[k], root),
                       __fmul_rn(factors.decay, p[k]));
    }
    store8(p, param.at(row, col), valid, aligned);
    store8(m, expAvg.at(row, col), valid, aligned);
    store8(v, expAvgSq.at(row, col), valid, aligned);
  }
};

} // namespace

void cuda::adamw(LaunchContext &launch, const tert_site &,
                 const AdamwScalars &scalars,
                 const std::vector<ParameterUpdate> &parameters) {
  runUpdates<AdamwRule>(launch, "AdamW kernel",
                        {addressOf(scalars.coefficient), addressOf(scalars.lr),
                         addressOf(scalars.beta1), addressOf(scalars.beta2),
                         addressOf(scalars.eps), addressOf(scalars.weightDecay),
                         stepAddress(scalars.step)},
                        parameters);
}
