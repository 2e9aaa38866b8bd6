// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a cost model takes from a tuning database, and what it leaves.

#include "te/Target/Targets.h"

#include "TestFiles.h"
#include "tuning/TuningDatabase.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace mlir::te;
using tert::session::TuningDatabase;

namespace {
class TuningTest : public testing::Test {
protected:
  TuningTest() {
    context.loadDialect<TEDialect>();
    builtin = cast<MeasuredCostsAttr>(target->getCostModel(&context));
  }

  MeasuredCostsAttr add(const std::string &json, StringRef device = "") {
    test::writeText(folder / "t.json", json);
    warning.clear();
    return cast<MeasuredCostsAttr>(target->getTunedCostModel(
        &context, folder / "t.json", device, warning));
  }
  double tuned(MeasuredCostsAttr costs, StringRef problem) {
    auto seconds = costs.getTuned().getAs<FloatAttr>(problem);
    return seconds ? seconds.getValueAsDouble() : 0;
  }

  MLIRContext context;
  std::unique_ptr<TargetInfo> target = createHopperTarget();
  MeasuredCostsAttr builtin;
  test::TemporaryFolder folder;
  std::string warning;
};

constexpr const char *h200 =
    "NVIDIA H200, 132 multiprocessors, cuBLASLt 130100";
constexpr const char *h100 =
    "NVIDIA H100 80GB HBM3, 132 multiprocessors, cuBLASLt 130100";
constexpr const char *problem = "64x32x16 bf16 * bf16^T -> bf16";
constexpr const char *other = "64x48x16 bf16 * bf16^T -> bf16";
} // namespace

TEST_F(TuningTest, TakesTheBestTimes) {
  TuningDatabase database;
  database.put(h200, problem, {"00", 3e-6, 2e-6});
  MeasuredCostsAttr costs = add(database.toJson());
  EXPECT_EQ(warning, "");
  EXPECT_DOUBLE_EQ(tuned(costs, problem), 2e-6);
  EXPECT_EQ(costs.getDeviceName(), h200);

  Work work;
  MatrixProduct product;
  product.m = 64;
  product.n = 32;
  product.k = 16;
  product.a = product.b = product.d = BFloat16Type::get(&context);
  product.transposeB = true;
  std::optional<Cost> cost = costs.getCost(Work::ofProduct("matmul", product));
  ASSERT_TRUE(cost);
  EXPECT_DOUBLE_EQ(cost->seconds, 2e-6);
  EXPECT_TRUE(cost->hasMeasured);
  EXPECT_FALSE(cost->hasEstimated);
}

TEST_F(TuningTest, TheDeviceWithMoreOrTheOneAskedFor) {
  TuningDatabase database;
  database.put(h100, problem, {"00", 5e-6, 5e-6});
  database.put(h200, problem, {"00", 3e-6, 2e-6});
  database.put(h200, other, {"00", 3e-6, 2e-6});
  EXPECT_DOUBLE_EQ(tuned(add(database.toJson()), problem), 2e-6);
  MeasuredCostsAttr asked = add(database.toJson(), "NVIDIA H100");
  EXPECT_DOUBLE_EQ(tuned(asked, problem), 5e-6);
  // Its memory is slower: a copy's floor says so.
  Work copy;
  copy.bytes = 3e9;
  EXPECT_DOUBLE_EQ(asked.getFloorSeconds(copy), 1e-3);
}

TEST_F(TuningTest, AnotherGpusDatabaseIsIgnored) {
  TuningDatabase database;
  database.put("NVIDIA B200, 148 multiprocessors, cuBLASLt 130100", problem,
               {"00", 3e-6, 2e-6});
  EXPECT_TRUE(add(database.toJson()).getTuned().empty());
  EXPECT_NE(warning.find("it has no plans for 'sm_90', but for 'NVIDIA B200"),
            std::string::npos)
      << warning;
  EXPECT_NE(warning.find("te-run tune"), std::string::npos);
}

// Texts that are not products, and times that cannot be, are of no use.
TEST_F(TuningTest, WhatMakesNoSenseIsLeftOut) {
  TuningDatabase database;
  for (const char *text :
       {"", "x", "64x32x16", "-64x32x16 bf16 * bf16^T -> bf16",
        "64x32x99999999999999999999 bf16 * bf16^T -> bf16", "\"},{\""})
    database.put(h200, text, {"00", 1e-6, 1e-6});
  database.put(h200, problem, {"00", 0, 0});
  EXPECT_TRUE(add(database.toJson()).getTuned().empty());
  EXPECT_NE(warning, "");
  database.put(h200, other, {"00", 1e-6, 1e-6});
  EXPECT_EQ(add(database.toJson()).getTuned().size(), 1u);
  EXPECT_EQ(warning, "");
}

TEST_F(TuningTest, AbsentFilesAndFolders) {
  std::string why;
  EXPECT_EQ(
      target->getTunedCostModel(&context, folder / "absent.json", "", why),
      builtin);
  EXPECT_NE(why.find("absent.json"), std::string::npos);
  why.clear();
  EXPECT_EQ(target->getTunedCostModel(&context, folder / ".", "", why),
            builtin);
  EXPECT_NE(why.find("folder"), std::string::npos) << why;
}

// Any byte changed, any piece cut out or doubled: either a warning and the
// built-in model, or products that parse; never a crash.
TEST_F(TuningTest, DamageOfAnyKind) {
  TuningDatabase database;
  database.put(h200, problem, {"00ff", 3e-6, 2e-6});
  database.put(h200, other, {"00aa", 4e-6, 3e-6});
  std::string whole = database.toJson();
  std::mt19937 random(7);
  auto below = [&](size_t n) { return size_t(random() % n); };
  int ignored = 0;
  for (int round = 0; round < 500; ++round) {
    std::string text = whole;
    for (size_t changes = 1 + below(3); changes; --changes) {
      size_t at = below(text.size()), length = 1 + below(8);
      switch (below(3)) {
      case 0:
        text[at] = char(random());
        break;
      case 1:
        text.erase(at, length);
        break;
      default:
        text.insert(at, text.substr(below(text.size()), length));
      }
    }
    MeasuredCostsAttr costs = add(text);
    ASSERT_TRUE(costs);
    ignored += costs == builtin;
    EXPECT_EQ(costs == builtin, !warning.empty()) << text;
  }
  EXPECT_GT(ignored, 250);
  // Brackets beyond any stack.
  add(std::string(1000000, '['));
  EXPECT_NE(warning, "");
}
