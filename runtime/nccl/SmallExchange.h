// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small exchanges among GPUs of one host, of tensors that may lie where the
// others do not see them: each member copies what the others need into memory
// that all see.
#ifndef TERT_NCCL_SMALLEXCHANGE_H
#define TERT_NCCL_SMALLEXCHANGE_H

#include "nccl/PeerLane.h"
#include "program/Communicator.h"

namespace tert::nccl::small {

/// How much of each member goes at a time: any tensor that the driver does not
/// show.
int64_t mostBytes(const PeerLane &lane);
/// What a tensor takes of it.
int64_t bytesFor(const tert_tensor &tensor);
/// Whether `sent` goes at a time, and is little enough for one more copy of it.
bool fits(const PeerLane &lane, const TensorList &sent);

// Like those of Communicator, enqueued on `stream`; the tensors, or x, take no
// more than mostBytes().
void allReduce(PeerLane &lane, cudaStream_t stream, const TensorList &tensors);
void reduceScatter(PeerLane &lane, cudaStream_t stream, const TensorList &x,
                   const TensorList &y, const PartOrders &orders);
void allGather(PeerLane &lane, cudaStream_t stream, const TensorList &x,
               const TensorList &y, const PartOrders &orders);

} // namespace tert::nccl::small

#endif // TERT_NCCL_SMALLEXCHANGE_H
