// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What FP8 would change in each product of a model, measured on batches with
// the entry `calibrate`, and the file of these figures (docs/precision.md).

#ifndef TERT_TRAINING_SENSITIVITY_H
#define TERT_TRAINING_SENSITIVITY_H

#include "session/Session.h"
#include "training/Data.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tert::training {

inline constexpr const char *calibrationFormat = "te-calibration";
/// More add little: the errors of the means fall with the root of the number.
inline constexpr uint64_t mostCalibrationSteps = 50;

struct SensitivityOptions {
  DataNames data; ///< Read as in training, in `format`.
  DataFormat format = DataFormat::Auto;
  DataOrder order = DataOrder::Shuffled;
  uint64_t steps = 16; ///< Batches, 1 to mostCalibrationSteps.
  uint64_t seed = 0;   ///< Of the order of the data, and of dropout.
  /// Batches of the data before its first one.
  uint64_t skipped = 0;
  /// Batches of a training step, which determine the dropout of each.
  uint64_t perStep = 1;
};

/// The mean over steps, and the standard error of the mean, 0 of one step.
struct Estimate {
  double mean = 0.0, error = 0.0;
};

/// A tensor that a product reads.
struct OperandSensitivity {
  std::string role;     ///< "input", "weight", "grad_output"
  double amax = 0.0;    ///< The largest of all steps.
  double flushed = 0.0; ///< Share of the nonzero values whose FP8 copy is 0.
  /// Shares of the nonzero values (of some rows) in the octaves 2k and 2k + 1
  /// below each batch's amax; of the last k in those and all below. Empty in
  /// programs of older compilers.
  std::vector<double> octaves{};
};

struct ProductSensitivity {
  std::string layer, product; ///< "h.0.mlp.c_fc"; "fprop", "dgrad", "wgrad"
  bool isForward() const { return product == "fprop"; }
  /// False if an operand or the error overflowed in some batch, which is then
  /// not in the other figures.
  bool isFinite = true;
  /// Forward products: what their error adds to the mean loss, by its gradient
  /// and by its curvature. With y the product, d its error in FP8, and g the
  /// gradient of the mean loss over N labels: Σ g·d, and
  /// N/2 Σ over rows of (g·d)², the Gauss-Newton term with the empirical Fisher
  /// information of each row.
  Estimate firstOrder, secondOrder;
  /// ‖d‖ / ‖y‖, of all steps together.
  double relativeError = 0.0;
  /// Backward products: ⟨d, y⟩ / ⟨y, y⟩, which is the error that a mean over
  /// steps keeps.
  double bias = 0.0;
  std::vector<OperandSensitivity> operands;
};

struct SensitivityResult {
  Estimate loss; ///< Mean over labels, without FP8; over steps.
  /// The same, each label with the same weight.
  double labelLoss = 0.0;
  uint64_t steps = 0, labels = 0;
  std::vector<ProductSensitivity> products;
};

/// Runs the entry `calibrate`, which changes no state.
class Sensitivity {
public:
  /// `session` must outlive the result, which allocates its own arena unless
  /// one to share is given. Fails if the program has no such entry, or one of
  /// another version.
  static session::Expected<Sensitivity>
  create(session::Session &session, const SensitivityOptions &options,
         session::SharedArena arena = nullptr);

  /// "1.1M bytes of text, 8 windows of 256 a step"
  std::string describe() const { return data->describe(); }
  const BatchSource &source() const { return *data; }
  /// Measures batches `first` to `first` + steps - 1. `done`, if any, is called
  /// with the number of steps done. Fails if a loss is not finite.
  session::Expected<SensitivityResult>
  run(uint64_t first = 0, const std::function<void(uint64_t)> &done = {});

private:
  explicit Sensitivity(session::EntryCall call) : call(std::move(call)) {}

  session::EntryCall call;
  SensitivityOptions options;
  std::unique_ptr<BatchSource> data;
  const session::ArgumentDescription *output = nullptr;
};

/// The file's text (JSON, docs/precision.md). `checkpoint` is what the weights
/// were read from; empty for the program's first ones.
std::string describeSensitivity(const SensitivityResult &result,
                                const session::Description &program,
                                const std::string &checkpoint);

} // namespace tert::training

#endif // TERT_TRAINING_SENSITIVITY_H
