// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/CudaLibrary.h"

#include "program/Error.h"

#include <dlfcn.h>
#include <string>
#include <unistd.h>

using namespace tert;

static constexpr const char *libraryName = "libtert-cuda.so";

/// The folder that the library with this function was loaded from, with a
/// slash; empty if the loader does not say.
static std::string ownFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&ownFolder), &info) ||
      !info.dli_fname)
    return "";
  std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

/// Never unloaded: CUDA's own libraries do not take that well.
static void *openLibrary() {
  std::string beside = ownFolder() + libraryName;
  bool isBeside = beside != libraryName && access(beside.c_str(), F_OK) == 0;
  void *library =
      dlopen(isBeside ? beside.c_str() : libraryName, RTLD_NOW | RTLD_LOCAL);
  if (library)
    return library;
  const char *reason = dlerror();
  if (isBeside)
    throw Error(TERT_UNSUPPORTED,
                "the CUDA part of the runtime does not load: " +
                    std::string(reason ? reason : "unknown reason") +
                    ". It needs the CUDA toolkit's cuBLAS of the major version "
                    "it was built with, where the loader finds it "
                    "(/etc/ld.so.conf.d, or LD_LIBRARY_PATH)");
  throw Error(TERT_UNSUPPORTED,
              "this build of the runtime has no CUDA part (" +
                  std::string(libraryName) +
                  "). Build it where there is a CUDA toolkit, or after "
                  "`scripts/setup --cuda`");
}

std::unique_ptr<Backend> tert::createCudaBackend(int ordinal,
                                                 const tert_options &options) {
  static void *library = openLibrary();
  auto factory =
      reinterpret_cast<CudaFactory>(dlsym(library, TERT_CUDA_FACTORY_SYMBOL));
  if (!factory)
    throw Error(TERT_UNSUPPORTED, std::string(libraryName) +
                                      " is not of this version of the runtime");
  Backend *backend = nullptr;
  char message[1024] = "";
  tert_status status = factory(backendInterfaceVersion, ordinal, &options,
                               &backend, message, sizeof(message));
  if (status != TERT_OK)
    throw Error(status, message);
  return std::unique_ptr<Backend>(backend);
}
