// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a report tells, in whatever form it is written. Names come from models
// and may contain anything; whoever writes them escapes them.

#ifndef TE_LIB_DRIVER_REPORT_REPORTDATA_H
#define TE_LIB_DRIVER_REPORT_REPORTDATA_H

#include "te/Analysis/CostSummary.h"
#include "te/Planning/Plan.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::te {

/// A product of a linear layer, and why it has the precision that it has.
struct ReportProduct {
  std::string entry, layer;
  /// "fprop", "dgrad" or "wgrad".
  std::string product;
  bool isFp8 = false;
  /// The sizes of operands and result: "64x128, 256x128 -> 64x256".
  std::string shape;
  /// Element types of operands and result in the program: "e4m3 x e5m2 -> f32";
  /// empty if it is not known.
  std::string formats;
  double flops = 0;
  /// Predicted, of one execution.
  std::optional<double> seconds;
  /// The name of te-partition's decision, such as "LMHead"; the reason for high
  /// precision and what would change it; times and ranges that it was made by.
  std::string decision, reason, suggestion, figures;
  /// All that the decision's remark said, by name.
  std::vector<std::pair<std::string, std::string>> arguments;
};

/// What a calibration says of a layer.
struct ReportSensitivity {
  struct Product {
    double addsToLoss = 0; ///< As a share of it; forward products alone.
    double relativeError = 0;
  };
  struct Tensor {
    double amax = 0, flushed = 0;
    std::vector<double> octaves; ///< As in Calibration::Tensor.
  };
  std::string layer;
  bool isFp8 = false; ///< The forward product.
  std::string decision;
  /// fprop, dgrad, wgrad; input, weight, output gradient.
  std::array<std::optional<Product>, 3> products;
  std::array<std::optional<Tensor>, 3> tensors;
  /// The least --quality that is sure to make it FP8, if that decides; or
  /// empty.
  std::string quality;

  double getAddsToLoss() const {
    return products[0] ? products[0]->addsToLoss : 0;
  }
};

/// Another decision of a pass.
struct ReportDecision {
  std::string pass;
  /// The layer, module or function that it is about.
  std::string where;
  std::string what;
  bool isDone = false;
  std::string text, suggestion, figures;
  /// All that the remark said, by name.
  std::vector<std::pair<std::string, std::string>> arguments;
};

/// An operation of a program.
struct ReportOp {
  enum class Phase { Forward, Backward, Update };
  /// The name of its kernel: "layer_norm", "scaled_matmul".
  std::string kernel;
  /// The module of the model that it belongs to, or the layer; may be empty.
  std::string path;
  Phase phase = Phase::Forward;
  /// For a product of a layer as in ReportProduct, else empty.
  std::string product, shape, formats;
  bool isFp8 = false;
  double flops = 0;
  std::optional<double> seconds;
};

/// The operations of an entry, in program order, without those that only move
/// or cast data and those on vectors.
struct ReportGraph {
  std::string entry;
  std::vector<ReportOp> ops;
};

/// The graphs of all entries with products, and what each operation takes by
/// the module's cost model. The functions contain te ops on tensors, before
/// te-to-tert.
std::vector<ReportGraph> collectGraphs(ModuleOp module);

/// Which parameters are trained.
struct ReportParameters {
  struct Parameter {
    std::string name, sizes;
  };
  std::vector<Parameter> frozen;
  int64_t trained = 0;
  int64_t trainedElements = 0, frozenElements = 0;
};

struct ReportSlot {
  std::string name, format;
};

struct ReportData {
  std::string version; ///< of the compiler
  std::string source, target;
  /// What times are of; empty without a cost model.
  std::string device;
  std::vector<ReportProduct> products;
  std::vector<ReportDecision> decisions;
  std::vector<ReportSensitivity> sensitivity;
  std::vector<ReportGraph> graphs;
  std::vector<EntryCosts> costs;
  /// Of a program, not of text.
  std::optional<MemorySummary> memory;
  ReportParameters parameters;
  std::vector<ReportSlot> slots;
  /// May be null.
  const Plan *plan = nullptr;

  /// What an entry has to do, in all.
  struct Entry {
    std::string name;
    int64_t products = 0, fp8Products = 0;
    double flops = 0, fp8Flops = 0; ///< of the products
    std::optional<double> seconds;  ///< predicted, of all kernels
    std::optional<int64_t> arena;   ///< bytes
  };
  std::vector<Entry> getEntries() const;
  /// Bytes of memory of the entry that needs the most.
  int64_t getBytes() const;
};

} // namespace mlir::te

#endif // TE_LIB_DRIVER_REPORT_REPORTDATA_H
