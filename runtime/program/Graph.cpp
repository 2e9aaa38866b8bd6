// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recorded entries.

#include "tert/graph.h"

#include "program/Check.h"
#include "program/Context.h"

#include <utility>

using namespace tert;

struct tert_graph {
  tert_context *context;
  tert_entry entry;
  void *const *buffers;
  std::unique_ptr<Graph> recorded; // null if launching calls the entry
};

namespace {
/// Disables waiting for the device after each op: a recorded op never
/// completes.
class Asynchronous {
public:
  explicit Asynchronous(tert_context &context)
      : context(context),
        synchronous(std::exchange(context.synchronous, false)) {}
  ~Asynchronous() { context.synchronous = synchronous; }
  Asynchronous(const Asynchronous &) = delete;
  Asynchronous &operator=(const Asynchronous &) = delete;

private:
  tert_context &context;
  bool synchronous;
};
} // namespace

/// Records the entry without running it. Null, with the entry's status, on
/// failure.
static std::unique_ptr<Graph> record(tert_context *context, tert_entry entry,
                                     void *const *buffers,
                                     tert_status &status) {
  Backend &backend = *context->backend;
  {
    Asynchronous mode(*context);
    backend.beginCapture();
    status = entry(context, buffers);
  }
  return backend.endCapture(status == TERT_OK, context->profile.timer.get());
}

/// Records the entry again, with marks around every op and kernel, and runs
/// that: ops run in the same order as in the profiled recording, and the host
/// leaves no gaps between them.
static tert_status launchProfiled(tert_graph &graph) {
  tert_context *context = graph.context;
  tert_status entryStatus = TERT_OK;
  tert_status status =
      callFunction(context, "tert_graph_launch", [&](Backend &) {
        std::unique_ptr<Graph> recorded =
            record(context, graph.entry, graph.buffers, entryStatus);
        if (!recorded)
          return;
        recorded->launch();
        context->profile.graphs.push_back(std::move(recorded));
      });
  return status != TERT_OK ? status : entryStatus;
}

tert_status tert_graph_capture(tert_context *context, tert_entry entry,
                               void *const *buffers, tert_graph **graph) {
  // A failure of the entry has set its own message, which is kept.
  tert_status entryStatus = TERT_OK;
  tert_status status = callFunction(context, __func__, [&](Backend &backend) {
    checkGiven("graph", graph);
    *graph = nullptr;
    if (!entry || !buffers)
      invalidArgument("'entry' or 'buffers' is null");
    if (context->profile.timer)
      invalidArgument("the context is profiling; stop that first");
    auto made = std::make_unique<tert_graph>(
        tert_graph{context, entry, buffers, nullptr});
    if (backend.canCapture())
      made->recorded = record(context, entry, buffers, entryStatus);
    if (entryStatus == TERT_OK)
      *graph = made.release();
  });
  return status != TERT_OK ? status : entryStatus;
}

tert_status tert_graph_launch(tert_graph *graph) {
  if (!graph)
    return TERT_INVALID_ARGUMENT;
  tert_context *context = graph->context;
  if (!graph->recorded)
    return graph->entry(context, graph->buffers);
  if (context->profile.timer)
    return launchProfiled(*graph);
  return callFunction(context, __func__,
                      [&](Backend &) { graph->recorded->launch(); });
}

void tert_graph_release(tert_graph *graph) {
  if (graph)
    graph->context->destroy([&] { graph->recorded.reset(); });
  delete graph;
}
