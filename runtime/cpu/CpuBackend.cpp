// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/CpuBackend.h"

#include "cpu/Activation.h"
#include "cpu/Attention.h"
#include "cpu/CrossEntropy.h"
#include "cpu/Elementwise.h"
#include "cpu/Embedding.h"
#include "cpu/LayerNorm.h"
#include "cpu/MachineMemory.h"
#include "cpu/Matmul.h"
#include "cpu/Optimizer.h"
#include "cpu/Precision.h"
#include "program/Error.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace tert;
using namespace tert::cpu;

CpuBackend::CpuBackend(const tert_options &options)
    : execution(options.num_threads) {}

void *CpuBackend::allocate(size_t bytes) {
  AlignedMemory memory = allocateAligned(bytes);
  account.add(memory.get(), bytes);
  return memory.release();
}

void CpuBackend::release(void *memory) noexcept {
  account.remove(memory);
  AlignedDelete()(memory);
}

tert_device_info CpuBackend::deviceInfo() {
  tert_device_info info = {};
  std::snprintf(info.name, sizeof(info.name), "cpu, %d threads",
                execution.pool.getNumThreads());
  MachineMemory memory = machineMemory();
  info.memory_bytes = memory.total;
  info.free_bytes = memory.available;
  info.peak_bytes = account.peak();
  info.temporary_bytes = execution.scratch.bytes();
  return info;
}

void CpuBackend::copyToDevice(void *device, const void *host, size_t bytes) {
  std::memcpy(device, host, bytes);
}

void CpuBackend::copyToHost(void *host, const void *device, size_t bytes) {
  std::memcpy(host, device, bytes);
}

namespace {
/// Ops are done when they return, so the clock is the device's time line.
class ClockTimer final : public Timer {
public:
  size_t mark() override {
    marks.push_back(std::chrono::steady_clock::now());
    return marks.size() - 1;
  }
  double seconds(size_t from, size_t to) const override {
    return std::chrono::duration<double>(marks[to] - marks[from]).count();
  }

private:
  std::vector<std::chrono::steady_clock::time_point> marks;
};
} // namespace

std::unique_ptr<Timer> CpuBackend::createTimer() {
  return std::make_unique<ClockTimer>();
}

void CpuBackend::matmul(const tert_site &, const tert_tensor &a,
                        const tert_tensor &b, const tert_tensor *bias,
                        const tert_tensor &d, bool transposeA, bool transposeB,
                        bool addToD) {
  cpu::matmul(execution, a, b, bias, d, transposeA, transposeB, addToD);
}

void CpuBackend::scaledMatmul(const tert_site &, const tert_tensor &a,
                              const tert_tensor &b,
                              const tert_tensor &aScaleInv,
                              const tert_tensor &bScaleInv,
                              const tert_tensor *bias, const tert_tensor &d,
                              tert_accumulate) {
  cpu::scaledMatmul(execution, a, b, aScaleInv, bScaleInv, bias, d);
}

void CpuBackend::quantize(const tert_site &, const tert_tensor &x,
                          const tert_tensor &scale, const tert_tensor *rowwise,
                          const tert_tensor *columnwise,
                          const tert_tensor *amax, const tert_tensor *dbias) {
  cpu::quantize(execution, x, scale, rowwise, columnwise, amax);
  if (dbias)
    cpu::columnSum(execution, x, *dbias);
}

void CpuBackend::dequantize(const tert_site &, const tert_tensor &x,
                            const tert_tensor &scaleInv, const tert_tensor &y) {
  cpu::dequantize(execution, x, scaleInv, y);
}

void CpuBackend::amax(const tert_site &, const tert_tensor &x,
                      const tert_tensor &amax) {
  cpu::amax(execution, x, amax);
}

void CpuBackend::computeScale(const tert_site &, const tert_tensor &amax,
                              const tert_tensor &scale,
                              const tert_tensor &scaleInv, tert_dtype format,
                              int32_t margin) {
  cpu::computeScale(amax, scale, scaleInv, format, margin);
}

