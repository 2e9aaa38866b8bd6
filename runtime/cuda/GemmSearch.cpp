// Operand of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/GemmSearch.h"

#include "cuda/GemmScales.h"
#include "cuda/Memory.h"
#include "cuda/RandomOperands.h"
#include "program/Tensor.h"

#include <algorithm>
#include <functional>
#include <limits>

using namespace tert;
using namespace tert::cuda;

/// Number of algorithms to request from cuBLASLt.
static constexpr int candidateCount = 64;
/// Measurements of every candidate.
static constexpr int screeningRounds = 3;
/// Number of fastest candidates that are measured again.
static constexpr size_t finalistCount = 8;
/// Further measurements of each finalist.
static constexpr int finalRounds = 9;
/// Relative gain that an algorithm requires to replace the first proposal.
static constexpr double minGain = 0.01;
/// Operands take this multiple of the L2 cache, in at most this many sets.
static constexpr size_t cacheMultiple = 3;
static constexpr size_t maxSets = 32;

DeviceArray::DeviceArray(size_t bytes)
    : memory(
          static_cast<char *>(allocateDevice(bytes, "operands to tune with"))) {
}

double GemmSearch::Candidate::median() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

GemmSearch::GemmSearch(GemmPlan &plan, LaunchContext &launch)
    : plan(plan), launch(launch), begin(cudaEventDefault),
      end(cudaEventDefault) {
  makeOperands();
}

/// A multiple of 256 bytes, with slack for a less aligned address.
static size_t padded(size_t bytes) { return (bytes + 255) / 256 * 256 + 256; }

void GemmSearch::makeOperands() {
  const GemmProblem &problem = plan.problem();
  struct Operand {
    tert_dtype dtype;
    int64_t count;
    int32_t alignment;
    const void *GemmOperands::*input;
  };
  const Operand parts[] = {
      {problem.a,
       problem.aStride * (problem.transposeA ? problem.k : problem.m),
       problem.aAlignment, &GemmOperands::a},
      {problem.b,
       problem.bStride * (problem.transposeB ? problem.n : problem.k),
       problem.bAlignment, &GemmOperands::b},
      {problem.biasDtype(), problem.hasBias ? problem.n : 0, 256,
       &GemmOperands::bias},
      {problem.d, problem.dStride * problem.m, problem.dAlignment, nullptr}};
  size_t setBytes = 0;
  for (const Operand &part : parts)
    setBytes += padded(size_t(part.count * bytesOf(part.dtype)));
  size_t wanted = cacheMultiple * launch.device.l2Bytes;
  size_t count =
      std::clamp<size_t>((wanted + setBytes - 1) / setBytes, 1, maxSets);

  // The scale factors, all 1, which both operands share, follow the sets.
  const std::vector<float> ones(
      std::max(countScales(problem.aScales, problem.m, problem.k),
               countScales(problem.bScales, problem.n, problem.k)),
      1.0f);
  const size_t scaleBytes = ones.size() * sizeof(float);
  memory = std::make_unique<DeviceArray>(count * setBytes + scaleBytes);
  char *next = memory->get();
  auto *scales = reinterpret_cast<float *>(next + count * setBytes);
  check(cudaMemcpy(scales, ones.data(), scaleBytes, cudaMemcpyHostToDevice),
        "setting scale factors");
  uint32_t seed = 0;
  for (size_t i = 0; i < count; ++i) {
    GemmOperands operands;
    for (const Operand &part : parts) {
      size_t bytes = size_t(part.count * bytesOf(part.dtype));
      // Aligned exactly as in the program, no better.
      char *data = next + part.alignment % 256;
      if (part.input)
        operands.*part.input = data;
      else
        operands.d = data;
      fillRandom(launch.stream, part.dtype, data, part.count, ++seed);
      next += padded(bytes);
    }
    operands.aScale = scales;
    operands.bScale = scales;
    sets.push_back(operands);
  }
}

std::unique_ptr<CudaGraph>
GemmSearch::record(const cublasLtMatmulHeuristicResult_t &algorithm) {
  plan.setAlgorithm(algorithm);
  try {
    // Loads the code, which is impossible during a capture.
    plan.run(sets.front(), workspace->get(), launch.stream);
    check(cudaStreamSynchronize(launch.stream), "trying an algorithm");
  } catch (const Error &) {
    return nullptr;
  }
  check(cudaStreamBeginCapture(launch.stream, cudaStreamCaptureModeThreadLocal),
        "recording a graph");
  for (const GemmOperands &operands : sets)
    plan.run(operands, workspace->get(), launch.stream);
  return CudaGraph::endCapture(launch.stream);
}

void GemmSearch::measure(Candidate &candidate) {
  check(cudaEventRecord(begin, launch.stream), "recording an event");
  candidate.graph->launch();
  check(cudaEventRecord(end, launch.stream), "recording an event");
  check(cudaStreamSynchronize(launch.stream), "timing an algorithm");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end), "reading a time");
  candidate.seconds.push_back(milliseconds * 1e-3 / double(sets.size()));
}

GemmSearch::Result GemmSearch::run() {
  std::vector<cublasLtMatmulHeuristicResult_t> proposals =
      plan.candidates(candidateCount);
  size_t workspaceBytes = 0;
  for (const cublasLtMatmulHeuristicResult_t &proposal : proposals)
    workspaceBytes = std::max(workspaceBytes, proposal.workspaceSize);
  workspace = std::make_unique<DeviceArray>(workspaceBytes);

  std::vector<Candidate> candidates;
  for (const cublasLtMatmulHeuristicResult_t &proposal : proposals)
    if (std::unique_ptr<CudaGraph> graph = record(proposal))
      candidates.push_back({proposal, std::move(graph), {}});
  if (candidates.empty())
    throw Error(TERT_DEVICE_ERROR,
                "no algorithm that cuBLASLt proposes runs for " +
                    tert::describe(plan.problem()));
  auto measureAll = [&](const std::vector<Candidate *> &list, int rounds) {
    for (int i = 0; i < rounds; ++i)
      for (Candidate *candidate : list)
        measure(*candidate);
  };
  std::vector<Candidate *> order;
  for (Candidate &candidate : candidates)
    order.push_back(&candidate);
  measureAll(order, screeningRounds);
  Candidate *first = order.front();
  // On a tie, the algorithm proposed earlier.
  auto isFaster = [](const Candidate *a, const Candidate *b) {
    return std::pair(a->median(), a) < std::pair(b->median(), b);
  };
  std::sort(order.begin(), order.end(), isFaster);
  order.resize(std::min(order.size(), finalistCount));
  if (std::find(order.begin(), order.end(), first) == order.end())
    order.push_back(first);
  measureAll(order, finalRounds);
  Candidate *best = *std::min_element(order.begin(), order.end(), isFaster);
  if (best->median() > first->median() * (1 - minGain))
    best = first;
  plan.setAlgorithm(best->algorithm);
  return {first->median(), best->median()};
}
