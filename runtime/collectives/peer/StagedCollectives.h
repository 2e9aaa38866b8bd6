// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small collectives among GPUs of one host, for tensors in memory that the
// others may not be able to access: each member copies its data to staging
// memory that all can access.
#ifndef TERT_COLLECTIVES_PEER_STAGEDCOLLECTIVES_H
#define TERT_COLLECTIVES_PEER_STAGEDCOLLECTIVES_H

#include "collectives/Communicator.h"
#include "collectives/peer/PeerLane.h"

namespace tert::peer::small {

/// Bytes of each member per batch; any tensor that the driver does not share
/// fits.
int64_t mostBytes(const PeerLane &lane);
/// Bytes that a tensor takes of a batch.
int64_t bytesFor(const tert_tensor &tensor);
/// True if `sent` fits one batch and is small enough for an extra copy.
bool fits(const PeerLane &lane, const TensorList &sent);

// Like the methods of Communicator, enqueued on `stream`; the tensors, or x,
// take at most mostBytes().
void allReduce(PeerLane &lane, cudaStream_t stream, const TensorList &tensors);
void reduceScatter(PeerLane &lane, cudaStream_t stream, const TensorList &x,
                   const TensorList &y, const ShardOrders &orders);
void allGather(PeerLane &lane, cudaStream_t stream, const TensorList &x,
               const TensorList &y, const ShardOrders &orders);

} // namespace tert::peer::small

#endif // TERT_COLLECTIVES_PEER_STAGEDCOLLECTIVES_H
