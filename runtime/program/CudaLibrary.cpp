// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/CudaLibrary.h"

#include "program/Library.h"

using namespace tert;

static Library openLibrary() {
  Library library = Library::open("tert-cuda");
  if (library.handle)
    return library;
  if (library.isThere)
    throw Error(TERT_UNSUPPORTED,
                "the CUDA backend cannot be loaded: " + library.reason +
                    ". It needs the CUDA toolkit's cuBLAS of the major version "
                    "it was built with, where the loader finds it "
                    "(/etc/ld.so.conf.d, or LD_LIBRARY_PATH); for a wheel, "
                    "pip install 'temlir[cuda]' brings it");
  throw Error(
      TERT_UNSUPPORTED,
      "this build of the runtime has no CUDA backend (libtert-cuda.so). "
      "Build it where there is a CUDA toolkit, or after "
      "`scripts/setup --cuda`");
}

std::unique_ptr<Backend> tert::createCudaBackend(int ordinal,
                                                 const tert_options &options) {
  static const Library library = openLibrary();
  auto factory =
      reinterpret_cast<CudaFactory>(library.find(TERT_CUDA_FACTORY_SYMBOL));
  if (!factory)
    throw Error(TERT_UNSUPPORTED,
                "libtert-cuda.so is not of this version of the runtime");
  return makeWith<Backend>([&](Backend **made, char *message, size_t size) {
    return factory(backendInterfaceVersion, ordinal, &options, made, message,
                   size);
  });
}
