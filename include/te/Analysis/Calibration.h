// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sensitivity of layers to FP8, from a file of 'te-run calibrate'
// (docs/precision.md), and what is asked of it.

#ifndef TE_ANALYSIS_CALIBRATION_H
#define TE_ANALYSIS_CALIBRATION_H

#include "te/Dialect/TE/IR/TE.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <array>
#include <optional>

namespace mlir::te {

class Calibration {
public:
  /// What FP8 changes in one product.
  struct Product {
    /// Estimated increase of the mean loss; forward products alone. At least 0.
    double lossIncrease = 0;
    /// ‖error‖ / ‖product‖, at least 0.
    double relativeError = 0;
    /// ⟨error, product⟩ / ⟨product, product⟩; backward products alone.
    double bias = 0;
  };
  /// A tensor that products of a layer read.
  struct Tensor {
    double amax = 0;    ///< Of all batches, at least 0.
    double flushed = 0; ///< Share of the nonzero values that FP8 makes 0.
    /// Shares of the nonzero values in the octaves 2k and 2k + 1 below the
    /// amax; of the last k in those and all below. May be empty.
    SmallVector<double> octaves;
  };
  /// By role: fprop, dgrad, wgrad; input, weight, output gradient; those that
  /// were measured.
  struct Layer {
    std::array<std::optional<Product>, 3> products;
    std::array<std::optional<Tensor>, 3> tensors;

    const Product *find(MatmulRole role) const;
  };

  /// Reads a file. Errors begin with its name and have the position of broken
  /// JSON, or else the path of the field: "c.json: 'products[3].layer' …".
  static llvm::Expected<Calibration> read(llvm::StringRef path);
  /// Parses `text`, which errors call `name`.
  static llvm::Expected<Calibration> parse(llvm::StringRef text,
                                           llvm::StringRef name);

  /// The mean loss without FP8, above 0.
  double getLoss() const { return loss; }
  const llvm::StringMap<Layer> &getLayers() const { return layers; }
  const Layer *find(llvm::StringRef layer) const;

private:
  double loss = 0;
  llvm::StringMap<Layer> layers;
};

/// The share of the loss that FP8 may add to it, from "0.1%" or "0.001".
llvm::Expected<double> parseQuality(llvm::StringRef text);
/// A share as --quality takes it, "0.141%", rounded up to three digits: a
/// budget that is enough for it.
std::string formatQuality(double share);

} // namespace mlir::te

#endif // TE_ANALYSIS_CALIBRATION_H
