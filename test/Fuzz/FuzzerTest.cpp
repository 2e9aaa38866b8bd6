// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fuzzer itself: it repeats what it did, and finds and reduces bugs that
// are put into a pass for it.

#include "Derivatives.h"
#include "Findings.h"
#include "Graph.h"
#include "GraphSubject.h"

#include "../lib/Evaluator/Evaluator.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/InitAll.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

namespace {

/// A pass with a bug, of the kind that its option says.
struct PlantedBug : PassWrapper<PlantedBug, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlantedBug)
  PlantedBug() = default;
  PlantedBug(const PlantedBug &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "test-te-planted-bug"; }
  StringRef getDescription() const override { return "Do something wrong"; }

  Option<std::string> kind{*this, "kind", llvm::cl::desc("What is wrong")};

  void runOnOperation() override {
    getOperation().walk([&](ActivationOp op) {
      if (kind == "rewrite")
        op.setKind(ActivationKind::Sigmoid);
      else if (kind == "crash")
        std::abort();
      else if (kind == "silence")
        signalPassFailure();
      // Each costs a second: the fewer, the better.
      while (kind == "hang" && op.getKind() == ActivationKind::Silu)
        seen = seen + 1;
    });
  }
  volatile int seen = 0;
};

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().enableDebugInfo());
  return text;
}

class FuzzerTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    registerAllPasses();
    PassRegistration<PlantedBug>();
  }
  FuzzerTest() : context(registryOf(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }
  static DialectRegistry registryOf() {
    DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  /// The only failure of graphs with this bug in the place of cse, and the
  /// graph that it was reduced to.
  /// A hang costs a second each time: \p attempts are fewer there.
  void expectFound(const std::string &kind, StringRef stage, StringRef message,
                   unsigned attempts = 400, size_t mostOps = 4,
                   unsigned count = 48) {
    llvm::SmallString<128> folder;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("te-fuzz", folder));
    GraphSubject subject(&context);
    subject.nativeEvery = 0;
    subject.planted = "cse=test-te-planted-bug{kind=" + kind + "}";
    CampaignOptions options;
    options.count = count;
    options.secondsPerCase = 1;
    options.secondsPerShard = count / 16;
    options.attempts = attempts;
    options.findings = folder.str().str();
    CampaignSummary summary = runCampaign(subject, options);
    std::string reduced;
    for (const auto &[name, seen] : summary.failures) {
      if (seen.result.stage != stage ||
          !StringRef(seen.result.message).contains(message))
        continue;
      reduced = (Twine(folder) + "/1-" + Twine(seen.first) + ".mlir").str();
    }
    ASSERT_NE(reduced, "") << "nothing was found";
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(reduced, &context);
    ASSERT_TRUE(module);
    auto forward = module->lookupSymbol<func::FuncOp>("forward");
    ASSERT_TRUE(forward);
    EXPECT_LE(forward.getBody().front().getOperations().size(), mostOps)
        << textOf(*module);
    llvm::sys::fs::remove_directories(folder);
  }

  MLIRContext context;
};

} // namespace

TEST_F(FuzzerTest, DecisionsMakeTheGraph) {
  CampaignOptions options;
  std::string last;
  int different = 0;
  for (uint64_t number = 0; number < 20; ++number) {
    Choices choices = choicesOf(options, number);
    std::string text = textOf(*generateGraph(&context, choices));
    Choices again(choices.taken().vec());
    EXPECT_EQ(textOf(*generateGraph(&context, again)), text) << number;
    different += text != last;
    last = text;
  }
  EXPECT_GT(different, 10);
}

TEST_F(FuzzerTest, NoDecisionsAreTheSimplestGraph) {
  Choices none(std::vector<uint32_t>{});
  OwningOpRef<ModuleOp> graph = generateGraph(&context, none);
  auto forward = graph->lookupSymbol<func::FuncOp>("forward");
  EXPECT_EQ(forward.getBody().front().getOperations().size(), 1u);
}

TEST_F(FuzzerTest, WrongRewritesAreFoundAndReduced) {
  // As many attempts as te-fuzz makes: with 200, two products of 1x1 tensors
  // are still left before the activation. Each costs differences, so there are
  // few graphs, and with them few other failures that are reduced as well.
  expectFound("rewrite", "cse", " of @forward is ", /*attempts=*/400,
              /*mostOps=*/4, /*count=*/16);
}

TEST_F(FuzzerTest, CrashesAreFoundAndReduced) {
  expectFound("crash", "crash", "signal 6");
}

TEST_F(FuzzerTest, HangsAreFound) {
  expectFound("hang", "crash", "does not end", /*attempts=*/8,
              /*mostOps=*/100, /*count=*/128);
}

TEST_F(FuzzerTest, FailuresWithoutAnErrorAreFoundAndReduced) {
  expectFound("silence", "cse", "failed without an error");
}

