// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/MachineMemory.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace tert::cpu;

namespace {
class MachineMemoryTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "te-test-XXXXXX").string();
    root = ::mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(root); }
  void write(const std::string &path, const std::string &text) {
    std::filesystem::path file = root + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  std::string root;
};
} // namespace

TEST_F(MachineMemoryTest, OfAMachine) {
  write("/proc/meminfo", "MemTotal:       1000 kB\nMemFree:  1 kB\n"
                         "MemAvailable:    600 kB\nSwapFree:  50 kB\n");
  write("/proc/self/cgroup", "0::/\n");
  EXPECT_EQ(machineMemory(root).total, 1000u * 1024);
  EXPECT_EQ(machineMemory(root).available, 650u * 1024);
}

TEST_F(MachineMemoryTest, TheTightestGroupCounts) {
  write("/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 600 kB\n");
  write("/proc/self/cgroup", "1:name=x:/other\n0::/a/b\n");
  write("/sys/fs/cgroup/a/b/memory.max", "max\n");
  write("/sys/fs/cgroup/a/b/memory.current", "5000\n");
  write("/sys/fs/cgroup/a/memory.max", "20000\n");
  write("/sys/fs/cgroup/a/memory.current", "9000\n");
  write("/sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 4000\n");
  EXPECT_EQ(machineMemory(root).total, 20000u);
  EXPECT_EQ(machineMemory(root).available, 20000u - (9000 - 4000));
}

TEST_F(MachineMemoryTest, UnknownIsZero) {
  EXPECT_EQ(machineMemory(root).total, 0u);
  EXPECT_EQ(machineMemory(root).available, 0u);
}

TEST_F(MachineMemoryTest, ThisMachine) {
  MachineMemory memory = machineMemory();
  EXPECT_GT(memory.total, 0u);
  EXPECT_GT(memory.available, 0u);
}
