// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optional parts of the runtime as separate libraries, so that the rest runs if
// they, or their dependencies, are missing.
#ifndef TERT_PROGRAM_LIBRARY_H
#define TERT_PROGRAM_LIBRARY_H

#include "program/Error.h"

#include <cstddef>
#include <memory>
#include <string>

namespace tert {

/// Increased with every change of Backend, Graph, Timer, Communicator,
/// Transport or Error, so that a library of another build is refused instead of
/// called.
constexpr int32_t backendInterfaceVersion = 12;

/// An opened library, or the reason why opening failed.
struct Library {
  void *handle = nullptr; ///< never closed: CUDA does not support it
  bool isThere = false;   ///< the file exists in this library's directory
  std::string reason;     ///< the loader's message

  /// Opens lib<name>.so from the directory of the library with this code, or
  /// else from the loader's path.
  static Library open(const std::string &name);

  /// The function named `symbol`; null if there is none.
  void *find(const char *symbol) const;
};

/// Calls a library's factory; throws its message if it fails. `factory` takes
/// the result pointer, and the message buffer with its size.
template <typename Made, typename Fn>
std::unique_ptr<Made> makeWith(const Fn &factory) {
  Made *made = nullptr;
  char message[1024] = "";
  tert_status status = factory(&made, message, sizeof(message));
  if (status != TERT_OK)
    throw Error(status, message);
  return std::unique_ptr<Made>(made);
}

/// Writes `text`, truncated to fit and NUL-terminated.
void writeMessage(const std::string &text, char *message, size_t size);

/// Body of a library's factory: calls `make` if the versions agree, and
/// converts exceptions to a status and a message.
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
