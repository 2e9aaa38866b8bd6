// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device has to do: its memory, and one method per op of tert/ops.h.
//
// Arguments reach a backend checked: dtypes, ranks, shapes and innermost
// strides are what ops.h asks for, required tensors are there, and every
// enumeration holds one of its values. A backend checks only what lies in the
// data (a token id) or what it cannot do itself (TERT_UNSUPPORTED), and reports
// both by throwing tert::Error with a message that need not name op or site.
#ifndef TERT_PROGRAM_BACKEND_H
#define TERT_PROGRAM_BACKEND_H

#include "program/AdamW.h"
#include "program/Work.h"
#include "tert/device.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tert {

class Tuner;

/// Moments on the device's time line.
class Timer {
public:
  virtual ~Timer() = default;
  /// Marks the moment when everything enqueued so far is done.
  virtual size_t mark() = 0;
  /// Between two marks; the backend has been synchronized since.
  virtual double seconds(size_t from, size_t to) const = 0;
};

/// One kernel of a recording, or what else the device did there.
struct RecordedKernel {
  std::string name;
  size_t begin, end; ///< the marks around it
  size_t op;         ///< the last mark before it that was made while recording
};

/// A run of a program's ops that the device repeats without the host.
class Graph {
public:
  virtual ~Graph() = default;
  /// Enqueues one run.
  virtual void launch() = 0;
  /// In their order; none if the graph was recorded without a timer, or the
  /// device does not tell.
  virtual const std::vector<RecordedKernel> &kernels() const {
    static const std::vector<RecordedKernel> none;
    return none;
  }
};

class Backend {
public:
  virtual ~Backend() = default;

  //===-- Memory ---------------------------------------------------------===//

  /// At least `bytes` bytes aligned to 256; never null.
  virtual void *allocate(size_t bytes) = 0;
  virtual void release(void *memory) noexcept = 0;
  virtual void copyToDevice(void *device, const void *host, size_t bytes) = 0;
  virtual void copyToHost(void *host, const void *device, size_t bytes) = 0;
  /// Memory that the next op may use for what it needs only while it runs;
  /// null, and no bytes, when there is none.
  virtual void useAsTemporary(void *memory, size_t bytes) {}
  /// Waits for everything enqueued, and throws what went wrong in it.
  virtual void synchronize() = 0;

  /// Texts for a person about the ops that ran so far.
  virtual std::vector<std::string> notices() const { return {}; }

  /// All but the ceilings.
  virtual tert_device_info deviceInfo() = 0;
  virtual Ceilings ceilings() const { return {}; }

  //===-- Recording and timing -------------------------------------------===//

  /// Whether ops can be recorded; if not, repeating a program means calling it
  /// again, and the two functions below are never called.
  virtual bool canCapture() const { return false; }
  /// Between these two calls ops are recorded and not run.
  virtual void beginCapture() {}
  /// `keep` is false when recording failed: what was recorded is thrown away
  /// and null returned. With a timer, one of createTimer(), the kernels are
  /// timed too, by further marks.
  virtual std::unique_ptr<Graph> endCapture(bool keep, Timer *timer) {
    return nullptr;
  }
  virtual std::unique_ptr<Timer> createTimer() = 0;

  /// Null where there is nothing to tune.
  virtual Tuner *tuner() { return nullptr; }

  //===-- Linear algebra -------------------------------------------------===//

  virtual void matmul(const tert_site &site, const tert_tensor &a,
                      const tert_tensor &b, const tert_tensor *bias,
                      const tert_tensor &d, bool transposeA, bool transposeB,
                      bool addToD) = 0;
  virtual void scaledMatmul(const tert_site &site, const tert_tensor &a,
                            const tert_tensor &b, const tert_tensor &aScaleInv,
                            const tert_tensor &bScaleInv,
                            const tert_tensor *bias, const tert_tensor &d,
                            tert_accumulate accumulate) = 0;

  //===-- Precision ------------------------------------------------------===//

  virtual void quantize(const tert_site &site, const tert_tensor &x,
                        const tert_tensor &scale, const tert_tensor *rowwise,
                        const tert_tensor *columnwise, const tert_tensor *amax,
                        const tert_tensor *dbias) = 0;
  virtual void dequantize(const tert_site &site, const tert_tensor &x,
                          const tert_tensor &scaleInv,
                          const tert_tensor &y) = 0;
  virtual void amax(const tert_site &site, const tert_tensor &x,
                    const tert_tensor &amax) = 0;
  virtual void computeScale(const tert_site &site, const tert_tensor &amax,
                            const tert_tensor &scale,
                            const tert_tensor &scaleInv, tert_dtype format,
                            int32_t margin) = 0;
  virtual void
  updateScales(const tert_site &site, int32_t n, const tert_tensor *amaxes,
               const tert_tensor &scales, const tert_tensor &scaleInvs,
               const tert_tensor &history, const tert_tensor &nonfinite,
               const int32_t *formats, tert_amax_algo algo, int32_t margin) = 0;

  //===-- Normalization and activation -----------------------------------===//

