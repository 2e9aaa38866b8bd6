// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the runtime that are libraries of their own, so that everything
// else runs where they, or what they need, are missing.
#ifndef TERT_PROGRAM_LIBRARY_H
#define TERT_PROGRAM_LIBRARY_H

#include "program/Error.h"

#include <cstddef>
#include <memory>
#include <string>

namespace tert {

/// Changes whenever Backend, Graph, Timer, Communicator, Exchange or Error do,
/// so that a library of another build is refused instead of called.
constexpr int32_t backendInterfaceVersion = 9;

/// A library that was opened, or why it was not.
struct Library {
  void *handle = nullptr; ///< never closed: CUDA's do not take that well
  bool isThere = false;   ///< there is such a file beside this library
  std::string reason;     ///< what the loader says

  /// Opens lib<name>.so: the one beside the library with this code, or else
  /// one on the loader's path.
  static Library open(const std::string &name);

  /// The function under `symbol`; null if it has none.
  void *find(const char *symbol) const;
};

/// What a library's factory makes; throws what it says when it does not.
/// `factory` takes where to put it, and the message with its size.
template <typename Made, typename Fn>
std::unique_ptr<Made> makeWith(const Fn &factory) {
  Made *made = nullptr;
  char message[1024] = "";
  tert_status status = factory(&made, message, sizeof(message));
  if (status != TERT_OK)
    throw Error(status, message);
  return std::unique_ptr<Made>(made);
}

/// `text` as far as it fits, NUL-terminated.
void writeMessage(const std::string &text, char *message, size_t size);

/// Body of a library's factory: calls `make` if the versions agree, and turns
/// what it throws into a status and a message.
template <typename Fn>
tert_status callFactory(int32_t interfaceVersion, const char *library,
                        char *message, size_t size, const Fn &make) noexcept {
  try {
    if (interfaceVersion != backendInterfaceVersion)
      throw Error(TERT_UNSUPPORTED, std::string("lib") + library +
                                        ".so and libtert.so are of different "
                                        "builds; install both from one");
    make();
    return TERT_OK;
  } catch (const Error &error) {
    writeMessage(error.what(), message, size);
    return error.getStatus();
  } catch (const std::bad_alloc &) {
    writeMessage("out of memory", message, size);
    return TERT_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    writeMessage(error.what(), message, size);
    return TERT_DEVICE_ERROR;
  }
}

} // namespace tert

#endif // TERT_PROGRAM_LIBRARY_H
