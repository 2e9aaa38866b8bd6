// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives over tensors in host memory. Each rank adds the operands of all
// ranks here, in the ranks' order, so that sums have the same bits as on a
// single rank that adds them one after another. A separate library transfers
// the bytes.
#ifndef TERT_COLLECTIVES_HOST_HOSTCOMMUNICATOR_H
#define TERT_COLLECTIVES_HOST_HOSTCOMMUNICATOR_H

#include "collectives/host/Transport.h"
#include "cpu/Execution.h"

namespace tert::cpu {

class HostCommunicator final : public Communicator {
public:
  HostCommunicator(const Group &group, Execution &execution,
                   std::unique_ptr<Transport> transport)
      : Communicator(group), execution(execution),
        transport(std::move(transport)) {}

  void run(const tert_site &site, const Collective &collective) override;
  void reduceNorm(const tert_site &site, Backend &backend,
                  const TensorList &parts, const tert_tensor &norm) override;
  void reduceScalars(const tert_site &site, const TensorList &maxima,
                     const TensorList &sums, const tert_tensor *max,
                     const tert_tensor *sum) override;

  std::string failure() override { return transport->failure(); }
  void abort(const std::string &reason) noexcept override {
    transport->abort(reason);
  }

private:
  Execution &execution;
  std::unique_ptr<Transport> transport;
};

} // namespace tert::cpu

#endif // TERT_COLLECTIVES_HOST_HOSTCOMMUNICATOR_H
