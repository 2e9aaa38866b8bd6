// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a tuning database says: what is accepted is written and read again
// as the same.

#include "tuning/TuningDatabase.h"

#include <cstdint>

using namespace tert::session;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Expected<TuningDatabase> database =
      TuningDatabase::parse({reinterpret_cast<const char *>(data), size});
  if (!database) {
    if (database.takeError().message().empty())
      __builtin_trap();
    return 0;
  }
  std::string text = database->toJson();
  Expected<TuningDatabase> again = TuningDatabase::parse(text);
  if (!again || again->toJson() != text)
    __builtin_trap();
  return 0;
}
