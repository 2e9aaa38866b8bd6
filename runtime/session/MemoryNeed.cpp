// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/MemoryNeed.h"

#include <cstdio>

using namespace tert::session;

MemoryNeed tert::session::memoryNeed(const Description &description,
                                     const EntryDescription *entry) {
  MemoryNeed need;
  for (const StateDescription &state : description.states)
    need.states += state.type.bytes();
  if (!entry)
    return need;
  need.arena = entry->arenaBytes;
  for (const ArgumentDescription &argument : entry->arguments)
    if (argument.role != ArgumentDescription::Role::State &&
        !argument.arenaOffset)
      need.arguments += argument.type.bytes();
  return need;
}

std::string tert::session::gibibytes(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f GiB",
                static_cast<double>(bytes) / (uint64_t(1) << 30));
  return text;
}

Error tert::session::checkFits(const MemoryNeed &need,
                               const tert_device_info &device,
                               const std::string &subject) {
  // Unknown sizes are not refused.
  if (device.free_bytes == 0 || need.total() <= device.free_bytes)
    return Error::success();
  std::string figures = "states " + gibibytes(need.states);
  for (const auto &[name, bytes] : {std::pair("arena", need.arena),
                                    {"inputs and outputs", need.arguments},
                                    {"temporary", need.temporary}})
    if (bytes)
      figures += std::string(", ") + name + " " + gibibytes(bytes);
  return Error(
      subject + " needs " + gibibytes(need.total()) + " (" + figures +
      "), but " + gibibytes(device.free_bytes) + " of the " +
      gibibytes(device.memory_bytes) + " of '" + device.name +
      "' are free. What helps: end other programs that use this memory, export "
      "the model with a smaller batch or sequence, compile with --precision "
      "fp8 or bf16, or take a larger device. --no-memory-check tries anyway");
}
