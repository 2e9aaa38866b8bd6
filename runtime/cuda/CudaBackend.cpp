// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/CudaBackend.h"

#include "cuda/CommunicatorLibrary.h"
#include "cuda/EventTimer.h"
#include "cuda/kernels/Activation.h"
#include "cuda/kernels/CrossEntropy.h"
#include "cuda/kernels/Dropout.h"
#include "cuda/kernels/Elementwise.h"
#include "cuda/kernels/Embedding.h"
#include "cuda/kernels/GatedActivation.h"
#include "cuda/kernels/LayerNorm.h"
#include "cuda/kernels/MultiCopy.h"
#include "cuda/kernels/MultiFill.h"
#include "cuda/kernels/Optimizer.h"
#include "cuda/kernels/Quantize.h"
#include "cuda/kernels/RMSNorm.h"
#include "cuda/kernels/Rope.h"
#include "cuda/kernels/ScaleUpdate.h"
#include "cuda/kernels/SquaredError.h"

#include <algorithm>
#include <cstdio>

using namespace tert;
using namespace tert::cuda;

CudaBackend::CudaBackend(Device opened, const tert_options &options)
    : device(std::move(opened)), memory(stream),
      counters(stream, LaunchContext::counterCount),
      attentionPlans(options.nondeterministic == 0),
      context{stream, device, scratch, counters.get(), dataErrors},
      gemmTuner(gemm, context) {}

CudaBackend::~CudaBackend() {
  try {
    whileDestroyed.emplace(device.ordinal);
  } catch (const Error &) {
    // The GPU is gone, and with it what was on it.
  }
  for (const auto &[key, copy] : constants)
    memory.release(copy);
}

LaunchContext &CudaBackend::launch() {
  scratch.reset();
  return context;
}

void *CudaBackend::allocate(size_t bytes) { return memory.allocate(bytes); }

void CudaBackend::release(void *pointer) noexcept { memory.release(pointer); }

void CudaBackend::copyToDevice(void *to, const void *host, size_t bytes) {
  memory.copyToDevice(to, host, bytes);
}

void CudaBackend::copyToHost(void *host, const void *from, size_t bytes) {
  memory.copyToHost(host, from, bytes);
  dataErrors.throwIfReported();
}

bool CudaBackend::isCapturing() const {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &capture), "asking for the stream");
  return capture != cudaStreamCaptureStatusNone;
}

const void *CudaBackend::locate(const tert_constant &constant) {
  auto found = constants.find({constant.hash, constant.bytes});
  if (found != constants.end())
    return found->second;
  if (isCapturing())
    throw Error(TERT_DEVICE_ERROR,
                "a constant of the program is not on the GPU yet while a graph "
                "is captured; run the entry once first");
  void *copy = memory.allocate(constant.bytes);
  constants[{constant.hash, constant.bytes}] = copy;
  memory.copyToDevice(copy, constant.data, constant.bytes);
  return copy;
}

void CudaBackend::synchronize() {
  check(cudaStreamSynchronize(stream), "waiting for the GPU");
  dataErrors.throwIfReported();
}

std::vector<std::string> CudaBackend::notices() const {
  std::vector<std::string> notices = attentionPlans.notices();
  if (std::string growth = scratch.describeGrowth(); !growth.empty())
    notices.push_back(growth);
  return notices;
}

tert_device_info CudaBackend::deviceInfo() {
  tert_device_info info = {};
  std::snprintf(info.name, sizeof(info.name), "%s", device.name.c_str());
  size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the GPU's memory");
  info.memory_bytes = total;
  info.free_bytes = free;
  info.peak_bytes = memory.peakBytes();
  info.temporary_bytes =
      scratch.wasAsked() ? scratch.bytes() : Scratch::expectedBytes;
  return info;
}

void CudaBackend::beginCapture() {
  // Other threads' calls do not disturb it.
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
        "recording a graph");
  scratch.setCapturing(true);
  generatedKernels.setCapturing(true);
}

