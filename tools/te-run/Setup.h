// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands that run an artifact have in common: the artifact, the
// device, where the states come from.

#ifndef TE_RUN_SETUP_H
#define TE_RUN_SETUP_H

#include "session/Session.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tert::run {

struct Setup {
  std::string artifact;
  session::SessionOptions device;
  std::string weights;
  uint64_t seed = 0;
  std::string tuning; ///< Empty: the one beside the artifact, if there is one
  bool untuned = false;

  enum Tuning { Tuned, Untuned };
  /// Adds the artifact as a positional argument and the flags; those about
  /// tuning only where a database is read.
  void addTo(CLI::App &command, Tuning use = Tuned);
  /// Opens artifact and device; prints the warning there may be.
  session::Expected<std::unique_ptr<session::Session>> open() const;
  /// Of the entries that have run: plans of the database that could not be
  /// used, ops without a fast implementation.
  static std::vector<std::string> warningsOf(const session::Session &session);
  /// Prints them.
  static void reportWarnings(const session::Session &session);
  /// First values of the states; prints the warning there may be.
  session::Error initialize(session::Session &session) const;
};

} // namespace tert::run

#endif // TE_RUN_SETUP_H
