// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C, a closed terminal, or a closed output pipe: as a state that the
// training loop polls instead of an event that interrupts it.

#ifndef TE_RUN_INTERRUPT_H
#define TE_RUN_INTERRUPT_H

#include <csignal>
#include <iterator>

namespace tert::run {

/// During its lifetime, SIGINT, SIGTERM and SIGHUP are counted instead of
/// fatal; a second one ends the process at once. SIGPIPE also requests an end,
/// however often it is raised. SIGHUP and SIGPIPE stay ignored if they were
/// (nohup). One instance at a time.
class Interrupt {
public:
  /// A quiet one prints nothing: of many ranks, only one prints.
  explicit Interrupt(bool quiet = false);
  ~Interrupt();
  Interrupt(const Interrupt &) = delete;
  Interrupt &operator=(const Interrupt &) = delete;

  bool requested() const;

private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  struct sigaction previous[std::size(signals)];
};

} // namespace tert::run

#endif // TE_RUN_INTERRUPT_H
