// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C as a question that the training loop asks, rather than an event that
// happens to it.

#ifndef TE_RUN_INTERRUPT_H
#define TE_RUN_INTERRUPT_H

#include <csignal>

namespace tert::run {

/// While it lives, SIGINT and SIGTERM are counted rather than deadly; a second
/// one ends the process at once. One at a time.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt &) = delete;
  Interrupt &operator=(const Interrupt &) = delete;

  bool requested() const;

private:
  struct sigaction previousInterrupt, previousTerminate;
};

} // namespace tert::run

#endif // TE_RUN_INTERRUPT_H
