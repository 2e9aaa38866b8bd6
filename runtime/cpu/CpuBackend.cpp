// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/CpuBackend.h"

#include "collectives/host/HostCommunicator.h"
#include "cpu/MachineMemory.h"
#include "cpu/Ops.h"
#include "program/Error.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace tert;
using namespace tert::cpu;

CpuBackend::CpuBackend(const tert_options &options)
    : execution(options.num_threads) {}

void *CpuBackend::allocate(size_t bytes) {
  AlignedMemory memory = allocateAligned(bytes);
  account.add(memory.get(), bytes);
  return memory.release();
}

void CpuBackend::release(void *memory) noexcept {
  account.remove(memory);
  AlignedDelete()(memory);
}

tert_device_info CpuBackend::deviceInfo() {
  tert_device_info info = {};
  std::snprintf(info.name, sizeof(info.name), "cpu, %d threads",
                execution.pool.getNumThreads());
  MachineMemory memory = machineMemory();
  info.memory_bytes = memory.total;
  info.free_bytes = memory.available;
  info.peak_bytes = account.peak();
  info.temporary_bytes = execution.scratch.bytes();
  return info;
}

void CpuBackend::copyToDevice(void *device, const void *host, size_t bytes) {
  std::memcpy(device, host, bytes);
}

void CpuBackend::copyToHost(void *host, const void *device, size_t bytes) {
  std::memcpy(host, device, bytes);
}

namespace {
/// Ops are complete when they return, so the timer reads the clock.
class ClockTimer final : public Timer {
public:
  size_t mark() override {
    marks.push_back(std::chrono::steady_clock::now());
    return marks.size() - 1;
  }
  double seconds(size_t from, size_t to) const override {
    return std::chrono::duration<double>(marks[to] - marks[from]).count();
  }

private:
  std::vector<std::chrono::steady_clock::time_point> marks;
};
} // namespace

std::unique_ptr<Timer> CpuBackend::createTimer() {
  return std::make_unique<ClockTimer>();
}

std::unique_ptr<Communicator>
CpuBackend::connect(const Group &group, const Rendezvous &rendezvous) {
  Rendezvous chosen = rendezvous;
  if (chosen.library.empty())
    chosen.library = "tcp";
  return std::make_unique<HostCommunicator>(group, execution,
                                            createTransport(group, chosen));
}

#define TERT_BACKEND_OP(name, parameters, arguments)                           \
  void CpuBackend::name(const tert_site &, TERT_LIST parameters) {             \
    cpu::name(execution, TERT_LIST arguments);                                 \
  }
#include "program/BackendCalls.def"

/// True if this processor runs code for x86-64-v3.
static bool isLevelV3() {
#ifdef __x86_64__
  return __builtin_cpu_supports("x86-64-v3");
#else
  return false;
#endif
}

void cpu::launchKernel(Execution &execution, const tert_kernel &kernel, int32_t,
                       void *const *operands) {
  if (!kernel.body)
    throw Error(TERT_UNSUPPORTED,
                std::string("kernel '") + kernel.name +
                    "' was generated for a GPU; compile the model with "
                    "--target=cpu");
  auto *body = kernel.body_v3 && isLevelV3() ? kernel.body_v3 : kernel.body;
  execution.pool.parallelFor(kernel.tasks,
                             [&](int64_t task, int) { body(operands, task); });
}
