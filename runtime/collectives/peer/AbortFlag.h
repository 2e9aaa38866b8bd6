// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A word by which the host tells waiting kernels to abort.
#ifndef TERT_COLLECTIVES_PEER_ABORTFLAG_H
#define TERT_COLLECTIVES_PEER_ABORTFLAG_H

#include "cuda/Error.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace tert::peer {

/// Polls of another GPU between two polls of the word, which is in host memory
/// and slow to read.
constexpr int pollsPerAbortCheck = 4096;

class AbortFlag {
public:
  AbortFlag() {
    void *host = nullptr;
    cuda::check(cudaHostAlloc(&host, sizeof(*word), cudaHostAllocDefault),
                "allocating page-locked memory");
    word = static_cast<volatile uint32_t *>(host);
    *word = 0;
  }
  ~AbortFlag() { cudaFreeHost(const_cast<uint32_t *>(word)); }
  AbortFlag(const AbortFlag &) = delete;
  AbortFlag &operator=(const AbortFlag &) = delete;

  /// 0 until abort(). With unified addressing, kernels use the same address.
  const volatile uint32_t *get() const { return word; }
  /// May be called from any thread.
  void abort() noexcept { *word = 1; }

private:
  volatile uint32_t *word = nullptr;
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_ABORTFLAG_H
