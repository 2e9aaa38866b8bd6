// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address of a job's rendezvous: a host and a port.

#ifndef TERT_LAUNCH_ENDPOINT_H
#define TERT_LAUNCH_ENDPOINT_H

#include "support/Error.h"

#include <cstdint>
#include <string>

namespace tert::launch {

using session::Error;
using session::Expected;

struct Endpoint {
  std::string host; ///< A name or an address, of IPv6 without its brackets.
  uint16_t port = 0;

  /// "node1:29500", "[::1]:29500".
  std::string text() const;
  /// True if, judging by the name, only processes of this host can reach it.
  bool isLoopback() const;
  /// True if the host is an IPv4 or IPv6 address instead of a name.
  bool isAddress() const;
};

/// Parses the result of text().
Expected<Endpoint> parseEndpoint(const std::string &text);

} // namespace tert::launch

#endif // TERT_LAUNCH_ENDPOINT_H
