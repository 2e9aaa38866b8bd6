// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries such as libtert-nccl, which run collectives on GPU memory.
#ifndef TERT_CUDA_COMMUNICATORLIBRARY_H
#define TERT_CUDA_COMMUNICATORLIBRARY_H

#include "collectives/Communicator.h"
#include "program/MemoryAccount.h"

#include <cuda_runtime.h>

#include <memory>

namespace tert::cuda {

/// Device resources for a rank's collectives.
struct CommunicatorResources {
  int ordinal; ///< of the GPU
  /// Collectives are enqueued here in the order of the calls, between other
  /// ops, also during capture into a graph.
  cudaStream_t stream;
  /// Finds an allocation of the context on the GPU.
  AllocationFinder findAllocation;
};

/// Type of the function that such a library exports as
/// TERT_CUDA_COMMUNICATOR_FACTORY_SYMBOL. It connects the members of a group,
/// all of which call it for their GPUs, or writes the reason of failure to
/// `message`.
using CommunicatorFactory = tert_status (*)(int32_t interfaceVersion,
                                            const CommunicatorResources *place,
                                            const Group *group,
                                            const Rendezvous *rendezvous,
                                            Communicator **communicator,
                                            char *message, size_t messageSize);
#define TERT_CUDA_COMMUNICATOR_FACTORY_SYMBOL "tert_cuda_create_communicator"

/// Loads libtert-LIBRARY.so and connects the members. Throws if either fails.
std::unique_ptr<Communicator>
createCommunicator(const CommunicatorResources &place, const Group &group,
                   const Rendezvous &rendezvous);

} // namespace tert::cuda

#endif // TERT_CUDA_COMMUNICATORLIBRARY_H