void CpuBackend::updateScales(
    const tert_site &, int32_t n, const tert_tensor *amaxes,
    const tert_tensor &scales, const tert_tensor &scaleInvs,
    const tert_tensor &history, const tert_tensor &nonfinite,
    const int32_t *formats, tert_amax_algo algo, int32_t margin) {
  cpu::updateScales(n, amaxes, scales, scaleInvs, history, nonfinite, formats,
                    algo, margin);
}

void CpuBackend::layerNorm(const tert_site &, const tert_tensor &x,
                           const tert_tensor &gamma, const tert_tensor &beta,
                           const tert_tensor *scale, const tert_tensor *y,
                           const tert_tensor &mean, const tert_tensor &rstd,
                           const tert_tensor *rowwise,
                           const tert_tensor *columnwise,
                           const tert_tensor *amax, float eps,
                           bool zeroCentered) {
  cpu::layerNorm(execution, x, gamma, beta, scale, y, mean, rstd, rowwise,
                 columnwise, amax, eps, zeroCentered);
}

void CpuBackend::layerNormGrad(const tert_site &, const tert_tensor &dy,
                               const tert_tensor &x, const tert_tensor &gamma,
                               const tert_tensor &mean, const tert_tensor &rstd,
                               const tert_tensor *residual,
                               const tert_tensor &dx, const tert_tensor &dgamma,
                               const tert_tensor &dbeta, bool zeroCentered) {
  cpu::layerNormGrad(execution, dy, x, gamma, mean, rstd, residual, dx, dgamma,
                     dbeta, zeroCentered);
}

void CpuBackend::activation(const tert_site &, const tert_tensor &x,
                            const tert_tensor *scale, const tert_tensor *y,
                            const tert_tensor *rowwise,
                            const tert_tensor *columnwise,
                            const tert_tensor *amax,
                            tert_activation_kind kind) {
  cpu::activation(execution, x, scale, y, rowwise, columnwise, amax, kind);
}

void CpuBackend::activationGrad(
    const tert_site &, const tert_tensor &dy, const tert_tensor &x,
    const tert_tensor *scale, const tert_tensor *dx, const tert_tensor *rowwise,
    const tert_tensor *columnwise, const tert_tensor *amax,
    const tert_tensor *dbias, tert_activation_kind kind) {
  cpu::activationGrad(execution, dy, x, scale, dx, rowwise, columnwise, amax,
                      dbias, kind);
}

void CpuBackend::attention(const tert_site &, const tert_tensor &q,
                           const tert_tensor &k, const tert_tensor &v,
                           const tert_tensor &o, const tert_tensor &lse,
                           float scale, bool causal,
                           tert_attention_layout layout) {
  cpu::attention(execution, q, k, v, o, lse, scale, causal, layout);
}

void CpuBackend::attentionGrad(const tert_site &, const tert_tensor &dO,
                               const tert_tensor &q, const tert_tensor &k,
                               const tert_tensor &v, const tert_tensor &o,
                               const tert_tensor &lse, const tert_tensor &dq,
                               const tert_tensor &dk, const tert_tensor &dv,
                               float scale, bool causal,
                               tert_attention_layout layout) {
  cpu::attentionGrad(execution, dO, q, k, v, o, lse, dq, dk, dv, scale, causal,
                     layout);
}

void CpuBackend::embedding(const tert_site &, const tert_tensor &ids,
                           const tert_tensor &table, const tert_tensor &y) {
  cpu::embedding(execution, ids, table, y);
}

void CpuBackend::embeddingGrad(const tert_site &, const tert_tensor &ids,
                               const tert_tensor &dy,
                               const tert_tensor &dtable) {
  cpu::embeddingGrad(execution, ids, dy, dtable);
}

