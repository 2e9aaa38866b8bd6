// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Probe steps: now and then in a training, what FP8 costs at the current
// parameters, by the entry `calibrate` (docs/checkpoint.md).

#ifndef TERT_TRAINING_PROBE_H
#define TERT_TRAINING_PROBE_H

#include "training/DataFiles.h"
#include "training/Sensitivity.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tert::training {

struct ProbeOptions {
  uint64_t every = 0; ///< Steps between probes; 0: none.
  /// Empty: the batches of the step that follows, whose loss in FP8 is compared
  /// with that of the probe. Otherwise read from its beginning, the
  /// same batches in every probe.
  DataNames data;
  DataFormat format = DataFormat::Auto;
  uint64_t batches = 1; ///< Of `data`.
};

/// A product in FP8, measured as ProductSensitivity says.
struct ProbedProduct {
  std::string layer, product;
  double secondOrder = 0.0; ///< 0 of products of the backward pass.
  double relativeError = 0.0;
};

/// An FP8 tensor.
struct ProbedSlot {
  std::string layer, name;
  double amax = 0.0;
  /// Share of its nonzero values that are zero in FP8 with a scale from its own
  /// amax: with an older scale there may be more of them.
  double flushed = 0.0;
  /// amax · scale / the largest value of the format, with the scale of the next
  /// step: above 1 the tensor is clipped. Nothing if scales are not states.
  std::optional<double> scaled{};
};

struct ProbeResult {
  double loss = 0.0; ///< In bf16, the mean over labels.
  double labels = 0.0;
  double firstOrder = 0.0; ///< Sums over the layers in FP8.
  double secondOrder = 0.0;
  /// The loss of a step in FP8 minus `loss`, of the same batches and
  /// parameters; NaN if the probe had other batches.
  double gap = std::numeric_limits<double>::quiet_NaN();
  /// Those with figures that are not finite have them as infinities.
  std::vector<ProbedProduct> products;
  std::vector<ProbedSlot> slots;

  /// The layer that is estimated to add most; empty without layers in FP8.
  std::string worstLayer() const;
};

class Probe {
public:
  /// `steps` describes the training's own data: file, format, seed, batches of
  /// a step, and those before the first step's.
  static session::Expected<Probe> create(session::Session &session,
                                         const ProbeOptions &options,
                                         const SensitivityOptions &steps,
                                         session::SharedArena arena);

  /// True if a probe is due before this step, from 1.
  bool isDue(uint64_t step) const { return step % options.every == 0; }
  /// True if it measures the batches of the step.
  bool isOfStep() const { return options.data.empty(); }
  /// Data that is not that of the training; null if there is none.
  const BatchSource *source() const {
    return isOfStep() ? nullptr : &sensitivity.source();
  }
  /// Changes no state. `scales` are those of the step, of each slot; empty if
  /// they are no states. Steps count from 1.
  session::Expected<ProbeResult> run(uint64_t step,
                                     const std::vector<float> &scales);

private:
  Probe(const ProbeOptions &options, Sensitivity sensitivity,
        const session::Description &program)
      : options(options), sensitivity(std::move(sensitivity)),
        program(&program) {}

  ProbeOptions options;
  Sensitivity sensitivity;
  const session::Description *program;
  uint64_t perStep = 1;
};

} // namespace tert::training

#endif // TERT_TRAINING_PROBE_H
