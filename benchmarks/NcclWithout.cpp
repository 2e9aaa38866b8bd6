// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libtert-nccl without the mechanism TERT_WITHOUT.

#include "collectives/nccl/NcclCommunicator.h"
#include "program/Library.h"

using namespace tert;

extern "C" tert_status tert_cuda_create_communicator(
    int32_t interfaceVersion, const cuda::CommunicatorResources *place,
    const Group *group, const Rendezvous *rendezvous,
    Communicator **communicator, char *message, size_t messageSize) {
  *communicator = nullptr;
  return callFactory(interfaceVersion, "tert-nccl", message, messageSize, [&] {
    peer::Mechanisms mechanisms;
    mechanisms.TERT_WITHOUT = false;
    *communicator = new tert::nccl::NcclCommunicator(*group, *place,
                                                     *rendezvous, mechanisms);
  });
}
