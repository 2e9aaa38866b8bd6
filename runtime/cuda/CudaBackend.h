// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend for NVIDIA GPUs: it holds what a context owns on the device and
// hands every op to the file that knows it.
#ifndef TERT_CUDA_CUDABACKEND_H
#define TERT_CUDA_CUDABACKEND_H

#include "cuda/Attention.h"
#include "cuda/Ceilings.h"
#include "cuda/Gemm.h"
#include "cuda/GemmTuner.h"
#include "cuda/GeneratedKernels.h"
#include "cuda/Graph.h"
#include "cuda/Launch.h"
#include "cuda/Memory.h"
#include "cuda/Stream.h"
#include "program/Backend.h"

namespace tert::cuda {

class CudaBackend final : public Backend {
public:
  /// Throws TERT_UNSUPPORTED when this machine cannot run it.
  CudaBackend(int ordinal, const tert_options &options);

  void *allocate(size_t bytes) override;
  void release(void *memory) noexcept override;
  void copyToDevice(void *device, const void *host, size_t bytes) override;
  void copyToHost(void *host, const void *device, size_t bytes) override;
  void useAsTemporary(void *spare, size_t bytes) override {
    scratch.setSpare(spare, bytes);
  }
  void synchronize() override;

  std::vector<std::string> notices() const override {
    return attentionPlans.notices();
  }
  tert_device_info deviceInfo() override;
  Ceilings ceilings() const override { return ceilingsOf(device); }

  bool canCapture() const override { return true; }
  void beginCapture() override;
  std::unique_ptr<tert::Graph> endCapture(bool keep, Timer *timer) override;
  std::unique_ptr<Timer> createTimer() override;
  Tuner *tuner() override { return &gemmTuner; }

