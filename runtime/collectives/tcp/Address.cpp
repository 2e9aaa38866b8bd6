// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/tcp/Address.h"

#include <arpa/inet.h>
#include <fstream>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace tert;

/// Identical for processes that share a loopback interface: the same boot of
/// the same machine, and the same network namespace.
static std::string networkIdentity() {
  std::string identity;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> identity;
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  char space[64] = "";
  if (readlink("/proc/self/ns/net", space, sizeof(space) - 1) < 0)
    space[0] = '\0';
  return identity + " " + name + " " + space;
}

static std::string textOf(const sockaddr *address, socklen_t size) {
  char text[NI_MAXHOST] = "";
  if (getnameinfo(address, size, text, sizeof(text), nullptr, 0,
                  NI_NUMERICHOST) != 0)
    return {};
  return text;
}

/// Own address on the default route; empty if there is none.
static std::string routedAddress() {
  const int handle = socket(AF_INET, SOCK_DGRAM, 0);
  if (handle < 0)
    return {};
  // An address that is never assigned (RFC 5737). Connecting a datagram socket
  // selects the interface without sending anything.
  sockaddr_in anywhere = {};
  anywhere.sin_family = AF_INET;
  anywhere.sin_port = htons(9);
  inet_pton(AF_INET, "192.0.2.1", &anywhere.sin_addr);
  sockaddr_in own = {};
  socklen_t size = sizeof(own);
  std::string text;
  if (connect(handle, reinterpret_cast<sockaddr *>(&anywhere),
              sizeof(anywhere)) == 0 &&
      getsockname(handle, reinterpret_cast<sockaddr *>(&own), &size) == 0)
    text = textOf(reinterpret_cast<sockaddr *>(&own), size);
  close(handle);
  return text;
}

/// Address of a non-loopback interface that is up, preferably IPv4.
static std::string anyAddress() {
  ifaddrs *list = nullptr;
  if (getifaddrs(&list) != 0)
    return {};
  std::unique_ptr<ifaddrs, void (*)(ifaddrs *)> owner(list, freeifaddrs);
  for (int family : {AF_INET, AF_INET6})
    for (const ifaddrs *entry = list; entry; entry = entry->ifa_next)
      if (entry->ifa_addr && entry->ifa_addr->sa_family == family &&
          (entry->ifa_flags & IFF_UP) && !(entry->ifa_flags & IFF_LOOPBACK))
        return textOf(entry->ifa_addr, family == AF_INET
                                           ? sizeof(sockaddr_in)
                                           : sizeof(sockaddr_in6));
  return {};
}

std::string tcp::addressFor(const Group &group, const Store &store) {
  const std::string own = networkIdentity();
  store.set("network/" + std::to_string(group.rank), own);
  bool isLocal = true;
  for (int32_t place = 0; place < group.size(); ++place)
    isLocal &= store.get("network/" + std::to_string(place)) == own;
  if (isLocal)
    return "127.0.0.1";
  std::string address = routedAddress();
  if (address.empty())
    address = anyAddress();
  if (address.empty())
    throw Error(TERT_UNSUPPORTED,
                "the job has ranks on other machines, but this one has no "
                "network but the loopback interface");
  return address;
}