  virtual void layerNorm(const tert_site &site, const tert_tensor &x,
                         const tert_tensor &gamma, const tert_tensor &beta,
                         const tert_tensor *scale, const tert_tensor *y,
                         const tert_tensor &mean, const tert_tensor &rstd,
                         const tert_tensor *rowwise,
                         const tert_tensor *columnwise, const tert_tensor *amax,
                         float eps, bool zeroCentered) = 0;
  virtual void layerNormGrad(const tert_site &site, const tert_tensor &dy,
                             const tert_tensor &x, const tert_tensor &gamma,
                             const tert_tensor &mean, const tert_tensor &rstd,
                             const tert_tensor *residual, const tert_tensor &dx,
                             const tert_tensor &dgamma,
                             const tert_tensor &dbeta, bool zeroCentered) = 0;
  virtual void activation(const tert_site &site, const tert_tensor &x,
                          const tert_tensor *scale, const tert_tensor *y,
                          const tert_tensor *rowwise,
                          const tert_tensor *columnwise,
                          const tert_tensor *amax,
                          tert_activation_kind kind) = 0;
  virtual void activationGrad(const tert_site &site, const tert_tensor &dy,
                              const tert_tensor &x, const tert_tensor *scale,
                              const tert_tensor *dx, const tert_tensor *rowwise,
                              const tert_tensor *columnwise,
                              const tert_tensor *amax, const tert_tensor *dbias,
                              tert_activation_kind kind) = 0;

  //===-- Attention ------------------------------------------------------===//

  virtual void attention(const tert_site &site, const tert_tensor &q,
                         const tert_tensor &k, const tert_tensor &v,
                         const tert_tensor &o, const tert_tensor &lse,
                         float scale, bool causal,
                         tert_attention_layout layout) = 0;
  virtual void attentionGrad(const tert_site &site, const tert_tensor &dO,
                             const tert_tensor &q, const tert_tensor &k,
                             const tert_tensor &v, const tert_tensor &o,
                             const tert_tensor &lse, const tert_tensor &dq,
                             const tert_tensor &dk, const tert_tensor &dv,
                             float scale, bool causal,
                             tert_attention_layout layout) = 0;

  //===-- Embedding and loss ---------------------------------------------===//

  virtual void embedding(const tert_site &site, const tert_tensor &ids,
                         const tert_tensor &table, const tert_tensor &y) = 0;
  virtual void embeddingGrad(const tert_site &site, const tert_tensor &ids,
                             const tert_tensor &dy,
                             const tert_tensor &dtable) = 0;
  virtual void shiftLabels(const tert_site &site, const tert_tensor &ids,
                           const tert_tensor &labels, int64_t ignoreIndex) = 0;
  virtual void countLabels(const tert_site &site, const tert_tensor &labels,
                           const tert_tensor &count, int64_t classes,
                           int64_t ignoreIndex) = 0;
  virtual void crossEntropy(const tert_site &site, const tert_tensor &logits,
                            const tert_tensor &labels, const tert_tensor &loss,
                            const tert_tensor &lse, const tert_tensor &count,
                            int64_t ignoreIndex, tert_reduction reduction) = 0;
  virtual void crossEntropyGrad(const tert_site &site, const tert_tensor &dloss,
                                const tert_tensor &logits,
                                const tert_tensor &labels,
                                const tert_tensor &lse,
                                const tert_tensor &count,
                                const tert_tensor &dlogits, int64_t ignoreIndex,
                                tert_reduction reduction) = 0;
  virtual void
  crossEntropyWithGrad(const tert_site &site, const tert_tensor &dloss,
                       const tert_tensor &labels, const tert_tensor &count,
                       const tert_tensor &logits, const tert_tensor &loss,
                       int64_t ignoreIndex, tert_reduction reduction) = 0;

  //===-- Elementwise, reductions, movement ------------------------------===//

  virtual void add(const tert_site &site, const tert_tensor &a,
                   const tert_tensor &b, const tert_tensor &y) = 0;
  virtual void columnSum(const tert_site &site, const tert_tensor &x,
                         const tert_tensor &y) = 0;
  virtual void copy(const tert_site &site, const tert_tensor &x,
                    const tert_tensor &y) = 0;
  virtual void fill(const tert_site &site, const tert_tensor &y,
                    double value) = 0;

  //===-- Generated kernels ----------------------------------------------===//

  /// `operands` are the addresses of the kernel's inputs and outputs, each a
  /// multiple of its alignment.
  virtual void launchKernel(const tert_site &site, const tert_kernel &kernel,
                            int32_t numOperands, void *const *operands) = 0;

  //===-- Optimizer ------------------------------------------------------===//

  virtual void globalNorm(const tert_site &site, int32_t n,
                          const tert_tensor *gradients,
                          const tert_tensor &norm) = 0;
  virtual void clipCoefficient(const tert_site &site, const tert_tensor &norm,
                               const tert_tensor &maxNorm,
                               const tert_tensor &coefficient) = 0;
  virtual void advanceStep(const tert_site &site,
                           const tert_tensor &coefficient,
                           const tert_tensor &step) = 0;
  virtual void adamw(const tert_site &site, const AdamwScalars &scalars,
                     const std::vector<AdamwParameter> &parameters) = 0;
};

/// Opens the device named `device`. Throws TERT_UNSUPPORTED when this build
/// knows no such device.
std::unique_ptr<Backend> createBackend(std::string_view device,
                                       const tert_options &options);

} // namespace tert

#endif // TERT_PROGRAM_BACKEND_H
