// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters from files, which may hold anything.

#include "te/Planning/Cluster.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::te;

namespace {
class ClusterTest : public testing::Test {
protected:
  /// What is wrong with the text, or "" with `cluster` changed.
  std::string apply(StringRef text) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message += diagnostic.str();
      return success();
    });
    LogicalResult result =
        applyClusterText(cluster, text, "c.json", UnknownLoc::get(&context));
    EXPECT_EQ(failed(result), !message.empty());
    return message;
  }

  MLIRContext context;
  Cluster cluster;
};

constexpr StringLiteral whole = R"({
  "name": "two boxes", "target": "sm_90", "host_size": 4,
  "device": {"name": "GPU", "memory_gib": 80, "bf16_tflops": 900,
             "copy_gbytes_per_s": 3000},
  "links": {"start_us": 8, "interference": 0.4,
    "host": {"hop_us": 2, "all_reduce_gbytes_per_s": 300,
             "all_gather_gbytes_per_s": 250,
             "reduce_scatter_gbytes_per_s": 240},
    "network": {"hop_us": 12, "all_reduce_gbytes_per_s": 40,
                "all_gather_gbytes_per_s": 41,
                "reduce_scatter_gbytes_per_s": 42}}})";
} // namespace

TEST_F(ClusterTest, ReadsAWholeOne) {
  EXPECT_EQ(apply(whole), "");
  EXPECT_EQ(cluster.name, "two boxes");
  EXPECT_EQ(cluster.target, "sm_90");
  EXPECT_EQ(cluster.hostSize, 4);
  EXPECT_EQ(cluster.device->memory, 80.0 * (1 << 30));
  EXPECT_EQ(cluster.device->peak, 900e12);
  EXPECT_EQ(cluster.device->copies, 3000e9);
  EXPECT_DOUBLE_EQ(cluster.links->startSeconds, 8e-6);
  EXPECT_EQ(cluster.links->interference, 0.4);
  EXPECT_DOUBLE_EQ(cluster.links->host.hopSeconds, 2e-6);
  EXPECT_EQ(cluster.links->host.allGather, 250e9);
  EXPECT_EQ(cluster.links->network.reduceScatter, 42e9);
}

TEST_F(ClusterTest, ChangesWhatItNames) {
  cluster = getReferenceCluster();
  const Cluster before = cluster;
  EXPECT_EQ(apply(R"({"links": {"network": {"all_reduce_gbytes_per_s": 7}}})"),
            "");
  EXPECT_EQ(cluster.links->network.allReduce, 7e9);
  EXPECT_EQ(cluster.links->network.allGather, before.links->network.allGather);
  EXPECT_EQ(cluster.links->host.allReduce, before.links->host.allReduce);
  EXPECT_EQ(cluster.device->peak, before.device->peak);
}

TEST_F(ClusterTest, NeedsNoTimes) {
  EXPECT_EQ(apply(R"({"target": "cpu"})"), "");
  EXPECT_FALSE(cluster.device);
  EXPECT_FALSE(cluster.links);
}

TEST_F(ClusterTest, SaysWhatIsWrong) {
  auto expect = [&](StringRef text, StringRef part) {
    cluster = getReferenceCluster();
    std::string message = apply(text);
    EXPECT_NE(message.find(part), std::string::npos) << text.str() << "\n"
                                                     << message;
  };
  expect("", "it is not JSON");
  expect("{\"host_size\": 8", "it is not JSON");
  expect("[]", "it is not a JSON object");
  expect("7", "it is not a JSON object");
  expect(std::string(100000, '['), "nested too deep");
  expect(std::string((1 << 20) + 1, ' '), "larger than a MiB");
  expect(R"({"hosts": 8})", "no field 'hosts'; the fields there are name, "
                            "target, host_size, device, links");
  expect(R"({"links": {"host": {"speed": 8}}})", "no field 'links.host.speed'");
  expect(R"({"\u001b[2J": 8})", "no field '?[2J'");
  expect(R"({"host_size": 0})", "'host_size' must be a number from 1 to");
  expect(R"({"host_size": 1.5})", "'host_size' must be an integer");
  expect(R"({"host_size": "8"})", "'host_size' must be a number");
  expect(R"({"host_size": 1e300})", "'host_size' must be a number");
  expect(R"({"host_size": null})", "'host_size' must be a number");
  expect(R"({"links": {"interference": 1}})",
         "'links.interference' must be a number from 0 to 0.99");
  expect(R"({"links": {"host": {"hop_us": -1}}})", "'links.host.hop_us'");
  expect(R"({"links": {"host": {"all_reduce_gbytes_per_s": 0}}})",
         "'links.host.all_reduce_gbytes_per_s' must be a number");
  expect(R"({"links": 3})", "'links' is not a JSON object");
  expect(R"({"name": ""})", "'name' must be a text");
  expect(R"({"name": "a\nb"})", "'name' must be a text");
  expect("{\"name\": \"" + std::string(201, 'a') + "\"}",
         "'name' must be a text");
}

TEST_F(ClusterTest, SaysWhatIsMissing) {
  EXPECT_NE(apply("{}").find("it has no 'target'; add it, or name a predefined "
                             "cluster before the file, as in "
                             "--cluster=h200-8x400g,FILE"),
            std::string::npos);
  cluster = Cluster();
  EXPECT_NE(apply(R"({"target": "sm_90", "device": {"bf16_tflops": 1}})")
                .find("it has no 'device.copy_gbytes_per_s'"),
            std::string::npos);
  cluster = Cluster();
  EXPECT_NE(apply(R"({"target": "sm_90", "links": {"host": {
                  "all_reduce_gbytes_per_s": 1, "all_gather_gbytes_per_s": 1,
                  "reduce_scatter_gbytes_per_s": 1}}})")
                .find("it has no 'links.network.all_reduce_gbytes_per_s'"),
            std::string::npos);
}

TEST_F(ClusterTest, FindsPredefinedOnesAndFiles) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  Location loc = UnknownLoc::get(&context);
  FailureOr<Cluster> found = readCluster("h100-8x400g", loc);
  ASSERT_TRUE(succeeded(found));
  EXPECT_EQ(found->device->name, "NVIDIA H100 80GB HBM3");
  EXPECT_TRUE(failed(readCluster("h100", loc)));
  EXPECT_NE(
      message.find("there is no cluster 'h100', and no file of that name"),
      std::string::npos);
  EXPECT_NE(message.find("the predefined clusters are h100-8x400g, "),
            std::string::npos);
  // Neither a device without an end nor a folder is read.
  EXPECT_TRUE(failed(readCluster("/dev/zero", loc)));
  EXPECT_TRUE(failed(readCluster("/", loc)));
  EXPECT_TRUE(failed(readCluster("", loc)));
}
