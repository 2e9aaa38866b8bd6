// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C, a terminal that is closed, a reader of our output that went away: as
// a question that the training loop asks, rather than an event that happens to
// it.

#ifndef TE_RUN_INTERRUPT_H
#define TE_RUN_INTERRUPT_H

#include <csignal>
#include <iterator>

namespace tert::run {

/// While it lives, SIGINT, SIGTERM and SIGHUP are counted rather than deadly; a
/// second one ends the process at once. SIGPIPE asks for an end, too, however
/// often it comes. SIGHUP and SIGPIPE that are ignored (nohup) stay so. One at
/// a time.
class Interrupt {
public:
  /// A quiet one says nothing: of many ranks one does.
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
