// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/host/Transport.h"

#include "program/Library.h"

using namespace tert;

std::unique_ptr<Transport> tert::createTransport(const Group &group,
                                                 const Rendezvous &rendezvous) {
  const std::string name = "tert-" + rendezvous.library;
  const Library library = Library::open(name);
  if (!library.handle)
    throw Error(TERT_UNSUPPORTED, "lib" + name +
                                      ".so, which is to connect the ranks, "
                                      "does not load: " +
                                      library.reason);
  auto factory = reinterpret_cast<TransportFactory>(
      library.find(TERT_TRANSPORT_FACTORY_SYMBOL));
  if (!factory)
    throw Error(TERT_UNSUPPORTED,
                "lib" + name +
                    ".so does not support collectives on host memory; "
                    "'tcp' does");
  return makeWith<Transport>([&](Transport **made, char *message, size_t size) {
    return factory(backendInterfaceVersion, &group, &rendezvous, made, message,
                   size);
  });
}
