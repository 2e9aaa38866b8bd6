// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the ranks of a job meet: a host and a port.

#ifndef TERT_LAUNCH_ENDPOINT_H
#define TERT_LAUNCH_ENDPOINT_H

#include "session/Error.h"

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
  /// Whether only processes of this host reach it, going by the name.
  bool isLoopback() const;
  /// Whether the host is an address of IPv4 or IPv6, and no name.
  bool isAddress() const;
};

/// Reads what text() writes.
Expected<Endpoint> parseEndpoint(const std::string &text);

} // namespace tert::launch

#endif // TERT_LAUNCH_ENDPOINT_H
