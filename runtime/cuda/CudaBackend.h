// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend for NVIDIA GPUs. It owns a context's resources on the device and
// forwards every op to the file that implements it.
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

#include <map>
#include <optional>
#include <utility>

namespace tert::cuda {

class CudaBackend final : public Backend {
public:
  /// Construct on a thread bound to the GPU; may be destroyed on any.
  CudaBackend(Device device, const tert_options &options);
  ~CudaBackend() override;

  int enter() override { return OnGpu::enter(device.ordinal); }
  void leave(int previous) noexcept override {
    OnGpu::leave(device.ordinal, previous);
  }

  void *allocate(size_t bytes) override;
  void *allocateHost(size_t bytes) override;
  void releaseHost(void *host) noexcept override;
  void release(void *memory) noexcept override;
  void copyToDevice(void *device, const void *host, size_t bytes) override;
  void copyToHost(void *host, const void *device, size_t bytes) override;
  void useAsTemporary(void *spare, size_t bytes) override {
    scratch.setSpare(spare, bytes);
  }
  const void *locate(const tert_constant &constant) override;
  void useStream(void *stream) override;
  void synchronize() override;

  std::vector<std::string> notices() const override;
  /// Those of rows; other blocks are refused by the op.
  bool takesScaleBlocks() const override { return true; }
  tert_device_info deviceInfo() override;
  Ceilings ceilings() const override { return ceilingsOf(device); }

  bool canCapture() const override { return true; }
  void beginCapture() override;
  std::unique_ptr<tert::Graph> endCapture(bool keep, Timer *timer) override;
  std::unique_ptr<Timer> createTimer() override;
  Tuner *tuner() override { return &gemmTuner; }
  std::unique_ptr<Communicator> connect(const Group &group,
                                        const Rendezvous &rendezvous) override;

#define TERT_BACKEND_OP(name, parameters, arguments)                           \
  void name(const tert_site &site, TERT_LIST parameters) override;
#include "program/BackendCalls.def"

private:
  bool isCapturing() const;
  /// Context for the next op; releases the scratch memory of the previous one.
  LaunchContext &launch();

  // The order matters: later members use earlier ones.
  /// Set by the destructor, so that all other members are destroyed on the GPU.
  std::optional<OnGpu> whileDestroyed;
  Device device;
  Stream ownStream;
  /// That one, or the caller's (useStream).
  cudaStream_t stream = ownStream;
  /// Orders a stream behind the previous one.
  Event previousDone;
  Memory memory;
  Scratch scratch;
  Counters counters;
  DataErrors dataErrors;
  Gemm gemm;
  Attention attentionPlans;
  GeneratedKernels generatedKernels;
  LaunchContext context;
  GemmTuner gemmTuner;
  /// Copies of programs' constants, by hash and size.
  std::map<std::pair<uint64_t, uint64_t>, void *> constants;
};

} // namespace tert::cuda

#endif // TERT_CUDA_CUDABACKEND_H
