// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/MachineMemory.h"

#include <algorithm>
#include <fstream>
#include <optional>

using namespace tert::cpu;

/// The number after `key` in a file of lines "key number …"; 0 if absent.
static uint64_t valueOf(const std::string &path, const std::string &key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line))
    if (line.compare(0, key.size(), key) == 0)
      return std::strtoull(line.c_str() + key.size(), nullptr, 10);
  return 0;
}

/// The number that is the file's only content; nothing if it is a word ("max").
static std::optional<uint64_t> numberIn(const std::string &path) {
  uint64_t value = 0;
  if (std::ifstream(path) >> value)
    return value;
  return std::nullopt;
}

/// "/a/b" of the line "0::/a/b", the path in the unified hierarchy.
static std::string controlGroup(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line))
    if (line.compare(0, 3, "0::") == 0)
      return line.substr(3);
  return "";
}

MachineMemory tert::cpu::machineMemory(const std::string &root) {
  const std::string info = root + "/proc/meminfo";
  MachineMemory memory;
  memory.total = valueOf(info, "MemTotal:") * 1024;
  memory.available =
      (valueOf(info, "MemAvailable:") + valueOf(info, "SwapFree:")) * 1024;
  // Every ancestor group may have a limit too.
  std::string group = controlGroup(root + "/proc/self/cgroup");
  while (group.size() > 1 && group.front() == '/') {
    const std::string folder = root + "/sys/fs/cgroup" + group + "/";
    std::optional<uint64_t> limit = numberIn(folder + "memory.max");
    std::optional<uint64_t> used = numberIn(folder + "memory.current");
    if (limit && used) {
      // The page cache is reclaimed when memory is needed.
      uint64_t cached = valueOf(folder + "memory.stat", "inactive_file ");
      uint64_t held = *used - std::min(*used, cached);
      memory.total = std::min(memory.total, *limit);
      memory.available =
          std::min(memory.available, *limit - std::min(*limit, held));
    }
    group.erase(group.rfind('/'));
  }
  return memory;
}
