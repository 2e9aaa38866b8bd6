// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision/QualityChoice.h"

#include "te/Support/ListNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::te;

static std::string formatShare(double share) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g%%", 100 * share);
  return text;
}

FailureOr<std::optional<QualityChoice>>
QualityChoice::read(StringRef path, StringRef quality, Location loc) {
  if (path.empty() && quality.empty())
    return std::optional<QualityChoice>();
  if (path.empty())
    return emitError(loc) << "'quality' is about a calibration; add "
                             "'calibration', a file of 'te-run calibrate'";
  if (quality.empty())
    return emitError(loc) << "'calibration' chooses layers by 'quality', what "
                             "FP8 may add to the loss; add it, such as 0.1%";
  llvm::Expected<double> share = parseQuality(quality);
  if (!share)
    return emitError(loc) << llvm::toString(share.takeError());
  llvm::Expected<Calibration> calibration = Calibration::read(path);
  if (!calibration)
    return emitError(loc) << llvm::toString(calibration.takeError());
  return std::optional(QualityChoice(path, std::move(*calibration), *share));
}

LogicalResult QualityChoice::compare(ArrayRef<QualityCandidate> layers,
                                     Location loc) const {
  SmallVector<StringRef> missing, unknown;
  for (const QualityCandidate &layer : layers)
    if (layer.canBeFp8 && layer.hasGradients && !calibration.find(layer.layer))
      missing.push_back(layer.layer);
  for (const auto &entry : calibration.getLayers())
    if (llvm::none_of(layers, [&](const QualityCandidate &layer) {
          return layer.layer == entry.getKey();
        }))
      unknown.push_back(entry.getKey());
  if (missing.empty() && unknown.empty())
    return success();
  llvm::sort(unknown);
  InFlightDiagnostic diagnostic = emitError(loc) << "the calibration '" << path
                                                 << "' is of another model";
  if (!missing.empty())
    diagnostic << "; it has no " << listNames(missing);
  if (!unknown.empty())
    diagnostic << "; this model has no " << listNames(unknown);
  return diagnostic << ". Compile the entry calibrate of this model with the "
                       "same --policy and --merge-linears, and run 'te-run "
                       "calibrate' again";
}

LogicalResult QualityChoice::choose(ArrayRef<QualityCandidate> layers,
                                    Location loc) {
  if (failed(compare(layers, loc)))
    return failure();
  struct Measured {
    StringRef layer;
    double increase; ///< of the loss, as a share of it
    double gain;
  };
  const bool isTimed =
      llvm::all_of(layers, [](const QualityCandidate &candidate) {
        return !candidate.canBeFp8 || candidate.seconds;
      });
  SmallVector<Measured> measured;
  // Of the layers that are FP8, as a share of the loss.
  double sum = 0;
  refusals.clear();
  qualities.clear();
  for (const QualityCandidate &candidate : layers) {
    const Calibration::Layer *layer = calibration.find(candidate.layer);
    const Calibration::Product *product =
        layer ? layer->find(MatmulRole::Fprop) : nullptr;
    if (!product || !candidate.canBeFp8)
      continue;
    double increase = product->lossIncrease / calibration.getLoss();
    if (candidate.isRequired)
      sum += increase;
    else
      // One that saves nothing, and is FP8 all the same, comes last.
      measured.push_back(
          {candidate.layer, increase,
           isTimed ? std::max(*candidate.seconds, 1e-12) : candidate.flops});
  }
  llvm::stable_sort(measured, [](const Measured &a, const Measured &b) {
    return a.increase * b.gain < b.increase * a.gain;
  });
  double all = sum;
  for (const Measured &layer : measured) {
    all += layer.increase;
    qualities[layer.layer] = all;
    if (sum + layer.increase <= quality) {
      sum += layer.increase;
      continue;
    }
    Fp8Refusal &refusal = refusals[layer.layer];
    refusal.reason = "FP8 would add " + formatShare(layer.increase) +
                     " to the calibrated loss, and with the layers that add "
                     "less for the time that they save more than the " +
                     formatShare(quality) + " that 'quality' allows";
    refusal.suggestion = ("raise 'quality' to " + formatQuality(all) +
                          ", or add '" + layer.layer + "=fp8' to the policy")
                             .str();
  }
  return success();
}

std::optional<Fp8Refusal> QualityChoice::refuse(StringRef layer,
                                                MatmulRole product) const {
  if (auto refusal = refusals.find(layer); refusal != refusals.end())
    return refusal->second;
  const Calibration::Layer *known = calibration.find(layer);
  const Calibration::Product *measured = known ? known->find(product) : nullptr;
  if (!measured || product == MatmulRole::Fprop ||
      measured->relativeError <= kMostGradientError)
    return std::nullopt;
  return Fp8Refusal{("its relative error in FP8 was measured as " +
                     formatShare(measured->relativeError) +
                     ", which is more than " + formatShare(kMostGradientError)),
                    ("add '" + layer + "/" + stringifyMatmulRole(product) +
                     "=fp8' to the policy")
                        .str()};
}

std::string QualityChoice::describe(StringRef layer, MatmulRole product) const {
  const Calibration::Layer *known = calibration.find(layer);
  const Calibration::Product *measured = known ? known->find(product) : nullptr;
  if (!measured)
    return {};
  std::string error = "relative error " + formatShare(measured->relativeError);
  if (product != MatmulRole::Fprop)
    return error;
  return "adds " + formatShare(measured->lossIncrease / calibration.getLoss()) +
         " to the loss, " + error;
}
