// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C as a question that the training loop asks, rather than an event that
// happens to it.

#ifndef TE_RUN_INTERRUPT_H
#define TE_RUN_INTERRUPT_H

#include <atomic>
#include <csignal>
#include <thread>

namespace tert::run {

/// From construction on, SIGINT and SIGTERM set a flag; a second one ends the
/// process at once. Make it before any other thread: the signals are blocked in
/// this thread and those it starts, and taken by one thread of their own, so
/// that no handler and no global variable is needed.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt &) = delete;
  Interrupt &operator=(const Interrupt &) = delete;

  bool requested() const { return flag; }

private:
  void wait();
  sigset_t signals;
  std::atomic<bool> flag{false};
  std::atomic<bool> stopping{false};
  std::thread waiter;
};

} // namespace tert::run

#endif // TE_RUN_INTERRUPT_H
