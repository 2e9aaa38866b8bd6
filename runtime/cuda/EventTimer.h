// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time stamps on a stream.
#ifndef TERT_CUDA_EVENTTIMER_H
#define TERT_CUDA_EVENTTIMER_H

#include "cuda/Stream.h"
#include "program/Backend.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace tert::cuda {

class EventTimer final : public Timer {
public:
  explicit EventTimer(cudaStream_t stream) : stream(stream) {}

  size_t mark() override {
    size_t number = add();
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(stream, &capture), "asking about a capture");
    // Only an event declared external becomes a node of a graph.
    check(cudaEventRecordWithFlags(events.back(), stream,
                                   capture == cudaStreamCaptureStatusActive
                                       ? cudaEventRecordExternal
                                       : cudaEventRecordDefault),
          "recording an event");
    return number;
  }

  /// Adds a mark that the caller records.
  size_t add() {
    events.emplace_back(cudaEventDefault);
    numbers.emplace(events.back(), events.size() - 1);
    return events.size() - 1;
  }

  cudaEvent_t event(size_t mark) const { return events[mark]; }

  /// The mark of the event; nothing for a foreign event.
  std::optional<size_t> find(cudaEvent_t event) const {
    auto number = numbers.find(event);
    return number == numbers.end() ? std::nullopt
                                   : std::optional<size_t>(number->second);
  }

  double seconds(size_t from, size_t to) const override {
    float milliseconds = 0.0f;
    check(cudaEventElapsedTime(&milliseconds, events[from], events[to]),
          "reading a time");
    return milliseconds * 1e-3;
  }

private:
  cudaStream_t stream;
  std::vector<Event> events;
  std::unordered_map<cudaEvent_t, size_t> numbers;
};

} // namespace tert::cuda

#endif // TERT_CUDA_EVENTTIMER_H
