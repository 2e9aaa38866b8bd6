// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Endpoint.h"

#include <arpa/inet.h>
#include <charconv>

using namespace tert::launch;

std::string Endpoint::text() const {
  bool isIPv6 = host.find(':') != std::string::npos;
  return (isIPv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

bool Endpoint::isLoopback() const {
  return host == "localhost" || host == "::1" || host.rfind("127.", 0) == 0;
}

bool Endpoint::isAddress() const {
  in6_addr address = {};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

Expected<Endpoint> tert::launch::parseEndpoint(const std::string &text) {
  Error malformed("'" + text +
                  "' is not HOST:PORT, such as node1:29500 or [::1]:29500, "
                  "with a port from 1 to 65535");
  size_t colon = text.rfind(':');
  if (colon == std::string::npos)
    return malformed;
  Endpoint endpoint;
  endpoint.host = text.substr(0, colon);
  if (endpoint.host.size() > 2 && endpoint.host.front() == '[' &&
      endpoint.host.back() == ']')
    endpoint.host = endpoint.host.substr(1, endpoint.host.size() - 2);
  else if (endpoint.host.find_first_of(":[]") != std::string::npos)
    return malformed;
  const char *end = text.data() + text.size();
  auto [last, failure] =
      std::from_chars(text.data() + colon + 1, end, endpoint.port);
  if (endpoint.host.empty() || failure != std::errc() || last != end ||
      endpoint.port == 0)
    return malformed;
  return endpoint;
}
