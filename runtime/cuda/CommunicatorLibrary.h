// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries such as libtert-nccl, which exchange what lies in GPUs' memory.
#ifndef TERT_CUDA_COMMUNICATORLIBRARY_H
#define TERT_CUDA_COMMUNICATORLIBRARY_H

#include "program/Communicator.h"
#include "program/MemoryAccount.h"

#include <cuda_runtime.h>

#include <memory>

namespace tert::cuda {

/// Where the exchanges of a rank run.
struct CommunicatorPlace {
  int ordinal; ///< of the GPU
  /// Takes the exchanges in the order of the calls, between other ops, also
  /// while it is being captured into a graph.
  cudaStream_t stream;
  /// Among what the context has allocated on the GPU.
  AllocationFinder findAllocation;
};

/// What such a library exports under TERT_CUDA_COMMUNICATOR_FACTORY_SYMBOL:
/// connects the members of a group, which all call it on their GPUs, or writes
/// to `message` why it cannot.
using CommunicatorFactory = tert_status (*)(int32_t interfaceVersion,
                                            const CommunicatorPlace *place,
                                            const Group *group,
                                            const Rendezvous *rendezvous,
                                            Communicator **communicator,
                                            char *message, size_t messageSize);
#define TERT_CUDA_COMMUNICATOR_FACTORY_SYMBOL "tert_cuda_create_communicator"

/// Loads libtert-LIBRARY.so and connects the members. Throws when either fails.
std::unique_ptr<Communicator> createCommunicator(const CommunicatorPlace &place,
                                                 const Group &group,
                                                 const Rendezvous &rendezvous);

} // namespace tert::cuda

#endif // TERT_CUDA_COMMUNICATORLIBRARY_H
