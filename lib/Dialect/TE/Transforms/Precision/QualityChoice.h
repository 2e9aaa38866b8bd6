// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which layers may be FP8 so that their errors add at most a given share to the
// loss, by their measured sensitivity.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUALITYCHOICE_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUALITYCHOICE_H

#include "te/Analysis/Calibration.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::te {

/// A layer of the module.
struct QualityCandidate {
  StringRef layer;
  /// Of the forward product; those of the backward pass have as many.
  double flops = 0;
  /// What FP8 saves of a step's time, if it is known.
  std::optional<double> seconds;
  /// Nothing but the calibration stands against FP8.
  bool canBeFp8 = false;
  /// It is FP8 whatever it costs, and counts in the sum.
  bool isRequired = false;
  /// It has products of the backward pass, and so is measured.
  bool hasGradients = false;
};

class QualityChoice {
public:
  /// A relative error of a gradient from which on FP8 is not used for it: a
  /// fourth of the gradient's length is noise.
  static constexpr double kMostGradientError = 0.25;

  /// Reads a file of 'te-run calibrate' and the share of its loss that FP8 may
  /// add to it; nothing if both are empty. Fails with an error.
  static FailureOr<std::optional<QualityChoice>>
  read(StringRef path, StringRef quality, Location loc);

  const Calibration &getCalibration() const { return calibration; }

  /// Chooses among all layers of a module. They become FP8 in the order of
  /// their increase of the loss by what FP8 saves, the least first (seconds if
  /// they are known of all layers, else floating-point operations), as long as
  /// the increases sum up to the budget at most; those that do not fit stay in
  /// high precision. Fails with an error that has the difference unless they
  /// are those that were calibrated.
  LogicalResult choose(ArrayRef<QualityCandidate> layers, Location loc);

  /// Whether all products of a layer stay in high precision.
  bool refusesLayer(StringRef layer) const { return refusals.contains(layer); }
  /// Why a product stays in high precision; nothing if the calibration does not
  /// stand against FP8.
  std::optional<Fp8Refusal> refuse(StringRef layer, MatmulRole product) const;
  /// The least budget, as a share of the loss, that is sure to make the layer
  /// FP8: with all layers before it in the order. Nothing for layers that are
  /// not chosen by the calibration.
  std::optional<double> findQuality(StringRef layer) const {
    auto found = qualities.find(layer);
    return found == qualities.end() ? std::nullopt
                                    : std::optional(found->second);
  }
  /// What is known of a product, for remarks: "adds 0.012% to the loss"; empty
  /// if nothing is.
  std::string describe(StringRef layer, MatmulRole product) const;

private:
  QualityChoice(StringRef path, Calibration calibration, double quality)
      : path(path), calibration(std::move(calibration)), quality(quality) {}
  LogicalResult compare(ArrayRef<QualityCandidate> layers, Location loc) const;

  std::string path;
  Calibration calibration;
  double quality;
  llvm::StringMap<Fp8Refusal> refusals;
  llvm::StringMap<double> qualities;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUALITYCHOICE_H
