// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModuleSpans.h"

#include <gtest/gtest.h>

using namespace tert::run;

TEST(ModuleSpans, ModulesOfLocations) {
  EXPECT_EQ(moduleOf("h.0.mlp (model.py:12)"), "h.0.mlp");
  EXPECT_EQ(moduleOf("h.0"), "h.0");
  EXPECT_EQ(moduleOf("model.py:12"), "");
  EXPECT_EQ(moduleOf("h.0, h.1 (model.py:12)"), "");
  EXPECT_EQ(moduleOf(""), "");
}

TEST(ModuleSpans, ContainEachOther) {
  auto op = [](const char *location, double begin) {
    return OpSpan{"tert.add", location, begin, 1, 0, 0, 0};
  };
  const std::vector<ModuleSpan> spans = spansOfModules(
      {op("", 0), op("h.0.ln (a.py:1)", 1), op("h.0.mlp.fc", 2),
       op("h.0.mlp", 3), op("h.1.ln", 5), op("model.py:7", 7), op("h.1", 8)});
  struct Expected {
    const char *name, *module;
    double begin, seconds;
  };
  const std::vector<Expected> expected = {
      {"h.0", "h.0", 1, 3},     {"ln", "h.0.ln", 1, 1},
      {"mlp", "h.0.mlp", 2, 2}, {"fc", "h.0.mlp.fc", 2, 1},
      {"h.1", "h.1", 5, 1},     {"ln", "h.1.ln", 5, 1},
      {"h.1", "h.1", 8, 1},
  };
  ASSERT_EQ(spans.size(), expected.size());
  for (size_t i = 0; i < spans.size(); ++i) {
    EXPECT_EQ(spans[i].name, expected[i].name) << i;
    EXPECT_EQ(spans[i].module, expected[i].module) << i;
    EXPECT_EQ(spans[i].begin, expected[i].begin) << i;
    EXPECT_EQ(spans[i].seconds, expected[i].seconds) << i;
  }
}