// The gradient of a loss, which counts by 1, and of outputs by cotangents.
TEST_F(FuzzerTest, GradientsAreComparedWithDifferences) {
  static constexpr StringLiteral kModule = R"mlir(
    func.func @loss(%w: tensor<f32> {te.param = "w"})
        -> (tensor<f32> {te.output = "loss"}) {
      %0 = arith.mulf %w, %w : tensor<f32>
      return %0 : tensor<f32>
    }
    func.func @grad(%w: tensor<f32> {te.param = "w"})
        -> (tensor<f32> {te.output = "grad.w"}) {
      %0 = arith.addf %w, %w : tensor<f32>
      return %0 : tensor<f32>
    }
    func.func @half(%w: tensor<f32> {te.param = "w"})
        -> (tensor<f32> {te.output = "grad.w"}) {
      return %w : tensor<f32>
    }
    func.func @vjp(%w: tensor<f32> {te.param = "w"},
                   %dy: tensor<f32> {te.input = "cotangent.loss"})
        -> (tensor<f32> {te.output = "grad.w"}) {
      %0 = arith.addf %w, %w : tensor<f32>
      %1 = arith.mulf %0, %dy : tensor<f32>
      return %1 : tensor<f32>
    })mlir";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kModule, &context);
  ASSERT_TRUE(module);
  auto loss = module->lookupSymbol<func::FuncOp>("loss");
  Arguments arguments(loss);
  for (auto [name, isRight] :
       {std::pair("grad", true), {"half", false}, {"vjp", true}}) {
    Tally tally;
    Result result = checkGradients(
        loss, module->lookupSymbol<func::FuncOp>(name), arguments, tally);
    EXPECT_EQ(bool(result), isRight) << name << ": " << result.message;
    EXPECT_GE(tally.derivatives, 1) << name;
  }
}

TEST(OracleTest, SumsKnowFloat32sRange) {
  auto sum = [](std::initializer_list<double> terms, bool inFloat) {
    test::Sum sum(test::Rounding(0, 0, inFloat));
    for (double term : terms)
      sum.add(term);
    return sum.get();
  };
  // Most of the range, exact in float32.
  double most = 0x1.8p127;
  EXPECT_EQ(sum({most, most, -most}, false), most);
  // (most + most) - most is infinite in float32, most + (most - most) is not.
  EXPECT_TRUE(std::isnan(sum({most, most, -most}, true)));
  EXPECT_TRUE(std::isnan(sum({most, most, -most, -most}, true)));
  // Infinite in every order.
  EXPECT_EQ(sum({most, 1, most}, true), INFINITY);
  EXPECT_EQ(sum({-most, -most, most / 2}, true), -INFINITY);
  EXPECT_EQ(sum({1e40, 1}, true), INFINITY);
  // Not in any.
  EXPECT_EQ(sum({most, -most, 1}, true), 1);
  EXPECT_EQ(sum({1, 2, -4}, true), -1);
}

TEST(FindingsTest, KindsLeaveOutNumbersNamesAndTypes) {
  EXPECT_EQ(
      kindOf({Ending::Failed, "cse", "result 3 of @f is 1.5 instead of 2"}),
      kindOf({Ending::Failed, "cse", "result 14 of @f is 7 instead of 1"}));
  EXPECT_EQ(
      kindOf({Ending::Refused, "x", "'te.a' op has type tensor<2x3xf32>"}),
      kindOf({Ending::Refused, "x", "'te.b' op has type tensor<5xf32>"}));
  EXPECT_NE(kindOf({Ending::Failed, "cse", "lost results"}),
            kindOf({Ending::Failed, "canonicalize", "lost results"}));
}

// The search is greedy: no decision of what it ends with can be left out or
// made smaller.
TEST(FindingsTest, ReductionLeavesNothingToDropOrToMakeSmaller) {
  // Fails where three decisions in a row add up to 7 or more.
  auto fails = [](Choices &choices) {
    uint32_t last[3] = {};
    for (int i = 0; i < 20; ++i) {
      last[i % 3] = choices.below(6);
      if (last[0] + last[1] + last[2] >= 7)
        return true;
    }
    return false;
  };
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Choices choices(seed);
    if (!fails(choices))
      continue;
    std::vector<uint32_t> given = choices.taken().vec();
    std::set<std::vector<uint32_t>> asked;
    std::vector<uint32_t> best = reduceChoices(
        choices, 1000, [&](Choices &candidate) { (void)fails(candidate); },
        [&](ArrayRef<uint32_t> decisions) {
          // About no case twice, and about none that is longer.
          EXPECT_TRUE(asked.insert(decisions.vec()).second);
          EXPECT_LE(decisions.size(), given.size());
          Choices again(decisions.vec());
          return fails(again);
        });
    EXPECT_GE(best.size(), 2u);
    EXPECT_LE(best.size(), 3u);
    EXPECT_EQ(std::accumulate(best.begin(), best.end(), 0u), 7u);
  }
}
