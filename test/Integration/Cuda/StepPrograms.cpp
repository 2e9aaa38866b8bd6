// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StepPrograms.h"

#include <gtest/gtest.h>

using namespace test;
namespace fs = std::filesystem;

static fs::path programs; // main() sets it before any test runs

static fs::path folderOfTests() {
  return fs::read_symlink("/proc/self/exe").parent_path();
}

fs::path test::programPath(const std::string &name, const std::string &target) {
  return programs / (name + "." + target + ".so");
}

std::string test::teRunPath() { return folderOfTests() / "../bin/te-run"; }

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  programs = argc > 1 ? fs::path(argv[1]) : folderOfTests() / "steps";
  return RUN_ALL_TESTS();
}
