// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fp8Summary.h"

#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"
#include "te/Support/ListNames.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::te;

std::string mlir::te::describeFp8(const Report &report,
                                  const CompileOptions &options) {
  const std::vector<std::string> &entries = options.graph.entries;
  const Report::Products products = report.getProducts();
  if (products.all == 0)
    return hasEntry(entries, &EntryKind::measures)
               ? "nothing in FP8, which 'te-run calibrate' measures"
               : "no products of matrices";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << products.fp8 << " of " << products.all << " products in FP8";
  if (products.fp8 > 0 && products.fp8 < products.all && products.flops > 0)
    os << llvm::formatv(", {0} % of the operations",
                        int(100 * products.fp8Flops / products.flops));
  if (!products.high.empty())
    os << " (in bf16: " << listNames(products.high, 3) << ")";
  const bool isTraining = llvm::is_contained(entries, "train");
  StringRef entry = isTraining ? "train" : StringRef(entries.front());
  std::optional<Report::Prediction> times = report.predict(entry);
  // What ranks send each other is not among them.
  if (!options.graph.mesh.empty())
    times.reset();
  // The last microbatch is that of train.
  if (auto other = report.predict("accumulate"); times && isTraining && other) {
    const double others = options.microbatches.value_or(1) - 1;
    times->seconds += others * other->seconds;
    times->highSeconds += others * other->highSeconds;
  }
  if (times)
    os << "; " << (isTraining ? "a step" : entry) << " is predicted to take "
       << llvm::formatv("{0:f2} ms, in bf16 {1:f2} ms", times->seconds * 1e3,
                        times->highSeconds * 1e3);
  if (products.addsToLoss)
    os << llvm::formatv("; FP8 is predicted to add {0} % to the loss",
                        llvm::format("%.2g", 100 * *products.addsToLoss));
  return text;
}
