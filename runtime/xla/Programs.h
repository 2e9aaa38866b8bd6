// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries that XLA may call, and the devices that they run on.
#ifndef TERT_XLA_PROGRAMS_H
#define TERT_XLA_PROGRAMS_H

#include "tert/artifact.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tert::xla {

/// Where an argument of an entry comes from: operand and result are places
/// among those of the call, -1 for none. A state that is updated in place has
/// both, and XLA gives both one buffer.
struct Argument {
  int32_t operand, result;
  int64_t bytes;
};

struct Entry {
  tert_entry function;
  std::string device; ///< "cpu" or "cuda"
  size_t arenaBytes;  ///< 0, or the last result has them, and arenaSlack more
  std::vector<Argument> arguments;
};

/// XLA aligns buffers to less than the arena needs.
constexpr size_t arenaAlignment = 256, arenaSlack = arenaAlignment;

/// A context of the runtime; calls run one after another.
struct Device {
  std::mutex mutex;
  tert_context *context = nullptr;
};

/// All entries and devices of the process. XLA passes a handler nothing but the
/// attributes of the call, so the handler finds its entry by name. An address
/// in their place would be wrong in the next process, to which JAX's
/// compilation cache may carry the call.
class Programs {
public:
  static Programs &get();

  /// An entry that is there already stays.
  void add(std::string name, Entry entry);
  /// Null if there is none. Entries are never removed.
  const Entry *find(std::string_view name);
  /// Opened at its first use; never closed. Throws std::runtime_error.
  Device &open(const std::string &name);
  /// Waits for all devices; the message of the first error, or nothing.
  std::string synchronize();

private:
  std::mutex mutex;
  std::map<std::string, Entry, std::less<>> entries;
  std::map<std::string, std::unique_ptr<Device>> devices;
};

} // namespace tert::xla

#endif // TERT_XLA_PROGRAMS_H