std::unique_ptr<tert::Graph> CudaBackend::endCapture(bool keep, Timer *timer) {
  scratch.setCapturing(false);
  generatedKernels.setCapturing(false);
  if (keep)
    return CudaGraph::endCapture(stream, static_cast<EventTimer *>(timer));
  cudaGraph_t graph = nullptr;
  if (cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph)
    cudaGraphDestroy(graph);
  cudaGetLastError();
  return nullptr;
}

std::unique_ptr<Timer> CudaBackend::createTimer() {
  return std::make_unique<EventTimer>(stream);
}

std::unique_ptr<Communicator>
CudaBackend::connect(const Group &group, const Rendezvous &rendezvous) {
  if (isCapturing())
    throw Error(TERT_DEVICE_ERROR,
                "the ranks along " + group.axes +
                    " are not connected yet while a graph is captured; run "
                    "the entry once first");
  return createCommunicator(
      {device.ordinal, stream,
       [this](const void *address) { return memory.find(address); }},
      group, rendezvous);
}

void CudaBackend::matmul(const tert_site &site, const tert_tensor &a,
                         const tert_tensor &b, const tert_tensor *bias,
                         const tert_tensor &d, bool transposeA, bool transposeB,
                         bool addToD) {
  gemm.matmul(launch(), site, a, b, bias, d, transposeA, transposeB, addToD);
}

void CudaBackend::scaledMatmul(const tert_site &site, const tert_scaled &a,
                               const tert_scaled &b, const tert_tensor *bias,
                               const tert_tensor *addend, const tert_tensor &d,
                               tert_accumulate accumulate) {
  gemm.scaledMatmul(launch(), site, a, b, bias, addend, d, accumulate);
}

void CudaBackend::quantize(const tert_site &site, const tert_tensor &x,
                           const tert_quantized &quantized,
                           const tert_tensor *dbias) {
  cuda::quantize(launch(), site, x, quantized, dbias);
}

void CudaBackend::quantizeJoined(const tert_site &site, int32_t numX,
                                 const tert_tensor *x,
                                 const tert_quantized &quantized) {
  cuda::quantizeJoined(launch(), site, numX, x, quantized);
}

void CudaBackend::dequantize(const tert_site &site, const tert_scaled &x,
                             const tert_tensor &y) {
  cuda::dequantize(launch(), site, x, y);
}

void CudaBackend::amax(const tert_site &site, const tert_tensor &x,
                       const tert_tensor &amax) {
  cuda::amax(launch(), site, x, amax);
}

void CudaBackend::computeScale(const tert_site &site, const tert_tensor &amax,
                               const tert_tensor &scale,
                               const tert_tensor &scaleInv, tert_dtype format,
                               int32_t margin) {
  cuda::computeScale(launch(), site, amax, scale, scaleInv, format, margin);
}

void CudaBackend::updateScales(
    const tert_site &site, int32_t n, const tert_tensor *amaxes,
    const tert_tensor &scales, const tert_tensor &scaleInvs,
    const tert_tensor &history, const tert_tensor &nonfinite,
    const int32_t *formats, tert_amax_algo algo, int32_t margin) {
  cuda::updateScales(launch(), site, n, amaxes, scales, scaleInvs, history,
                     nonfinite, formats, algo, margin);
}

void CudaBackend::recordAmaxes(const tert_site &site, int32_t n,
                               const tert_tensor *amaxes,
                               const tert_tensor &history) {
  cuda::recordAmaxes(launch(), site, n, amaxes, history);
}

void CudaBackend::dropout(const tert_site &site, const tert_tensor &x,
                          const tert_tensor &seed, const tert_tensor &y,
                          float ratio, int64_t stream) {
  cuda::dropout(launch(), site, x, seed, y, ratio, stream);
}

void CudaBackend::layerNorm(const tert_site &site, const tert_tensor &x,
                            const tert_tensor &gamma, const tert_tensor &beta,
                            const tert_tensor *y, const tert_tensor &mean,
                            const tert_tensor &rstd,
                            const tert_quantized &quantized, float eps,
                            bool zeroCentered) {
  cuda::layerNorm(launch(), site, x, gamma, beta, y, mean, rstd, quantized, eps,
                  zeroCentered);
}

