// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/StreamBarrier.h"

#include "cuda/Device.h"
#include "cuda/Driver.h"
#include "cuda/Error.h"

using namespace tert;
using namespace tert::peer;

using BatchMemOp = CUresult (*)(CUstream, unsigned, CUstreamBatchMemOpParams *,
                                unsigned);

/// Null if the driver does not have it.
static BatchMemOp getBatchMemOp() {
  static const auto found =
      cuda::findDriverFunction<BatchMemOp>("cuStreamBatchMemOp", 11070);
  return found;
}

bool StreamBarrier::isSupported() { return getBatchMemOp() != nullptr; }

StreamBarrier::StreamBarrier(int ordinal, int32_t rank,
                             std::vector<char *> words)
    : ordinal(ordinal), rank(rank), words(std::move(words)) {}

StreamBarrier::~StreamBarrier() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isOver = true;
  }
  changed.notify_all();
  if (release.joinable())
    release.join();
}

/// `params` is the union member for `operation`.
template <typename Params>
static CUstreamBatchMemOpParams makeOp(Params CUstreamBatchMemOpParams::*params,
                                       CUstreamBatchMemOpType operation,
                                       unsigned flags, char *word,
                                       uint32_t value) {
  CUstreamBatchMemOpParams op = {};
  (op.*params).operation = operation;
  (op.*params).address = reinterpret_cast<CUdeviceptr>(word);
  (op.*params).value = value;
  (op.*params).flags = flags;
  return op;
}

static CUstreamBatchMemOpParams writeTo(char *word, uint32_t value) {
  return makeOp(&CUstreamBatchMemOpParams::writeValue,
                CU_STREAM_MEM_OP_WRITE_VALUE_32, CU_STREAM_WRITE_VALUE_DEFAULT,
                word, value);
}

static CUstreamBatchMemOpParams waitFor(char *word, uint32_t value) {
  return makeOp(&CUstreamBatchMemOpParams::waitValue,
                CU_STREAM_MEM_OP_WAIT_VALUE_32, CU_STREAM_WAIT_VALUE_EQ, word,
                value);
}

void StreamBarrier::enqueue(cudaStream_t stream, int kind) {
  const auto ranks = int32_t(words.size());
  std::vector<CUstreamBatchMemOpParams> ops;
  auto forOthers = [&](auto &&make) {
    for (int32_t other = 0; other < ranks; ++other)
      if (other != rank)
        ops.push_back(make(other));
  };
  forOthers(
      [&](int32_t other) { return writeTo(wordOf(kind, rank, other), 1); });
  forOthers(
      [&](int32_t other) { return waitFor(wordOf(kind, other, rank), 1); });
  // Reset before the other can reach the next barrier of this kind: it waits
  // for this member at a barrier of another kind first.
  forOthers(
      [&](int32_t other) { return writeTo(wordOf(kind, other, rank), 0); });
  if (getBatchMemOp()(stream, unsigned(ops.size()), ops.data(), 0) !=
      CUDA_SUCCESS)
    throw Error(TERT_DEVICE_ERROR,
                "the driver does not let GPUs wait for each other");
}

void StreamBarrier::abort() noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  if (isOver || release.joinable())
    return;
  try {
    release = std::thread([this] { releaseUntilOver(); });
  } catch (const std::exception &) {
    // Without a thread, waiting streams are not released.
  }
}

void StreamBarrier::releaseUntilOver() noexcept {
  try {
    cuda::OnGpu gpu(ordinal);
    const std::vector<uint32_t> ones(kinds * words.size(), 1);
    cudaStream_t stream = nullptr;
    cuda::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                "creating a stream");
    std::unique_lock<std::mutex> lock(mutex);
    while (!changed.wait_for(lock, std::chrono::milliseconds(1),
                             [&] { return isOver; })) {
      cudaMemcpyAsync(words[rank], ones.data(), ones.size() * sizeof(uint32_t),
                      cudaMemcpyHostToDevice, stream);
      cudaStreamSynchronize(stream);
    }
    cudaStreamDestroy(stream);
  } catch (const std::exception &) {
    // The GPU is lost, and the streams that waited on it.
  }
}
