// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/GemmTuner.h"

#include "cuda/GemmSearch.h"
#include "cuda/Libraries.h"

#include <iterator>

using namespace tert;
using namespace tert::cuda;

GemmTuner::GemmTuner(Gemm &gemm, LaunchContext &launch)
    : gemm(gemm), launch(launch),
      deviceText(launch.device.name + ", " +
                 std::to_string(launch.device.multiprocessors) +
                 " multiprocessors, " + libraryVersions()) {}

tert_tuning_usage GemmTuner::usage() const {
  using Choice = Gemm::Planned::Choice;
  tert_tuning_usage usage = {};
  for (const auto &[problem, planned] : gemm.planned()) {
    usage.problems += 1;
    usage.tuned += planned.choice == Choice::Tuned;
    usage.refused += planned.choice == Choice::Refused;
  }
  return usage;
}

TuningRecord GemmTuner::search(size_t index) {
  auto &[problem, planned] = *std::next(gemm.planned().begin(), index);
  GemmSearch::Result result = GemmSearch(*planned.plan, launch).run();
  planned.choice = Gemm::Planned::Choice::Tuned;
  return {keyText(problem), planned.plan->algorithmText(), result.firstSeconds,
          result.bestSeconds};
}
