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

namespace CLI {
class App;
}

namespace tert::run {

struct Setup {
  std::string artifact;
  session::SessionOptions device;
  std::string weights;
  uint64_t seed = 0;

  /// Adds the artifact as a positional argument and the flags.
  void addTo(CLI::App &command);
  session::Expected<std::unique_ptr<session::Session>> open() const;
  /// First values of the states; prints the warning there may be.
  session::Error initialize(session::Session &session) const;
};

} // namespace tert::run

#endif // TE_RUN_SETUP_H
