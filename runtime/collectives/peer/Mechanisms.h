// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What collectives among GPUs may use (docs/collectives.md). Programs use all
// of it; benchmarks leave one out to measure what it gains.
#ifndef TERT_COLLECTIVES_PEER_MECHANISMS_H
#define TERT_COLLECTIVES_PEER_MECHANISMS_H

namespace tert::peer {

/// The same on all members.
struct Mechanisms {
  bool peers = true;   ///< GPUs of a host read each other's memory, or use NCCL
  bool kernels = true; ///< kernels that wait for other members
  bool engines =
      true; ///< copy engines beside a computation, if kernels may wait
  bool smallLane = true; ///< a stream of their own for small transfers
  bool columns = true;   ///< strided copies of a matrix's columns
  bool scalars = true;   ///< scalars in one kernel, or gathered by NCCL
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_MECHANISMS_H
