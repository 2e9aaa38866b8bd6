// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/CommunicatorLibrary.h"

#include "program/Library.h"

using namespace tert;

std::unique_ptr<Communicator>
cuda::createCommunicator(const CommunicatorResources &place, const Group &group,
                         const Rendezvous &rendezvous) {
  const std::string name =
      "tert-" + (rendezvous.library.empty() ? "nccl" : rendezvous.library);
  const Library library = Library::open(name);
  if (!library.handle)
    throw Error(
        TERT_UNSUPPORTED,
        "lib" + name + ".so, which is to connect the GPUs, does not load: " +
            library.reason +
            (library.isThere ? ". It needs NCCL where the loader finds it "
                               "(/etc/ld.so.conf.d, or LD_LIBRARY_PATH)"
                             : ". The runtime is built with it where NCCL is "
                               "found (scripts/setup --cuda fetches it)"));
  auto factory = reinterpret_cast<CommunicatorFactory>(
      library.find(TERT_CUDA_COMMUNICATOR_FACTORY_SYMBOL));
  if (!factory)
    throw Error(TERT_UNSUPPORTED,
                "lib" + name +
                    ".so does not support collectives on GPU memory; 'nccl' "
                    "does");
  return makeWith<Communicator>(
      [&](Communicator **made, char *message, size_t size) {
        return factory(backendInterfaceVersion, &place, &group, &rendezvous,
                       made, message, size);
      });
}