void CudaBackend::layerNormGrad(
    const tert_site &site, const tert_tensor &dy, const tert_tensor &x,
    const tert_tensor &gamma, const tert_tensor &mean, const tert_tensor &rstd,
    const tert_tensor *residual, const tert_tensor *dx,
    const tert_tensor &dgamma, const tert_tensor &dbeta,
    const tert_quantized &quantized, const tert_tensor *dbias,
    bool zeroCentered) {
  cuda::layerNormGrad(launch(), site, dy, x, gamma, mean, rstd, residual, dx,
                      dgamma, dbeta, quantized, dbias, zeroCentered);
}

void CudaBackend::rmsNorm(const tert_site &site, const tert_tensor &x,
                          const tert_tensor &gamma, const tert_tensor *y,
                          const tert_tensor &rstd,
                          const tert_quantized &quantized, float eps,
                          bool zeroCentered) {
  cuda::rmsNorm(launch(), site, x, gamma, y, rstd, quantized, eps,
                zeroCentered);
}

void CudaBackend::rmsNormGrad(const tert_site &site, const tert_tensor &dy,
                              const tert_tensor &x, const tert_tensor &gamma,
                              const tert_tensor &rstd,
                              const tert_tensor *residual,
                              const tert_tensor *dx, const tert_tensor &dgamma,
                              const tert_quantized &quantized,
                              bool zeroCentered) {
  cuda::rmsNormGrad(launch(), site, dy, x, gamma, rstd, residual, dx, dgamma,
                    quantized, zeroCentered);
}

void CudaBackend::rmsNormGradRecompute(
    const tert_site &site, const tert_tensor &dy, const tert_tensor &x,
    const tert_tensor &gamma, const tert_tensor &rstd,
    const tert_tensor &yScale, const tert_tensor *residual,
    const tert_tensor *dx, const tert_tensor &dgamma,
    const tert_quantized &quantized, const tert_tensor &yColumnwise,
    bool zeroCentered) {
  cuda::rmsNormGradRecompute(launch(), site, dy, x, gamma, rstd, yScale,
                             residual, dx, dgamma, quantized, yColumnwise,
                             zeroCentered);
}

void CudaBackend::activation(const tert_site &site, const tert_tensor &x,
                             const tert_tensor *y,
                             const tert_quantized &quantized,
                             tert_activation_kind kind) {
  cuda::activation(launch(), site, x, y, quantized, kind);
}

void CudaBackend::activationGrad(const tert_site &site, const tert_tensor &dy,
                                 const tert_tensor &x, const tert_tensor *dx,
                                 const tert_quantized &quantized,
                                 const tert_tensor *dbias,
                                 tert_activation_kind kind) {
  cuda::activationGrad(launch(), site, dy, x, dx, quantized, dbias, kind);
}

void CudaBackend::gatedActivation(const tert_site &site, const tert_tensor &x,
                                  const tert_tensor *up, const tert_tensor *y,
                                  const tert_quantized &quantized,
                                  tert_activation_kind kind, bool upFirst) {
  cuda::gatedActivation(launch(), site, x, up, y, quantized, kind, upFirst);
}

void CudaBackend::gatedActivationGrad(
    const tert_site &site, const tert_tensor &dy, const tert_tensor &x,
    const tert_tensor *up, const tert_tensor *dx, const tert_tensor *dup,
    const tert_quantized &quantized, const tert_tensor *dbias,
    tert_activation_kind kind, bool upFirst) {
  cuda::gatedActivationGrad(launch(), site, dy, x, up, dx, dup, quantized,
                            dbias, kind, upFirst);
}

void CudaBackend::gatedActivationGradRecompute(
    const tert_site &site, const tert_tensor &dy, const tert_tensor &x,
    const tert_tensor &yScale, const tert_tensor *dx,
    const tert_quantized &quantized, const tert_tensor *dbias,
    const tert_tensor &yColumnwise, tert_activation_kind kind, bool upFirst) {
  cuda::gatedActivationGradRecompute(launch(), site, dy, x, yScale, dx,
                                     quantized, dbias, yColumnwise, kind,
                                     upFirst);
}

