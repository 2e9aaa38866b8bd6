// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs beside what, on programs whose calls take round times.

#include "te/Planning/Timeline.h"
#include "te/Driver/Compilation.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::te;

namespace {
/// A copy of 1000 floats takes 8 us (a GB/s, read and written), and so does an
/// all_reduce of them over two ranks, times two (half a GB/s).
class TimelineTest : public testing::Test {
protected:
  TimelineTest() : context(createCompilationContext()) {
    cluster = getReferenceCluster();
    cluster.device->copies = 1e9;
    cluster.hostSize = 2;
    Cluster::Links links;
    links.host = {0, 0.5e9, 0.5e9, 0.5e9};
    links.network = links.host;
    cluster.links = links;
    costs = parseAttribute(
        R"(#te.measured_costs<device = "round", unaligned = 1.0,
             ceilings = {bytes = 1.0e9, f8 = 1.0e12, bf16 = 1.0e12,
                         f32 = 1.0e12, multiprocessors = 100.0},
             kernels = {default = [0.0, 1.0]}, epilogues = {},
             benchmarked = {}, tuned = {}>)",
        context.get());
  }

  /// Of a function with the buffers %a, %b, %c, %d of 1000 floats and %s of
  /// one; "copy" is a call on %d.
  FailureOr<Timeline> run(std::string body) {
    const std::string copy =
        "tert.copy x(%d : memref<1000xf32>) -> y(%e : memref<1000xf32>)";
    for (size_t at; (at = body.find("copy\n")) != std::string::npos &&
                    (at == 0 || body[at - 1] != '.');)
      body.replace(at, 4, copy);
    module = parseSourceString<ModuleOp>(
        "func.func @train(%a: memref<1000xf32>, %b: memref<1000xf32>, "
        "%c: memref<1000xf32>, %d: memref<1000xf32>, %e: memref<1000xf32>, "
        "%s: memref<f32>, %m: memref<1xf32>, %h: memref<500xf32>) {\n" +
            body + "return\n}\n",
        context.get());
    if (!module)
      return failure();
    const MeshAxis axes[] = {{"dp", 2}, {"tp", 2}};
    return computeTimeline(
        *module->getOps<func::FuncOp>().begin(), axes,
        TimeModel(cast<CostModelAttrInterface>(costs), cluster));
  }

  static std::string reduce(StringRef async, StringRef buffer, int axes) {
    return ("tert.collective all_reduce" + async + " -> y(%" + buffer +
            " : memref<1000xf32>) {axes = " + std::to_string(axes) +
            " : i32}\n")
        .str();
  }
  static std::string await(StringRef buffer) {
    return ("tert.await -> tensors(%" + buffer + " : memref<1000xf32>)\n")
        .str();
  }
  static constexpr double us = 1e-6;

