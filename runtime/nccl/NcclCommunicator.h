// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of ranks on GPUs, by NCCL.
#ifndef TERT_NCCL_NCCLCOMMUNICATOR_H
#define TERT_NCCL_NCCLCOMMUNICATOR_H

#include "cuda/CommunicatorLibrary.h"
#include "nccl/PeerExchange.h"
#include "nccl/Progress.h"
#include "nccl/SideStream.h"

#include <atomic>
#include <mutex>
#include <nccl.h>
#include <vector>

namespace tert::nccl {

/// Enqueues on the context's stream; may be captured into a graph once each of
/// its calls has run.
class NcclCommunicator final : public Communicator {
public:
  /// On a thread that is on the GPU.
  NcclCommunicator(const Group &group, const cuda::CommunicatorPlace &place,
                   const Rendezvous &rendezvous);
  ~NcclCommunicator() override;

  void allReduce(const tert_site &site, const TensorList &tensors) override;
  void startAllReduce(const tert_site &site,
                      const TensorList &tensors) override;
  void startReduceScatter(const tert_site &site, const TensorList &x,
                          const TensorList &y,
                          const PartOrders &orders) override;
  void startAllGather(const tert_site &site, const TensorList &x,
                      const TensorList &y, const PartOrders &orders) override;
  void await(const tert_site &site, const TensorList &tensors) override;
  void reduceScatter(const tert_site &site, const TensorList &x,
                     const TensorList &y, const PartOrders &orders) override;
  void allGather(const tert_site &site, const TensorList &x,
                 const TensorList &y, const PartOrders &orders) override;
  void reduceNorm(const tert_site &site, Backend &backend,
                  const TensorList &parts, const tert_tensor &norm) override;
  void reduceScalars(const tert_site &site, const TensorList &maxima,
                     const TensorList &sums, const tert_tensor *max,
                     const tert_tensor *sum) override;

  std::string failure() override;
  std::string unfinishedFor(std::chrono::milliseconds time) override;
  void abort(const std::string &reason) noexcept override;

private:
  /// Runs body(k) for the tensors that have elements, as one
  /// operation of NCCL; nothing if none has.
  template <typename Fn>
  void runGroup(const tert_site &site, const TensorList &tensors,
                ncclComm_t current, cudaStream_t stream, const Fn &body);
  using Lane = PeerExchange::LaneIndex;
  ncclComm_t of(Lane lane) {
    return get(lane == PeerExchange::Beside ? beside : communicator);
  }
  void allReduceOn(const tert_site &site, const TensorList &tensors, Lane lane,
                   cudaStream_t stream);
  void reduceScatterOn(const tert_site &site, const TensorList &x,
                       const TensorList &y, const PartOrders &orders, Lane lane,
                       cudaStream_t stream);
  void allGatherOn(const tert_site &site, const TensorList &x,
                   const TensorList &y, const PartOrders &orders, Lane lane,
                   cudaStream_t stream);
  /// Throws unless `result` is success.
  void check(ncclResult_t result, const char *what);
  /// What has not been aborted; throws if it has.
  ncclComm_t get(const std::atomic<ncclComm_t> &of);
  float *wordsFor(int64_t count);

  const cuda::CommunicatorPlace place;
  const std::chrono::seconds timeout;
  Progress progress;
  /// Null once aborted, which any thread may do: for what is enqueued with the
  /// computation, and for what runs beside it.
  std::atomic<ncclComm_t> communicator{nullptr}, beside{nullptr};
  SideStream side;
  /// For large exchanges; null where the GPUs do not see each other's memory.
  std::unique_ptr<PeerExchange> peers;

  std::mutex mutex; ///< guards the text, and whoever destroys the communicator
  std::string abortReason;

  /// Grows, and keeps what it had: captured graphs hold the addresses.
  std::vector<float *> words;
  int64_t numWords = 0;
};

} // namespace tert::nccl

#endif // TERT_NCCL_NCCLCOMMUNICATOR_H
