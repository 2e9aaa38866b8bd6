// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of ranks on GPUs. GPUs of one host read each other's memory;
// everything else uses NCCL.
#ifndef TERT_COLLECTIVES_NCCL_NCCLCOMMUNICATOR_H
#define TERT_COLLECTIVES_NCCL_NCCLCOMMUNICATOR_H

#include "collectives/nccl/NcclConnection.h"
#include "collectives/nccl/Progress.h"
#include "collectives/nccl/SideStream.h"
#include "collectives/peer/PeerCollectives.h"
#include "cuda/CommunicatorLibrary.h"

#include <array>
#include <vector>

namespace tert::nccl {

/// Enqueues on the context's stream. Calls may be captured into a graph once
/// each of them has run.
class NcclCommunicator final : public Communicator {
public:
  /// Construct on a thread bound to the GPU.
  NcclCommunicator(const Group &group, const cuda::CommunicatorResources &place,
                   const Rendezvous &rendezvous,
                   const peer::Mechanisms &mechanisms = {});
  ~NcclCommunicator() override;

  void run(const tert_site &site, const Collective &collective) override;
  void start(const tert_site &site, const Collective &collective) override;
  void await(const tert_site &site, const TensorList &tensors) override;
  void reduceNorm(const tert_site &site, Backend &backend,
                  const TensorList &parts, const tert_tensor &norm) override;
  void reduceScalars(const tert_site &site, const TensorList &maxima,
                     const TensorList &sums, const tert_tensor *max,
                     const tert_tensor *sum) override;

  std::string failure() override;
  std::string unfinishedFor(std::chrono::milliseconds time) override;
  void abort(const std::string &reason) noexcept override;

private:
  using Lane = peer::PeerCollectives::LaneIndex;
  void enqueue(const tert_site &site, const Collective &collective, Lane lane,
               cudaStream_t stream);
  /// Enqueues NCCL's collective of x[k] and y[k].
  ncclResult_t enqueueTensor(const Collective &collective, int32_t k,
                             ncclComm_t communicator, cudaStream_t stream);
  float *wordsFor(int64_t count);

  const cuda::CommunicatorResources place;
  Progress progress;
  NcclConnection connection;
  /// Streams of the lanes beside the computation.
  std::array<SideStream, 2> sides;
  /// Null if the GPUs cannot access each other's memory.
  std::unique_ptr<peer::PeerCollectives> peers;

  /// Grows without freeing old memory: captured graphs hold its addresses.
  std::vector<float *> words;
  int64_t numWords = 0;
};

} // namespace tert::nccl

#endif // TERT_COLLECTIVES_NCCL_NCCLCOMMUNICATOR_H
