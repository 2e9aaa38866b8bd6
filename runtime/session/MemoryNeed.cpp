// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/MemoryNeed.h"

#include "support/Text.h"

using namespace tert::session;

MemoryNeed tert::session::memoryNeed(const Description &description,
                                     const EntryDescription *entry) {
  MemoryNeed need;
  // The host's memory is a CPU's own.
  const bool isCpu = description.target == "cpu";
  for (const StateDescription &state : description.states)
    (state.isOnHost && !isCpu ? need.host : need.states) += state.type.bytes();
  if (!entry)
    return need;
  need.arena = entry->arenaBytes;
  for (const ArgumentDescription &argument : entry->arguments)
    if (argument.role != ArgumentDescription::Role::State &&
        !argument.arenaOffset)
      need.arguments += argument.type.bytes();
  return need;
}

Error tert::session::checkFits(const MemoryNeed &need,
                               const tert_device_info &device,
                               const std::string &subject) {
  // Unknown sizes are not refused.
  if (device.free_bytes == 0 || need.total() <= device.free_bytes)
    return Error::success();
  auto text = [](uint64_t bytes) {
    return formatBytes(static_cast<double>(bytes));
  };
  std::string figures = "states " + text(need.states);
  for (const auto &[name, bytes] : {std::pair("arena", need.arena),
                                    {"inputs and outputs", need.arguments},
                                    {"temporary", need.temporary}})
    if (bytes)
      figures += std::string(", ") + name + " " + text(bytes);
  return Error(
      subject + " needs " + text(need.total()) + " (" + figures + "), but " +
      text(device.free_bytes) + " of the " + text(device.memory_bytes) +
      " of '" + device.name +
      "' are free. What helps: end other programs that use this memory, export "
      "the model with a smaller batch or sequence, compile with --precision "
      "fp8 or bf16, or take a larger device. --no-memory-check tries anyway");
}