  void matmul(const tert_site &site, const tert_tensor &a, const tert_tensor &b,
              const tert_tensor *bias, const tert_tensor &d, bool transposeA,
              bool transposeB, bool addToD) override;
  void scaledMatmul(const tert_site &site, const tert_tensor &a,
                    const tert_tensor &b, const tert_tensor &aScaleInv,
                    const tert_tensor &bScaleInv, const tert_tensor *bias,
                    const tert_tensor &d, tert_accumulate accumulate) override;
  void quantize(const tert_site &site, const tert_tensor &x,
                const tert_tensor &scale, const tert_tensor *rowwise,
                const tert_tensor *columnwise, const tert_tensor *amax,
                const tert_tensor *dbias) override;
  void dequantize(const tert_site &site, const tert_tensor &x,
                  const tert_tensor &scaleInv, const tert_tensor &y) override;
  void amax(const tert_site &site, const tert_tensor &x,
            const tert_tensor &amax) override;
  void computeScale(const tert_site &site, const tert_tensor &amax,
                    const tert_tensor &scale, const tert_tensor &scaleInv,
                    tert_dtype format, int32_t margin) override;
  void updateScales(const tert_site &site, int32_t n, const tert_tensor *amaxes,
                    const tert_tensor &scales, const tert_tensor &scaleInvs,
                    const tert_tensor &history, const tert_tensor &nonfinite,
                    const int32_t *formats, tert_amax_algo algo,
                    int32_t margin) override;
  void layerNorm(const tert_site &site, const tert_tensor &x,
                 const tert_tensor &gamma, const tert_tensor &beta,
                 const tert_tensor *scale, const tert_tensor *y,
                 const tert_tensor &mean, const tert_tensor &rstd,
                 const tert_tensor *rowwise, const tert_tensor *columnwise,
                 const tert_tensor *amax, float eps,
                 bool zeroCentered) override;
  void layerNormGrad(const tert_site &site, const tert_tensor &dy,
                     const tert_tensor &x, const tert_tensor &gamma,
                     const tert_tensor &mean, const tert_tensor &rstd,
                     const tert_tensor *residual, const tert_tensor &dx,
                     const tert_tensor &dgamma, const tert_tensor &dbeta,
                     bool zeroCentered) override;
  void activation(const tert_site &site, const tert_tensor &x,
                  const tert_tensor *scale, const tert_tensor *y,
                  const tert_tensor *rowwise, const tert_tensor *columnwise,
                  const tert_tensor *amax, tert_activation_kind kind) override;
  void activationGrad(const tert_site &site, const tert_tensor &dy,
                      const tert_tensor &x, const tert_tensor *scale,
                      const tert_tensor *dx, const tert_tensor *rowwise,
                      const tert_tensor *columnwise, const tert_tensor *amax,
                      const tert_tensor *dbias,
                      tert_activation_kind kind) override;
  void attention(const tert_site &site, const tert_tensor &q,
                 const tert_tensor &k, const tert_tensor &v,
                 const tert_tensor &o, const tert_tensor &lse, float scale,
                 bool causal, tert_attention_layout layout) override;
  void attentionGrad(const tert_site &site, const tert_tensor &dO,
                     const tert_tensor &q, const tert_tensor &k,
                     const tert_tensor &v, const tert_tensor &o,
                     const tert_tensor &lse, const tert_tensor &dq,
                     const tert_tensor &dk, const tert_tensor &dv, float scale,
                     bool causal, tert_attention_layout layout) override;
  void embedding(const tert_site &site, const tert_tensor &ids,
                 const tert_tensor &table, const tert_tensor &y) override;
  void embeddingGrad(const tert_site &site, const tert_tensor &ids,
                     const tert_tensor &dy, const tert_tensor &dtable) override;
  void shiftLabels(const tert_site &site, const tert_tensor &ids,
                   const tert_tensor &labels, int64_t ignoreIndex) override;
  void countLabels(const tert_site &site, const tert_tensor &labels,
                   const tert_tensor &count, int64_t classes,
                   int64_t ignoreIndex) override;
  void crossEntropyWithGrad(const tert_site &site, const tert_tensor &dloss,
                            const tert_tensor &labels, const tert_tensor &count,
                            const tert_tensor &logits, const tert_tensor &loss,
                            int64_t ignoreIndex,
                            tert_reduction reduction) override;
  void crossEntropy(const tert_site &site, const tert_tensor &logits,
                    const tert_tensor &labels, const tert_tensor &loss,
                    const tert_tensor &lse, const tert_tensor &count,
                    int64_t ignoreIndex, tert_reduction reduction) override;
  void crossEntropyGrad(const tert_site &site, const tert_tensor &dloss,
                        const tert_tensor &logits, const tert_tensor &labels,
                        const tert_tensor &lse, const tert_tensor &count,
                        const tert_tensor &dlogits, int64_t ignoreIndex,
                        tert_reduction reduction) override;
  void add(const tert_site &site, const tert_tensor &a, const tert_tensor &b,
           const tert_tensor &y) override;
  void columnSum(const tert_site &site, const tert_tensor &x,
                 const tert_tensor &y) override;
  void copy(const tert_site &site, const tert_tensor &x,
            const tert_tensor &y) override;
  void fill(const tert_site &site, const tert_tensor &y, double value) override;
  void launchKernel(const tert_site &site, const tert_kernel &kernel,
                    int32_t numOperands, void *const *operands) override;
  void globalNorm(const tert_site &site, int32_t n,
                  const tert_tensor *gradients,
                  const tert_tensor &norm) override;
  void clipCoefficient(const tert_site &site, const tert_tensor &norm,
                       const tert_tensor &maxNorm,
                       const tert_tensor &coefficient) override;
  void advanceStep(const tert_site &site, const tert_tensor &coefficient,
                   const tert_tensor &step) override;
  void adamw(const tert_site &site, const AdamwScalars &scalars,
             const std::vector<AdamwParameter> &parameters) override;

private:
  /// What an op gets; the memory of the op before is given back.
  LaunchContext &launch();

  // In this order: what comes later uses what comes before.
  Device device;
  Stream stream;
  Memory memory;
  Scratch scratch;
  Counters counters;
  DataErrors dataErrors;
  Gemm gemm;
  Attention attentionPlans;
  GeneratedKernels generatedKernels;
  LaunchContext context;
  GemmTuner gemmTuner;
};

} // namespace tert::cuda

#endif // TERT_CUDA_CUDABACKEND_H
