// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only function that this library exports.

#include "program/Library.h"
#include "tcp/TcpExchange.h"

using namespace tert;

extern "C" tert_status tert_create_exchange(int32_t interfaceVersion,
                                            const Group *group,
                                            const Rendezvous *rendezvous,
                                            Exchange **exchange, char *message,
                                            size_t messageSize) {
  *exchange = nullptr;
  return callFactory(interfaceVersion, "tert-tcp", message, messageSize, [&] {
    *exchange = new tcp::TcpExchange(*group, *rendezvous);
  });
}
