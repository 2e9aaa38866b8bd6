// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/CudaBackend.h"

#include "cuda/CommunicatorLibrary.h"
#include "cuda/EventTimer.h"
#include "cuda/Ops.h"

#include <algorithm>
#include <cstdio>

using namespace tert;
using namespace tert::cuda;

CudaBackend::CudaBackend(Device opened, const tert_options &options)
    : device(std::move(opened)), previousDone(cudaEventDisableTiming),
      memory(stream), counters(stream, LaunchContext::counterCount),
      attentionPlans(options.nondeterministic == 0),
      context{stream,     device, scratch,       counters.get(),
              dataErrors, gemm,   attentionPlans},
      gemmTuner(gemm, context) {}

CudaBackend::~CudaBackend() {
  try {
    whileDestroyed.emplace(device.ordinal);
  } catch (const Error &) {
    // The GPU is lost, and its memory with it.
  }
  for (const auto &[key, copy] : constants)
    memory.release(copy);
}

LaunchContext &CudaBackend::launch() {
  scratch.reset();
  return context;
}

void *CudaBackend::allocate(size_t bytes) { return memory.allocate(bytes); }

// Kernels read page-locked memory at its own address (unified addressing).
void *CudaBackend::allocateHost(size_t bytes) {
  void *host = nullptr;
  const cudaError_t status =
      cudaHostAlloc(&host, std::max(bytes, size_t(1)), cudaHostAllocPortable);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw Error(TERT_OUT_OF_MEMORY, "the host has no " + std::to_string(bytes) +
                                        " bytes to lock for the GPU");
  }
  check(status, "allocating page-locked memory");
  return host;
}

void CudaBackend::releaseHost(void *host) noexcept { cudaFreeHost(host); }

void CudaBackend::release(void *pointer) noexcept { memory.release(pointer); }

void CudaBackend::copyToDevice(void *to, const void *host, size_t bytes) {
  memory.copyToDevice(to, host, bytes);
}

void CudaBackend::copyToHost(void *host, const void *from, size_t bytes) {
  memory.copyToHost(host, from, bytes);
  dataErrors.throwIfReported();
}

void CudaBackend::useStream(void *next) {
  const auto to = static_cast<cudaStream_t>(next);
  const bool wasCapturing = isCapturing();
  const cudaStream_t from = std::exchange(stream, to);
  const bool captures = isCapturing();
  scratch.setCapturing(captures);
  generatedKernels.setCapturing(captures);
  if (from == to)
    return;
  context.stream = to;
  memory.useStream(to);
  attentionPlans.useStream(to);
  // A capture does not wait for what is outside of it; whoever captures has
  // waited before.
  if (wasCapturing || captures)
    return;
  check(cudaEventRecord(previousDone, from), "recording an event");
  check(cudaStreamWaitEvent(to, previousDone, 0), "waiting for a stream");
}

bool CudaBackend::isCapturing() const {
  // The legacy default stream cannot be captured, and asking about it while
  // another stream is would end that capture.
  if (!stream)
    return false;
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
  // Calls on other threads do not disturb the capture.
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

#define TERT_BACKEND_OP(name, parameters, arguments)                           \
  void CudaBackend::name(const tert_site &site, TERT_LIST parameters) {        \
    cuda::name(launch(), site, TERT_LIST arguments);                           \
  }
#include "program/BackendOps.def"
#undef TERT_BACKEND_OP

void CudaBackend::launchKernel(const tert_site &, const tert_kernel &kernel,
                               int32_t numOperands, void *const *operands) {
  generatedKernels.launch(launch(), kernel, numOperands, operands);
}

void CudaBackend::sumOfSquares(const tert_site &, int32_t n,
                               const tert_tensor *tensors, double *sum) {
  cuda::sumOfSquares(launch(), n, tensors, sum);
}

void CudaBackend::embeddingShard(const tert_site &site, const tert_tensor &ids,
                                 const TableShard &table,
                                 const tert_tensor &y) {
  cuda::embeddingShard(launch(), site, ids, table, y);
}

void CudaBackend::addEmbeddingGradShard(const tert_site &site,
                                        const tert_tensor &ids,
                                        const tert_tensor &dy,
                                        const TableShard &dtable) {
  cuda::addEmbeddingGradShard(launch(), site, ids, dy, dtable);
}

void CudaBackend::update(const tert_site &, const UpdateStep &step) {
  cuda::update(launch(), step);
}
