// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers of a matrix's columns: row by row they would be many copies.
#ifndef TERT_COLLECTIVES_PEER_COLUMNSHARDS_H
#define TERT_COLLECTIVES_PEER_COLUMNSHARDS_H

#include "collectives/Communicator.h"

#include <cuda_runtime.h>

#include <optional>

namespace tert::peer {

/// The columns of a matrix that each member has: runs that are consecutive in
/// its shard or stored in its full tensor, and at equal distances in the full
/// tensors.
struct ColumnShards {
  char *part, *whole;
  tert_layout layout;  ///< of the shard, from its first element to its last
  int64_t rows, bytes; ///< rows of a shard, and bytes of each
  int64_t shardPitch;  ///< bytes between the rows of a shard

  /// The columns that a collective gathers, if it gathers columns of matrices.
  static std::optional<ColumnShards> get(const Collective &collective,
                                         int32_t ranks);
  /// Copies rows of a shard to the position of `member`.
  void copy(const char *from, int64_t pitch, int32_t member,
            cudaStream_t stream) const;
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_COLUMNSHARDS_H