void CudaBackend::attention(const tert_site &site, const tert_tensor &q,
                            const tert_tensor &k, const tert_tensor &v,
                            const tert_tensor *bias, const tert_tensor *lengths,
                            const tert_tensor *sinks, const tert_tensor &o,
                            const tert_tensor &lse, float scale, bool causal,
                            tert_attention_layout layout, int64_t window,
                            float softcap) {
  attentionPlans.forward(
      launch(), site, q, k, v, o, lse,
      {scale, causal, layout, window, softcap, bias, lengths, sinks});
}

void CudaBackend::attentionGrad(
    const tert_site &site, const tert_tensor &dO, const tert_tensor &q,
    const tert_tensor &k, const tert_tensor &v, const tert_tensor &o,
    const tert_tensor &lse, const tert_tensor *bias, const tert_tensor *lengths,
    const tert_tensor *sinks, const tert_tensor &dq, const tert_tensor &dk,
    const tert_tensor &dv, const tert_tensor *dbias, const tert_tensor *dsinks,
    float scale, bool causal, tert_attention_layout layout, int64_t window,
    float softcap) {
  attentionPlans.backward(
      launch(), site, dO, q, k, v, o, lse, dq, dk, dv, dbias, dsinks,
      {scale, causal, layout, window, softcap, bias, lengths, sinks});
}

void CudaBackend::rope(const tert_site &site, const tert_tensor &x,
                       const tert_tensor &cos, const tert_tensor &sin,
                       const tert_tensor &y, bool interleaved, bool inverse,
                       tert_attention_layout layout) {
  cuda::rope(launch(), site, x, cos, sin, y, interleaved, inverse, layout);
}

void CudaBackend::embedding(const tert_site &site, const tert_tensor &ids,
                            const tert_tensor &table, const tert_tensor &y) {
  cuda::embedding(launch(), site, ids, table, y);
}

void CudaBackend::embeddingGrad(const tert_site &site, const tert_tensor &ids,
                                const tert_tensor &dy,
                                const tert_tensor &dtable) {
  cuda::embeddingGrad(launch(), site, ids, dy, dtable);
}

void CudaBackend::addEmbeddingGrad(const tert_site &site,
                                   const tert_tensor &ids,
                                   const tert_tensor &dy,
                                   const tert_tensor &dtable) {
  cuda::addEmbeddingGrad(launch(), site, ids, dy, dtable);
}

void CudaBackend::shiftLabels(const tert_site &site, const tert_tensor &ids,
                              const tert_tensor &labels, int64_t ignoreIndex) {
  cuda::shiftLabels(launch(), site, ids, labels, ignoreIndex);
}

void CudaBackend::countLabels(const tert_site &site, const tert_tensor &labels,
                              const tert_tensor &count, int64_t classes,
                              int64_t ignoreIndex) {
  cuda::countLabels(launch(), site, labels, count, classes, ignoreIndex);
}

void CudaBackend::crossEntropyWithGrad(
    const tert_site &site, const tert_tensor &dloss, const tert_tensor &labels,
    const tert_tensor &count, const tert_tensor &logits,
    const tert_tensor &loss, int64_t ignoreIndex, tert_reduction reduction,
    float labelSmoothing, float zLoss) {
  cuda::crossEntropyWithGrad(launch(), site, dloss, labels, count, logits, loss,
                             ignoreIndex, reduction, labelSmoothing, zLoss);
}

void CudaBackend::crossEntropy(const tert_site &site, const tert_tensor &logits,
                               const tert_tensor &labels,
                               const tert_tensor &loss, const tert_tensor &lse,
                               const tert_tensor &count, int64_t ignoreIndex,
                               tert_reduction reduction, float labelSmoothing,
                               float zLoss) {
  cuda::crossEntropy(launch(), site, logits, labels, loss, lse, count,
                     ignoreIndex, reduction, labelSmoothing, zLoss);
}