void CpuBackend::shiftLabels(const tert_site &, const tert_tensor &ids,
                             const tert_tensor &labels, int64_t ignoreIndex) {
  cpu::shiftLabels(execution, ids, labels, ignoreIndex);
}

void CpuBackend::countLabels(const tert_site &, const tert_tensor &labels,
                             const tert_tensor &count, int64_t classes,
                             int64_t ignoreIndex) {
  cpu::countLabels(execution, labels, count, classes, ignoreIndex);
}

void CpuBackend::crossEntropyWithGrad(
    const tert_site &, const tert_tensor &dloss, const tert_tensor &labels,
    const tert_tensor &count, const tert_tensor &logits,
    const tert_tensor &loss, int64_t ignoreIndex, tert_reduction reduction) {
  cpu::crossEntropyWithGrad(execution, dloss, labels, count, logits, loss,
                            ignoreIndex, reduction);
}

void CpuBackend::crossEntropy(const tert_site &, const tert_tensor &logits,
                              const tert_tensor &labels,
                              const tert_tensor &loss, const tert_tensor &lse,
                              const tert_tensor &count, int64_t ignoreIndex,
                              tert_reduction reduction) {
  cpu::crossEntropy(execution, logits, labels, loss, lse, count, ignoreIndex,
                    reduction);
}

void CpuBackend::crossEntropyGrad(
    const tert_site &, const tert_tensor &dloss, const tert_tensor &logits,
    const tert_tensor &labels, const tert_tensor &lse, const tert_tensor &count,
    const tert_tensor &dlogits, int64_t ignoreIndex, tert_reduction reduction) {
  cpu::crossEntropyGrad(execution, dloss, logits, labels, lse, count, dlogits,
                        ignoreIndex, reduction);
}

void CpuBackend::add(const tert_site &, const tert_tensor &a,
                     const tert_tensor &b, const tert_tensor &y) {
  cpu::add(execution, a, b, y);
}

void CpuBackend::columnSum(const tert_site &, const tert_tensor &x,
                           const tert_tensor &y) {
  cpu::columnSum(execution, x, y);
}

void CpuBackend::copy(const tert_site &, const tert_tensor &x,
                      const tert_tensor &y) {
  cpu::copy(execution, x, y);
}

void CpuBackend::fill(const tert_site &, const tert_tensor &y, double value) {
  cpu::fill(execution, y, value);
}

/// Whether this processor runs code for x86-64-v3.
static bool isLevelV3() {
#ifdef __x86_64__
  return __builtin_cpu_supports("x86-64-v3");
#else
  return false;
#endif
}

void CpuBackend::launchKernel(const tert_site &, const tert_kernel &kernel,
                              int32_t, void *const *operands) {
  if (!kernel.body)
    throw Error(TERT_UNSUPPORTED,
                std::string("kernel '") + kernel.name +
                    "' was generated for a GPU; compile the model with "
                    "--target=cpu");
  auto *body = kernel.body_v3 && isLevelV3() ? kernel.body_v3 : kernel.body;
  execution.pool.parallelFor(kernel.tasks,
                             [&](int64_t task, int) { body(operands, task); });
}

void CpuBackend::globalNorm(const tert_site &, int32_t n,
                            const tert_tensor *gradients,
                            const tert_tensor &norm) {
  cpu::globalNorm(execution, n, gradients, norm);
}

void CpuBackend::clipCoefficient(const tert_site &, const tert_tensor &norm,
                                 const tert_tensor &maxNorm,
                                 const tert_tensor &coefficient) {
  cpu::clipCoefficient(norm, maxNorm, coefficient);
}

void CpuBackend::advanceStep(const tert_site &, const tert_tensor &coefficient,
                             const tert_tensor &step) {
  cpu::advanceStep(coefficient, step);
}

void CpuBackend::adamw(const tert_site &, const AdamwScalars &scalars,
                       const std::vector<AdamwParameter> &parameters) {
  for (const AdamwParameter &parameter : parameters)
    cpu::adamw(execution, scalars, parameter);
}
