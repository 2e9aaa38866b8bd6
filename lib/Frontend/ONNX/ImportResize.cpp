// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resize, as products with matrices of weights, one for each dimension whose
// size changes: images, and tables of positions that are interpolated.

#include "LinearMap.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

namespace {
/// The resizing of one dimension, by the formulas of ONNX's operator reference.
struct Resizing {
  StringRef mode, coordinates, rounding;
  double cubic;
  bool excludesOutside;
  double scale;
  int64_t from, to;
};
} // namespace

/// The position in the input that corresponds to an element of the output.
static std::optional<double> getPlace(const Resizing &r, int64_t output) {
  double x = double(output), size = double(r.from),
         resized = r.scale * double(r.from);
  if (r.coordinates == "half_pixel")
    return (x + 0.5) / r.scale - 0.5;
  if (r.coordinates == "half_pixel_symmetric") {
    double adjustment = double(r.to) / resized, center = size / 2;
    return center * (1 - adjustment) + (x + 0.5) / r.scale - 0.5;
  }
  if (r.coordinates == "pytorch_half_pixel")
    return r.to > 1 ? (x + 0.5) / r.scale - 0.5 : 0;
  if (r.coordinates == "align_corners")
    return r.to > 1 ? x * (size - 1) / double(r.to - 1) : 0;
  if (r.coordinates == "asymmetric")
    return x / r.scale;
  return std::nullopt;
}

static double roundPlace(StringRef rounding, double place) {
  if (rounding == "floor")
    return std::floor(place);
  if (rounding == "ceil")
    return std::ceil(place);
  // Ties between two elements round down or up.
  return rounding == "round_prefer_ceil" ? std::floor(place + 0.5)
                                         : std::ceil(place - 0.5);
}

/// Keys' cubic convolution at a distance from an element.
static double weighCubic(double a, double distance) {
  double x = std::abs(distance);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2)
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

/// The weights [from, to]; empty for an unknown name.
static std::vector<float> getWeights(const Resizing &r) {
  std::vector<float> matrix(r.from * r.to);
  for (int64_t o = 0; o < r.to; ++o) {
    std::optional<double> place = getPlace(r, o);
    if (!place)
      return {};
    // At the edges the outermost element is repeated.
    auto add = [&](double at, double weight) {
      int64_t i = int64_t(std::clamp(at, 0.0, double(r.from - 1)));
      matrix[i * r.to + o] += float(weight);
    };
    double below = std::floor(*place), share = *place - below;
    if (r.mode == "nearest") {
      add(roundPlace(r.rounding, *place), 1);
    } else if (r.mode == "linear") {
      add(below, 1 - share);
      add(below + 1, share);
    } else if (r.mode == "cubic") {
      double total = 0;
      auto counts = [&](double at) {
        return !r.excludesOutside || (at >= 0 && at < double(r.from));
      };
      for (int tap = -1; tap <= 2; ++tap)
        if (counts(below + tap))
          total += weighCubic(r.cubic, share - tap);
      for (int tap = -1; tap <= 2; ++tap)
        if (counts(below + tap))
          add(below + tap, weighCubic(r.cubic, share - tap) /
                               (r.excludesOutside ? total : 1));
    } else {
      return {};
    }
  }
  return matrix;
}

/// The scale of every dimension, and its new size.
static LogicalResult getSizes(GraphImporter &importer, const Node &node,
                              ArrayRef<int64_t> shape, ArrayRef<int64_t> axes,
                              MutableArrayRef<double> scales,
                              MutableArrayRef<int64_t> sizes) {
  if (node.getNumInputs() > 3 && node.hasInput(3)) {
    auto given = importer.getInts(node, 3);
    if (failed(given))
      return failure();
    if (given->size() != axes.size())
      return importer.unsupported(node, "its sizes do not fit its input");
    for (auto [axis, size] : llvm::zip_equal(axes, *given)) {
      sizes[axis] = size;
      scales[axis] = double(size) / double(shape[axis]);
    }
    return success();
  }
  const ConstantTensor *given =
      node.getNumInputs() > 2 ? importer.getConstant(node, 2) : nullptr;
  if (!given || !given->isFloat() ||
      given->getNumElements() != int64_t(axes.size()))
    return importer.unsupported(node, "its scales are not fixed, or do not fit "
                                      "its input");
  std::vector<float> values = given->toVector<float>();
  for (auto [axis, scale] : llvm::zip_equal(axes, values)) {
    double size = std::floor(double(shape[axis]) * double(scale));
    if (!(scale > 0) || !(size < double(kMostCoefficients)))
      return importer.unsupported(node, "its scales are not fixed, or do not "
                                        "fit its input");
    scales[axis] = double(scale);
    sizes[axis] = int64_t(size);
  }
  return success();
}

static LogicalResult importResize(GraphImporter &importer, const Node &node,
                                  Value x) {
  SmallVector<int64_t> shape(tensorType(x).getShape());
  int64_t rank = shape.size();
  if (!isFloat(x))
    return importer.unsupported(node, "its input is not made of floats");
  SmallVector<int64_t> axes;
  for (int64_t given : node.getInts("axes").value_or(
           llvm::to_vector(llvm::seq<int64_t>(0, rank)))) {
    auto axis = getAxis(importer, node, given, rank);
    if (failed(axis))
      return failure();
    axes.push_back(*axis);
  }
  Resizing resizing;
  resizing.mode = node.getString("mode").value_or("nearest");
  resizing.coordinates =
      node.getString("coordinate_transformation_mode").value_or("half_pixel");
  resizing.rounding =
      node.getString("nearest_mode").value_or("round_prefer_floor");
  resizing.cubic = node.getFloat("cubic_coeff_a").value_or(-0.75f);
  resizing.excludesOutside = node.getInt("exclude_outside").value_or(0) != 0;
  // For an unsupported mode.
  (void)node.getFloat("extrapolation_value");
  StringRef policy =
      node.getString("keep_aspect_ratio_policy").value_or("stretch");
  if (node.getInt("antialias").value_or(0) != 0)
    return importer.unsupported(node, "it smooths what it makes smaller "
                                      "(antialias)");
  if (policy != "stretch")
    return importer.unsupported(node, "its keep_aspect_ratio_policy is '" +
                                          policy +
                                          "'; give the sizes that result");
  SmallVector<int64_t> sizes = shape;
  SmallVector<double> scales(rank, 1);
  if (failed(getSizes(importer, node, shape, axes, scales, sizes)))
    return failure();
  Value y = x;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (sizes[dim] == shape[dim] && scales[dim] == 1)
      continue;
    if (sizes[dim] < 1 || shape[dim] < 1 ||
        sizes[dim] > kMostCoefficients / shape[dim])
      return importer.unsupported(node, "its result is empty or too large");
    resizing.scale = scales[dim];
    resizing.from = shape[dim];
    resizing.to = sizes[dim];
    std::vector<float> weights = getWeights(resizing);
    if (weights.empty())
      return importer.unsupported(
          node, "its mode '" + resizing.mode + "' with coordinates '" +
                    resizing.coordinates + "' is not known");
    y = mapDimensions(importer, node, y, {dim}, std::move(weights),
                      {sizes[dim]});
    if (!y)
      return failure();
  }
  return importer.define(node, y);
}

void mlir::te::onnx_import::populateResizeHandlers(HandlerTable &table) {
  table["Resize"] = withValue(importResize);
}