  std::unique_ptr<MLIRContext> context;
  Cluster cluster;
  Attribute costs;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(TimelineTest, AddsUpWhatIsWaitedFor) {
  auto timeline = run("copy\n" + reduce("", "a", 1) + "copy\n");
  ASSERT_TRUE(succeeded(timeline));
  EXPECT_EQ(timeline->calls, 2);
  EXPECT_NEAR(timeline->computeSeconds, 16 * us, 1e-12);
  EXPECT_NEAR(timeline->seconds, 24 * us, 1e-12);
  ASSERT_EQ(timeline->collectives.size(), 1u);
  const Collective &collective = timeline->collectives[0];
  EXPECT_EQ(collective.kind, CollectiveKind::AllReduce);
  EXPECT_EQ(collective.ranks, 2);
  EXPECT_EQ(collective.wholeBytes, 4000);
  EXPECT_EQ(collective.sentBytes, 4000); // 2 (n-1)/n
  EXPECT_EQ(collective.dtypes, "f32");
  EXPECT_FALSE(collective.isAsync);
  EXPECT_EQ(collective.overlappedCalls, 0);
  EXPECT_NEAR(collective.seconds, 8 * us, 1e-12);
  EXPECT_NEAR(collective.exposedSeconds, 8 * us, 1e-12);
}

TEST_F(TimelineTest, HidesBehindWhatIsThereToHideBehind) {
  // Two collectives, 8 us each one after the other, beside one copy of 8 us:
  // the first is hidden, the second is not.
  auto timeline = run(reduce(" async", "a", 1) + reduce(" async", "b", 1) +
                      "copy\n" + await("a") + await("b") + "copy\n");
  ASSERT_TRUE(succeeded(timeline));
  EXPECT_NEAR(timeline->seconds, 24 * us, 1e-12);
  ASSERT_EQ(timeline->collectives.size(), 2u);
  EXPECT_NEAR(timeline->collectives[0].exposedSeconds, 0, 1e-12);
  EXPECT_NEAR(timeline->collectives[1].exposedSeconds, 8 * us, 1e-12);
  EXPECT_EQ(timeline->collectives[1].overlappedCalls, 1);
  EXPECT_NEAR(timeline->collectives[1].overlappedSeconds, 8 * us, 1e-12);

  // Along other axes, by communicators of their own, both are hidden.
  timeline = run(reduce(" async", "a", 1) + reduce(" async", "b", 2) +
                 "copy\n" + await("b") + await("a"));
  ASSERT_TRUE(succeeded(timeline));
  EXPECT_NEAR(timeline->seconds, 8 * us, 1e-12);

  // Waiting for the second is waiting for the first.
  timeline = run(reduce(" async", "a", 1) + reduce(" async", "b", 1) +
                 await("b") + "copy\n" + await("a"));
  ASSERT_TRUE(succeeded(timeline));
  EXPECT_NEAR(timeline->seconds, 24 * us, 1e-12);
  EXPECT_EQ(timeline->collectives[0].overlappedCalls, 0);

  // What nobody waits for ends before the step does.
  timeline = run(reduce(" async", "a", 3));
  ASSERT_TRUE(succeeded(timeline));
  // Four ranks on two hosts of two: 2 * 3/4 of 4000 bytes.
  EXPECT_NEAR(timeline->seconds, 12 * us, 1e-12);
  EXPECT_NEAR(timeline->collectives[0].exposedSeconds, 12 * us, 1e-12);
}

TEST_F(TimelineTest, TakesFromTheComputationBeside) {
  cluster.links->interference = 0.5;
  // 8 us of collective beside two copies: in them 4 us of the first are done,
  // the other 12 take 12.
  auto timeline = run(reduce(" async", "a", 1) + "copy\ncopy\n" + await("a"));
  ASSERT_TRUE(succeeded(timeline));
  EXPECT_NEAR(timeline->computeSeconds, 16 * us, 1e-12);
  EXPECT_NEAR(timeline->seconds, 20 * us, 1e-12);
  EXPECT_NEAR(timeline->collectives[0].exposedSeconds, 0, 1e-12);
  // One that is waited for takes the link, and the other one stands still: 8 us
  // for it alone, then 8 of the other, in which 4 of the copy are done, and 4.
  timeline = run(reduce(" async", "a", 1) + reduce("", "b", 1) + "copy\n" +
                 await("a"));
  ASSERT_TRUE(succeeded(timeline));
  EXPECT_NEAR(timeline->seconds, 20 * us, 1e-12);
}

TEST_F(TimelineTest, CountsWhatEachKindSends) {
  auto timeline =
      run("tert.collective all_gather x(%h : memref<500xf32>) -> y(%a : "
          "memref<1000xf32>) {axes = 2 : i32}\n"
          "tert.collective reduce_scatter x(%a : memref<1000xf32>) -> y(%h : "
          "memref<500xf32>) {axes = 1 : i32}\n"
          "tert.reduce_scalars maxima(%s : memref<f32>) sums(%s : "
          "memref<f32>) -> max(%m : memref<1xf32>) sum(%m : memref<1xf32>) "
          "{axes = 3 : i32}\n");
  ASSERT_TRUE(succeeded(timeline));
  ASSERT_EQ(timeline->collectives.size(), 3u);
  EXPECT_EQ(timeline->collectives[0].sentBytes, 2000);
  EXPECT_EQ(timeline->collectives[1].sentBytes, 2000);
  // Two scalars to three others.
  EXPECT_EQ(timeline->collectives[2].sentBytes, 24);
  EXPECT_EQ(timeline->collectives[2].ranks, 4);
  EXPECT_EQ(timeline->collectives[2].tensors, 2);
  EXPECT_EQ(timeline->calls, 0);
}

TEST_F(TimelineTest, CountsProducts) {
  auto timeline = run(
      "%x = memref.alloc() : memref<32x64xbf16>\n"
      "%y = memref.alloc() : memref<64x16xbf16>\n"
      "%z = memref.alloc() : memref<32x16xbf16>\n"
      "tert.matmul a(%x : memref<32x64xbf16>) b(%y : memref<64x16xbf16>) -> "
      "d(%z : memref<32x16xbf16>) {}\n");
  ASSERT_TRUE(succeeded(timeline));
  EXPECT_EQ(timeline->flops, 2 * 32 * 64 * 16);
}

TEST_F(TimelineTest, RefusesAxesThatThereAreNot) {
  std::string message;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(run(reduce("", "a", 4))));
  EXPECT_NE(
      message.find("communicates along axes of a mesh that the module does "
                   "not have"),
      std::string::npos)
      << message;
}
