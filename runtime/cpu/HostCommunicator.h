// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of ranks whose tensors lie in the host's memory. Sums are made
// here, from the parts of all ranks and in the ranks' order, so that they have
// the same bits as on one rank that adds one after another; what carries the
// bytes is a library of its own.
#ifndef TERT_CPU_HOSTCOMMUNICATOR_H
#define TERT_CPU_HOSTCOMMUNICATOR_H

#include "cpu/Execution.h"
#include "program/Exchange.h"

namespace tert::cpu {

class HostCommunicator final : public Communicator {
public:
  HostCommunicator(const Group &group, Execution &execution,
                   std::unique_ptr<Exchange> exchange)
      : Communicator(group), execution(execution),
        exchange(std::move(exchange)) {}

  void allReduce(const tert_site &site, const TensorList &tensors) override;
  void reduceScatter(const tert_site &site, const TensorList &x,
                     const TensorList &y, const PartOrders &orders) override;
  void allGather(const tert_site &site, const TensorList &x,
                 const TensorList &y, const PartOrders &orders) override;
  void reduceNorm(const tert_site &site, Backend &backend,
                  const TensorList &parts, const tert_tensor &norm) override;
  void reduceScalars(const tert_site &site, const TensorList &maxima,
                     const TensorList &sums, const tert_tensor *max,
                     const tert_tensor *sum) override;

  std::string failure() override { return exchange->failure(); }
  void abort(const std::string &reason) noexcept override {
    exchange->abort(reason);
  }

private:
  Execution &execution;
  std::unique_ptr<Exchange> exchange;
};

} // namespace tert::cpu

#endif // TERT_CPU_HOSTCOMMUNICATOR_H
