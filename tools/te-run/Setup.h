// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options shared by commands that run an artifact: the artifact, the device,
// the source of the states.

#ifndef TE_RUN_SETUP_H
#define TE_RUN_SETUP_H

#include "session/Program.h"

#include <memory>

namespace CLI {
class App;
}

namespace tert::run {

struct Setup : session::ProgramOptions {
  enum Tuning { Tuned, Untuned };
  /// Adds the artifact as a positional argument and the flags; those about
  /// tuning only if a database is read.
  void addTo(CLI::App &command, Tuning use = Tuned);
  /// Opens artifact and device; prints warnings.
  session::Expected<std::unique_ptr<session::Session>> open() const;
  /// Prints notices about the entries that have run.
  static void reportNotices(const session::Session &session);
  /// Initializes the states; prints a warning, if any.
  session::Error initialize(session::Session &session) const;
};

} // namespace tert::run

#endif // TE_RUN_SETUP_H
