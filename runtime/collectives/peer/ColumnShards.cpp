// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/ColumnShards.h"

#include "cuda/Error.h"
#include "program/Tensor.h"

using namespace tert;
using namespace tert::peer;

void ColumnShards::copy(const char *from, int64_t pitch, int32_t member,
                        cudaStream_t stream) const {
  cuda::check(cudaMemcpy2DAsync(whole + member * bytes, size_t(pitch), from,
                                size_t(shardPitch), size_t(bytes), size_t(rows),
                                cudaMemcpyDefault, stream),
              "copying columns from another GPU");
}

std::optional<ColumnShards> ColumnShards::get(const Collective &collective,
                                              int32_t ranks) {
  if (collective.kind != CollectiveKind::AllGather)
    return std::nullopt;
  const TensorList &x = collective.x, &y = collective.y;
  // Fewer runs are copied individually.
  constexpr int32_t minRows = 16;
  const int64_t bytes = x.size() < minRows ? 0 : bytesIn(x[0]);
  if (bytes == 0)
    return std::nullopt;
  ColumnShards columns = {static_cast<char *>(x[0].data),
                          static_cast<char *>(y[0].data),
                          {dtypeOf(x[0]), 1, {}, {1}},
                          x.size(),
                          bytes,
                          static_cast<char *>(x[1].data) -
                              static_cast<char *>(x[0].data)};
  if (columns.shardPitch != bytes && columns.shardPitch != bytes * ranks)
    return std::nullopt;
  columns.layout.sizes[0] =
      numElements(x[0]) * ((x.size() - 1) * (columns.shardPitch / bytes) + 1);
  for (int32_t k = 0; k < x.size(); ++k)
    if (bytesIn(x[k]) != bytes || collective.orders.isReversed(k) ||
        x[k].data != columns.part + k * columns.shardPitch ||
        y[k].data != columns.whole + k * bytes * ranks)
      return std::nullopt;
  return columns;
}
