// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a context calls its backend: on which device, and in which mode.

#include "program/Context.h"
#include "tert/context.h"
#include "tert/device.h"
#include "tert/graph.h"
#include "tert/ops.h"

#include <gtest/gtest.h>

using namespace tert;

namespace {

tert_status nothing(tert_context *, void *const *) { return TERT_OK; }

/// What a test looks at while the backend is the context's.
struct Calls {
  int entered = 0, left = 0;
  int outside = 0; ///< calls that came while the thread was elsewhere
  int synchronized = 0;
  bool capturing = false;
  bool refuseCapture = false;
  std::string whyNoKernels;
};

struct NoTimer : Timer {
  size_t mark() override { return marks++; }
  double seconds(size_t, size_t) const override { return 0; }
  size_t marks = 0;
};

struct OneGraph : Graph {
  explicit OneGraph(Calls &calls) : calls(calls) {}
  ~OneGraph() override { calls.outside += calls.entered == calls.left; }
  void launch() override { calls.outside += calls.entered == calls.left; }
  std::string whyNoKernels() const override { return calls.whyNoKernels; }
  Calls &calls;
};

/// A device that only notes what it is asked.
class NotingBackend final : public Backend {
public:
  explicit NotingBackend(Calls &calls) : calls(calls) {}

  int enter() override {
    ++calls.entered;
    return 7;
  }
  void leave(int previous) noexcept override {
    EXPECT_EQ(previous, 7);
    ++calls.left;
  }

  void *allocate(size_t) override {
    note();
    return &calls;
  }
  void release(void *) noexcept override { note(); }
  void copyToDevice(void *, const void *, size_t) override { note(); }
  void copyToHost(void *, const void *, size_t) override { note(); }
  void synchronize() override {
    note();
    ++calls.synchronized;
  }
  tert_device_info deviceInfo() override { return {}; }
  bool canCapture() const override { return true; }
  void beginCapture() override {
    note();
    if (calls.refuseCapture)
      throw Error(TERT_DEVICE_ERROR, "the stream is in use");
    calls.capturing = true;
  }
  std::unique_ptr<Graph> endCapture(bool keep, Timer *) override {
    note();
    calls.capturing = false;
    return keep ? std::make_unique<OneGraph>(calls) : nullptr;
  }
  std::unique_ptr<Timer> createTimer() override {
    return std::make_unique<NoTimer>();
  }

#define TERT_BACKEND_OP(name, parameters, arguments)                           \
  void name(const tert_site &site, TERT_LIST parameters) override { note(); }
#include "program/BackendCalls.def"

private:
  void note() { calls.outside += calls.entered == calls.left; }
  Calls &calls;
};

struct BackendCallsTest : testing::Test {
  void TearDown() override {
    tert_close(context);
    EXPECT_EQ(calls.entered, calls.left);
    EXPECT_EQ(calls.outside, 0);
  }

  /// Some op, at a site of its own.
  tert_status op() {
    return callOp(context, &site, "tert.fill",
                  [](OpCall &op) { op.fill(tert_tensor{}, 0.0); });
  }

  const tert_site site = {"tert.fill", "a", 0, 0, 0};
  Calls calls;
  tert_context *context =
      new tert_context(std::make_unique<NotingBackend>(calls));
};

} // namespace

/// The library's own would bring every device along.
std::unique_ptr<Backend> tert::createBackend(std::string_view,
                                             const tert_options &) {
  return nullptr;
}

TEST_F(BackendCallsTest, EveryCallIsOnTheDevice) {
  void *memory = nullptr;
  ASSERT_EQ(tert_allocate(context, 1, &memory), TERT_OK);
  EXPECT_EQ(calls.entered, 1);
  EXPECT_EQ(calls.left, 1);
  char byte = 0;
  EXPECT_EQ(tert_copy_to_device(context, memory, &byte, 1), TERT_OK);
  EXPECT_EQ(tert_copy_to_host(context, &byte, memory, 1), TERT_OK);
  EXPECT_EQ(op(), TERT_OK);
  EXPECT_EQ(tert_synchronize(context), TERT_OK);
  tert_release(context, memory);
  EXPECT_EQ(calls.entered, 6);
}

TEST_F(BackendCallsTest, AFailureGivesTheThreadItsDeviceBack) {
  EXPECT_EQ(tert_allocate(context, 1, nullptr), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(calls.entered, 1);
  EXPECT_EQ(calls.left, 1);
}

TEST_F(BackendCallsTest, GraphsAreMadeRunAndDestroyedOnTheDevice) {
  void *buffers[] = {nullptr};
  tert_graph *graph = nullptr;
  ASSERT_EQ(tert_graph_capture(context, nothing, buffers, &graph), TERT_OK);
  EXPECT_EQ(tert_graph_launch(graph), TERT_OK);
  tert_graph_release(graph);
  EXPECT_EQ(calls.outside, 0);
}

TEST_F(BackendCallsTest, ARefusedCaptureKeepsTheMode) {
  ASSERT_EQ(tert_set_synchronous(context, 1), TERT_OK);
  void *buffers[] = {nullptr};
  tert_graph *graph = nullptr;
  calls.refuseCapture = true;
  EXPECT_EQ(tert_graph_capture(context, nothing, buffers, &graph),
            TERT_DEVICE_ERROR);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(calls.synchronized, 0);
  EXPECT_EQ(op(), TERT_OK);
  EXPECT_EQ(calls.synchronized, 1);
}

TEST_F(BackendCallsTest, AProfileSaysWhyItHasNoKernels) {
  calls.whyNoKernels = "it has two streams";
  void *buffers[] = {nullptr};
  tert_graph *graph = nullptr;
  ASSERT_EQ(tert_graph_capture(context, nothing, buffers, &graph), TERT_OK);
  ASSERT_EQ(tert_profile_start(context), TERT_OK);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(tert_graph_launch(graph), TERT_OK);
  ASSERT_EQ(tert_profile_stop(context), TERT_OK);
  const char *notice = nullptr;
  ASSERT_EQ(tert_read_notice(context, 0, &notice), TERT_OK);
  ASSERT_NE(notice, nullptr);
  EXPECT_NE(std::string(notice).find("it has two streams"), std::string::npos);
  EXPECT_EQ(tert_read_notice(context, 1, &notice), TERT_OK);
  EXPECT_EQ(notice, nullptr); // said once
  tert_graph_release(graph);
}

TEST_F(BackendCallsTest, ConstantsAreWhereTheDeviceReadsThem) {
  const int data = 7;
  const tert_constant constant = {&data, sizeof(data), 1};
  const void *address = nullptr;
  ASSERT_EQ(tert_locate_constant(context, &constant, &address), TERT_OK);
  EXPECT_EQ(address, &data); // the host's memory
  EXPECT_EQ(tert_locate_constant(context, &constant, nullptr),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_locate_constant(context, nullptr, &address),
            TERT_INVALID_ARGUMENT);
}
