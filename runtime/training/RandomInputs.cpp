// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/RandomInputs.h"

#include "support/Random.h"
#include "training/DropoutSeed.h"
#include "training/Loss.h"

#include <cstring>

using namespace tert;
using namespace tert::session;

Error training::setRandomInputs(EntryCall &call, uint64_t seed) {
  const bool areClasses = Loss::of(call.program()).hasAnnotatedLabels;
  for (const ArgumentDescription &argument : call.description().arguments) {
    if (argument.role != ArgumentDescription::Role::Input)
      continue;
    RandomStream stream(seed, "bench." + argument.name);
    auto count = static_cast<size_t>(argument.type.elements());
    std::vector<char> bytes(argument.type.bytes());
    if (isFloat(toFileDType(argument.type.dtype))) {
      std::vector<float> values(count);
      stream.normal(0, values.data(), count);
      if (argument.type.dtype == TERT_F32)
        std::memcpy(bytes.data(), values.data(), bytes.size());
      else if (argument.type.dtype == TERT_BF16)
        for (size_t i = 0; i < count; ++i) {
          uint16_t narrow = floatToBF16(values[i]);
          std::memcpy(bytes.data() + 2 * i, &narrow, 2);
        }
    } else {
      // There may be few classes, but at least two.
      const int64_t end = areClasses && argument.name == "labels" ? 2 : 256;
      auto [low, high] =
          argument.range.value_or(std::make_pair(int64_t(0), end));
      size_t size = sizeOf(toFileDType(argument.type.dtype));
      for (size_t i = 0; i < count; ++i) {
        // Little-endian: the low bytes are the narrow integer.
        int64_t value = low + static_cast<int64_t>(stream.below(
                                  static_cast<uint64_t>(high - low), i));
        std::memcpy(bytes.data() + i * size, &value, size);
      }
    }
    if (Error error = call.setInput(argument, bytes.data()))
      return error;
  }
  return setDropoutSeed(call, seed, {});
}
