// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a description says: what is accepted has sizes that fit in memory
// and references that lead somewhere.

#include "artifact/Description.h"

#include <cstdint>

using namespace tert::session;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Expected<Description> description =
      parseDescription({reinterpret_cast<const char *>(data), size});
  if (!description) {
    if (description.takeError().message().empty())
      __builtin_trap();
    return 0;
  }
  for (const StateDescription &state : description->states) {
    (void)state.type.bytes();
    (void)state.isPerSlot();
    (void)toString(state.type);
  }
  for (const EntryDescription &entry : description->entries)
    for (const ArgumentDescription &argument : entry.arguments) {
      if (argument.role == ArgumentDescription::Role::State &&
          argument.state >= description->states.size())
        __builtin_trap();
      if (argument.arenaOffset &&
          *argument.arenaOffset + argument.type.bytes() > entry.arenaBytes)
        __builtin_trap();
    }
  return 0;
}
