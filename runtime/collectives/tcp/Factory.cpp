// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only function that this library exports.

#include "collectives/tcp/TcpTransport.h"
#include "program/Library.h"

using namespace tert;

extern "C" tert_status
tert_create_transport(int32_t interfaceVersion, const Group *group,
                      const Rendezvous *rendezvous, Transport **transport,
                      char *message, size_t messageSize) {
  *transport = nullptr;
  return callFactory(interfaceVersion, "tert-tcp", message, messageSize, [&] {
    *transport = new tcp::TcpTransport(*group, *rendezvous);
  });
}