void CudaBackend::crossEntropyGrad(
    const tert_site &site, const tert_tensor &dloss, const tert_tensor &logits,
    const tert_tensor &labels, const tert_tensor &lse, const tert_tensor &count,
    const tert_tensor &dlogits, int64_t ignoreIndex, tert_reduction reduction,
    float labelSmoothing, float zLoss) {
  cuda::crossEntropyGrad(launch(), site, dloss, logits, labels, lse, count,
                         dlogits, ignoreIndex, reduction, labelSmoothing,
                         zLoss);
}

void CudaBackend::squaredError(const tert_site &site, const tert_tensor &x,
                               const tert_tensor &target,
                               const tert_tensor &loss,
                               tert_reduction reduction) {
  cuda::squaredError(launch(), site, x, target, loss, reduction);
}

void CudaBackend::squaredErrorGrad(const tert_site &site,
                                   const tert_tensor &dloss,
                                   const tert_tensor &x,
                                   const tert_tensor &target,
                                   const tert_tensor &dx,
                                   tert_reduction reduction) {
  cuda::squaredErrorGrad(launch(), site, dloss, x, target, dx, reduction);
}

void CudaBackend::add(const tert_site &site, const tert_tensor &a,
                      const tert_tensor &b, const tert_tensor &y) {
  cuda::add(launch(), site, a, b, y);
}

void CudaBackend::columnSum(const tert_site &site, const tert_tensor &x,
                            const tert_tensor &y) {
  cuda::columnSum(launch(), site, x, y);
}

void CudaBackend::copy(const tert_site &site, const tert_tensor &x,
                       const tert_tensor &y) {
  cuda::copy(launch(), site, x, y);
}

void CudaBackend::multiCopy(const tert_site &site, int32_t n,
                            const tert_tensor *x, int32_t,
                            const tert_tensor *y) {
  cuda::multiCopy(launch(), site, n, x, y);
}

void CudaBackend::fill(const tert_site &site, const tert_tensor &y,
                       double value) {
  cuda::fill(launch(), site, y, value);
}

void CudaBackend::multiFill(const tert_site &site, int32_t n,
                            const tert_tensor *y, double value) {
  cuda::multiFill(launch(), site, n, y, value);
}

void CudaBackend::launchKernel(const tert_site &, const tert_kernel &kernel,
                               int32_t numOperands, void *const *operands) {
  generatedKernels.launch(launch(), kernel, numOperands, operands);
}

void CudaBackend::globalNorm(const tert_site &site, int32_t n,
                             const tert_tensor *gradients,
                             const tert_tensor &norm) {
  cuda::globalNorm(launch(), site, n, gradients, norm);
}

void CudaBackend::clipCoefficient(const tert_site &site,
                                  const tert_tensor &norm,
                                  const tert_tensor &maxNorm, int32_t numAmaxes,
                                  const tert_tensor *amaxes,
                                  const tert_tensor &coefficient) {
  cuda::clipCoefficient(launch(), site, norm, maxNorm, numAmaxes, amaxes,
                        coefficient);
}

void CudaBackend::advanceStep(const tert_site &site,
                              const tert_tensor &coefficient,
                              const tert_tensor &step) {
  cuda::advanceStep(launch(), site, coefficient, step);
}

void CudaBackend::sumOfSquares(const tert_site &, int32_t n,
                               const tert_tensor *tensors, double *sum) {
  cuda::sumOfSquares(launch(), n, tensors, sum);
}

void CudaBackend::embeddingPart(const tert_site &site, const tert_tensor &ids,
                                const TablePart &table, const tert_tensor &y) {
  cuda::embeddingPart(launch(), site, ids, table, y);
}

void CudaBackend::addEmbeddingGradPart(const tert_site &site,
                                       const tert_tensor &ids,
                                       const tert_tensor &dy,
                                       const TablePart &dtable) {
  cuda::addEmbeddingGradPart(launch(), site, ids, dy, dtable);
}

void CudaBackend::adamw(const tert_site &site, const AdamwScalars &scalars,
                        const std::vector<ParameterUpdate> &parameters) {
  cuda::adamw(launch(), site, scalars, parameters);
}

void CudaBackend::sgd(const tert_site &site, const SgdScalars &scalars,
                      const std::vector<ParameterUpdate> &parameters) {
  cuda::sgd(launch(), site, scalars, parameters);
}
