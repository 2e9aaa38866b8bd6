// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/Library.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

using namespace tert;

/// Directory of the library that contains this function, with a slash; empty if
/// the loader does not know it.
static std::string ownFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&ownFolder), &info) ||
      !info.dli_fname)
    return "";
  std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

Library Library::open(const std::string &name) {
  const std::string file = "lib" + name + ".so";
  const std::string beside = ownFolder() + file;
  Library library;
  library.isThere = beside != file && access(beside.c_str(), F_OK) == 0;
  library.handle =
      dlopen((library.isThere ? beside : file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library.handle) {
    const char *reason = dlerror();
    library.reason = reason ? reason : "unknown reason";
  }
  return library;
}

void *Library::find(const char *symbol) const {
  return handle ? dlsym(handle, symbol) : nullptr;
}

void tert::writeMessage(const std::string &text, char *message, size_t size) {
  if (!message || size == 0)
    return;
  size_t length = std::min(text.size(), size - 1);
  std::memcpy(message, text.data(), length);
  message[length] = '\0';
}
