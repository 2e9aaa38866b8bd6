// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tert_store that reports failures as exceptions.
#ifndef TERT_PROGRAM_STORE_H
#define TERT_PROGRAM_STORE_H

#include "program/Error.h"
#include "tert/job.h"

#include <string>

namespace tert {

/// A key-value store visible to all ranks. Copies share the store, each with
/// its own prefix of keys. Every function may be called from any thread and
/// throws TERT_PEER_ERROR with the store's message.
class Store {
public:
  explicit Store(const tert_store &store, std::string prefix = {})
      : store(store), prefix(std::move(prefix)) {}

  Store under(const std::string &folder) const {
    return Store(store, prefix + folder + "/");
  }

  void set(const std::string &key, const std::string &value) const {
    char message[512] = "";
    tert_status status =
        store.set(store.data, (prefix + key).c_str(), value.data(),
                  value.size(), message, sizeof(message));
    if (status != TERT_OK)
      fail("could not be written", key, message);
  }

  /// Waits for the key, for the store's timeout.
  std::string get(const std::string &key) const {
    std::string value(256, '\0');
    for (;;) {
      char message[512] = "";
      size_t bytes = 0;
      tert_status status =
          store.get(store.data, (prefix + key).c_str(), value.data(),
                    value.size(), &bytes, message, sizeof(message));
      if (status != TERT_OK)
        fail("did not come", key, message);
      bool whole = bytes <= value.size();
      value.resize(bytes);
      if (whole)
        return value;
    }
  }

private:
  [[noreturn]] void fail(const char *what, const std::string &key,
                         const char *message) const {
    throw Error(TERT_PEER_ERROR, "the job's value '" + prefix + key + "' " +
                                     what + ": " + message);
  }

  tert_store store;
  std::string prefix;
};

} // namespace tert

#endif // TERT_PROGRAM_STORE_H
