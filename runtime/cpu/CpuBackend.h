// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU backend, the reference for every other one.
#ifndef TERT_CPU_CPUBACKEND_H
#define TERT_CPU_CPUBACKEND_H

#include "cpu/Execution.h"
#include "program/Backend.h"
#include "program/MemoryAccount.h"

namespace tert::cpu {

class CpuBackend final : public Backend {
public:
  explicit CpuBackend(const tert_options &options);

  void *allocate(size_t bytes) override;
  void release(void *memory) noexcept override;
  void copyToDevice(void *device, const void *host, size_t bytes) override;
  void copyToHost(void *host, const void *device, size_t bytes) override;
  void synchronize() override {}
  bool takesScaleBlocks() const override { return true; }
  bool takesE8M0Scales() const override { return true; }
  tert_device_info deviceInfo() override;
  std::unique_ptr<Timer> createTimer() override;
  std::unique_ptr<Communicator> connect(const Group &group,
                                        const Rendezvous &rendezvous) override;

#define TERT_BACKEND_OP(name, parameters, arguments)                           \
  void name(const tert_site &site, TERT_LIST parameters) override;
#include "program/BackendCalls.def"

private:
  MemoryAccount account;
  Execution execution;
};

} // namespace tert::cpu

#endif // TERT_CPU_CPUBACKEND_H
