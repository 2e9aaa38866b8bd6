// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions as matrix products of windows, pooling, and padding.

#include "TensorMath.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

namespace {
/// The windows in the spatial dimensions of an input [N, C, ...].
struct Windows {
  SmallVector<int64_t> kernel, strides, dilations, before, after, counts;

  int64_t rank() const { return kernel.size(); }
  int64_t getNumPositions() const { return ShapedType::getNumElements(kernel); }
  /// True if they cover the input without gaps, overlaps and padding.
  bool arePatches(ArrayRef<int64_t> spatial) const {
    for (int64_t dim = 0; dim < rank(); ++dim)
      if ((strides[dim] != kernel[dim] && counts[dim] != 1) ||
          dilations[dim] != 1 || before[dim] || after[dim] ||
          spatial[dim] != counts[dim] * kernel[dim])
        return false;
    return true;
  }
};
} // namespace

/// Largest window, without its channels: more than models have.
static constexpr int64_t kMostPositions = 4096;
/// Of a channel's own windows, those that are written as sums of products.
static constexpr int64_t kMostTaps = 8;

static FailureOr<Windows> getWindows(GraphImporter &importer, const Node &node,
                                     ArrayRef<int64_t> spatial,
                                     ArrayRef<int64_t> kernel) {
  size_t rank = spatial.size();
  Windows windows;
  windows.kernel.assign(kernel.begin(), kernel.end());
  auto list = [&](StringRef name, size_t count, int64_t value) {
    return node.getInts(name).value_or(SmallVector<int64_t>(count, value));
  };
  windows.strides = list("strides", rank, 1);
  windows.dilations = list("dilations", rank, 1);
  SmallVector<int64_t> pads = list("pads", 2 * rank, 0);
  StringRef automatic = node.getString("auto_pad").value_or("NOTSET");
  if (automatic == "VALID")
    pads.assign(2 * rank, 0);
  else if (automatic != "NOTSET")
    return importer.unsupported(node, "it pads by itself (auto_pad)");
  if (rank < 1 || rank > 3 || kernel.size() != rank ||
      windows.strides.size() != rank || windows.dilations.size() != rank ||
      pads.size() != 2 * rank)
    return importer.unsupported(node, "its attributes do not fit the "
                                      "dimensions of its input");
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t before = pads[dim], after = pads[dim + rank];
    if (kernel[dim] > std::numeric_limits<int32_t>::max())
      return importer.unsupported(node, "its windows do not fit its input");
    int64_t covered = windows.dilations[dim] * (kernel[dim] - 1) + 1;
    int64_t room = spatial[dim] + before + after - covered;
    if (before < 0 || after < 0 || kernel[dim] < 1 ||
        windows.strides[dim] < 1 || windows.dilations[dim] < 1 || room < 0)
      return importer.unsupported(node, "its windows do not fit its input");
    windows.before.push_back(before);
    windows.after.push_back(after);
    windows.counts.push_back(room / windows.strides[dim] + 1);
  }
  // Each position becomes an operation, except for patches.
  int64_t positions = 1;
  for (int64_t size : windows.kernel)
    positions *= std::min<int64_t>(size, kMostPositions + 1);
  if (positions > kMostPositions && !windows.arePatches(spatial))
    return importer.unsupported(node, "its windows have more than " +
                                          std::to_string(kMostPositions) +
                                          " elements of each channel");
  return windows;
}

/// One tensor [N, C, windows...] for every position in a window, row-major.
static SmallVector<Value> getPositions(TensorMath &math, Value x,
                                       const Windows &windows, double fill) {
  for (int64_t dim = 0; dim < windows.rank(); ++dim)
    x = math.pad(x, dim + 2, windows.before[dim], windows.after[dim], fill);
  SmallVector<Value> positions{x};
  for (int64_t dim = 0; dim < windows.rank(); ++dim) {
    SmallVector<Value> next;
    for (Value value : positions)
      for (int64_t at = 0; at < windows.kernel[dim]; ++at)
        next.push_back(math.slice(value, dim + 2, at * windows.dilations[dim],
                                  windows.counts[dim], windows.strides[dim]));
    positions = std::move(next);
  }
  return positions;
}

/// The windows of x [N, C, spatial...] as [N, C, K, P]: K elements of each of P
/// windows.
static Value getColumns(TensorMath &math, Value x, const Windows &windows) {
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  int64_t n = shape[0], c = shape[1], k = windows.getNumPositions(),
          p = ShapedType::getNumElements(windows.counts);
  if (windows.arePatches(shape.drop_front(2))) {
    // [N, C, P0, K0, P1, K1, ...], then the K before the P.
    SmallVector<int64_t> split{n, c}, order{0, 1};
    for (int64_t dim = 0; dim < windows.rank(); ++dim) {
      split.append({windows.counts[dim], windows.kernel[dim]});
      order.push_back(2 * dim + 3);
    }
    for (int64_t dim = 0; dim < windows.rank(); ++dim)
      order.push_back(2 * dim + 2);
    return math.reshape(math.transpose(math.reshape(x, split), order),
                        {n, c, k, p});
  }
  SmallVector<Value> positions;
  for (Value value : getPositions(math, x, windows, 0))
    positions.push_back(math.reshape(value, {n, c, 1, p}));
  return math.concat(positions, 2);
}

static LogicalResult importConv(GraphImporter &importer, const Node &node) {
  Value x = importer.getValue(node, 0), w = importer.getValue(node, 1);
  if (!x || !w)
    return failure();
  ArrayRef<int64_t> shape = tensorType(x).getShape(),
                    weight = tensorType(w).getShape();
  int64_t group = node.getInt("group").value_or(1);
  if (!isFloat(x) ||
      tensorType(x).getElementType() != tensorType(w).getElementType() ||
      shape.size() < 3 || weight.size() != shape.size() || group < 1 ||
      weight[0] % group != 0 || weight[1] * group != shape[1])
    return importer.unsupported(node, "its weight does not fit its input");
  if (auto kernel = node.getInts("kernel_shape");
      kernel && ArrayRef<int64_t>(*kernel) != weight.drop_front(2))
    return importer.unsupported(node, "its kernel_shape is not its weight's");
  auto windows =
      getWindows(importer, node, shape.drop_front(2), weight.drop_front(2));
  if (failed(windows))
    return failure();
  Location loc = importer.getLayerLoc(node, w);
  TensorMath math(importer, loc);
  int64_t n = shape[0], k = windows->getNumPositions(),
          p = ShapedType::getNumElements(windows->counts), o = weight[0];
  Value columns, y;
  const bool isShort = windows->rank() == 1 && k <= kMostTaps &&
                       weight[1] == 1 && o == group && group > 1 &&
                       tensorType(x).getElementType().isF32();
  if (!isShort)
    columns = getColumns(math, x, *windows);
  if (isShort) {
    // Sums of products: a product of matrices of one row and column each would
    // read every element k times.
    SmallVector<int64_t> line{1, o, 1}, sums{n, o, p};
    for (auto [tap, value] :
         llvm::enumerate(getPositions(math, x, *windows, 0))) {
      Value weights = math.reshape(math.slice(w, 2, tap, 1), line);
      Value term =
          math.apply<arith::MulFOp>(value, math.broadcast(weights, sums));
      y = y ? math.apply<arith::AddFOp>(y, term) : term;
    }
  } else if (group == 1) {
    // [N, P, C·K] times the transposed weight.
    int64_t depth = shape[1] * k;
    Value rows = math.reshape(
        math.transpose(math.reshape(columns, {n, depth, p}), {0, 2, 1}),
        {n * p, depth});
    auto type =
        RankedTensorType::get({n * p, o}, tensorType(x).getElementType());
    auto product =
        MatmulOp::create(importer.builder, loc, type, rows,
                         math.reshape(w, {o, depth}), Value(), Value());
    product.setTransposeB(true);
    y = math.transpose(math.reshape(product.getD(), {n, p, o}), {0, 2, 1});
  } else {
    enum : unsigned { Batch, Group, Out, Position, Depth };
    int64_t depth = weight[1] * k;
    y = math.contract(math.reshape(columns, {n, group, depth, p}),
                      {Batch, Group, Depth, Position},
                      math.reshape(w, {group, o / group, depth}),
                      {Group, Out, Depth}, {Batch, Group, Out, Position});
  }
  SmallVector<int64_t> result{n, o};
  llvm::append_range(result, windows->counts);
  y = math.reshape(y, result);
  if (node.hasInput(2)) {
    Value bias = importer.getValue(node, 2);
    if (!bias)
      return failure();
    if (!isFloat(bias) || tensorType(bias).getNumElements() != o)
      return importer.unsupported(node, "its bias does not fit its weight");
    SmallVector<int64_t> line(result.size(), 1);
    line[1] = o;
    y = math.apply<arith::AddFOp>(
        y, math.broadcast(math.reshape(bias, line), result));
  }
  return importer.define(node, y);
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

static FailureOr<Windows> getPoolWindows(GraphImporter &importer,
                                         const Node &node, Value x) {
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  auto kernel = node.getInts("kernel_shape");
  if (!isFloat(x) || shape.size() < 3 || !kernel)
    return importer.unsupported(node, "its input has no dimensions to pool");
  auto windows = getWindows(importer, node, shape.drop_front(2), *kernel);
  if (failed(windows) || node.getInt("ceil_mode").value_or(0) == 0)
    return windows;
  for (int64_t dim = 0; dim < windows->rank(); ++dim) {
    int64_t covered = windows->dilations[dim] * (windows->kernel[dim] - 1) + 1,
            room = shape[dim + 2] + windows->before[dim] + windows->after[dim] -
                   covered;
    if (room % windows->strides[dim] != 0)
      return importer.unsupported(node, "its last window is a part of one "
                                        "(ceil_mode)");
  }
  return windows;
}

/// Reduces windows that are patches, in float32.
static Value reducePatches(TensorMath &math, ReductionKind kind, Value x,
                           const Windows &windows) {
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  SmallVector<int64_t> split(shape.take_front(2));
  llvm::SmallBitVector dims(2 + 2 * windows.rank());
  for (int64_t dim = 0; dim < windows.rank(); ++dim) {
    split.append({windows.counts[dim], windows.kernel[dim]});
    dims.set(3 + 2 * dim);
  }
  return math.reduce(kind, math.reshape(x, split), dims);
}

static LogicalResult importAveragePool(GraphImporter &importer,
                                       const Node &node, Value x) {
  auto windows = getPoolWindows(importer, node, x);
  if (failed(windows))
    return failure();
  TensorMath math(importer, node.getLoc());
  bool arePatches = windows->arePatches(tensorType(x).getShape().drop_front(2));
  auto sum = [&](Value value) {
    if (arePatches)
      return reducePatches(math, ReductionKind::Sum, value, *windows);
    Value total;
    for (Value term : getPositions(math, value, *windows, 0))
      total = total ? math.apply<arith::AddFOp>(total, term) : term;
    return total;
  };
  Value wide = math.widen(x), y = sum(wide);
  bool isPadded = llvm::any_of(windows->before, [](int64_t n) { return n; }) ||
                  llvm::any_of(windows->after, [](int64_t n) { return n; });
  bool countsPadding = node.getInt("count_include_pad").value_or(0) != 0;
  Value counts = math.number(tensorType(y), double(windows->getNumPositions()));
  if (isPadded && !countsPadding)
    counts = sum(math.number(tensorType(wide), 1));
  return importer.define(node,
                         math.convert(math.apply<arith::DivFOp>(y, counts),
                                      tensorType(x).getElementType()));
}

static LogicalResult importMaxPool(GraphImporter &importer, const Node &node,
                                   Value x) {
  (void)node.getInt("storage_order");
  auto windows = getPoolWindows(importer, node, x);
  if (failed(windows))
    return failure();
  TensorMath math(importer, node.getLoc());
  Value y;
  if (windows->getNumPositions() > kMostPositions)
    y = math.convert(reducePatches(math, ReductionKind::Max, x, *windows),
                     tensorType(x).getElementType());
  else
    for (Value term : getPositions(math, x, *windows,
                                   -std::numeric_limits<double>::infinity()))
      y = y ? math.apply<arith::MaximumFOp>(y, term) : term;
  return importer.define(node, y);
}

static LogicalResult importGlobalAveragePool(GraphImporter &importer,
                                             const Node &node, Value x) {
  RankedTensorType type = tensorType(x);
  if (!isFloat(x) || type.getRank() < 3)
    return importer.unsupported(node, "its input has no dimensions to pool");
  TensorMath math(importer, node.getLoc());
  llvm::SmallBitVector dims(type.getRank(), true);
  dims.reset(0, 2);
  Value sum = math.reduceAndKeep(ReductionKind::Sum, x, dims);
  int64_t count = ShapedType::getNumElements(type.getShape().drop_front(2));
  return importer.define(
      node, math.convert(math.apply<arith::MulFOp>(
                             sum, math.number(tensorType(sum), 1.0 / count)),
                         type.getElementType()));
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

static LogicalResult importPad(GraphImporter &importer, const Node &node) {
  Value x = importer.getValue(node, 0);
  auto pads = importer.getInts(node, 1);
  if (!x || failed(pads))
    return failure();
  int64_t rank = tensorType(x).getRank();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (node.hasInput(3)) {
    auto given = importer.getInts(node, 3);
    if (failed(given))
      return failure();
    axes = *given;
  }
  double fill = 0;
  if (node.hasInput(2)) {
    const ConstantTensor *constant = importer.getConstant(node, 2);
    if (!constant || constant->getNumElements() != 1)
      return importer.unsupported(node, "what it pads with is no fixed number");
    fill = *constant->getSplat();
  }
  StringRef mode = node.getString("mode").value_or("constant");
  if (mode != "constant" || pads->size() != 2 * axes.size())
    return importer.unsupported(node, "it pads with other than one number");
  TensorMath math(importer, node.getLoc());
  for (auto [i, given] : llvm::enumerate(axes)) {
    auto axis = getAxis(importer, node, given, rank);
    if (failed(axis))
      return failure();
    int64_t before = (*pads)[i], after = (*pads)[i + axes.size()];
    // Negative padding crops.
    int64_t size = tensorType(x).getDimSize(*axis),
            start = std::max<int64_t>(-before, 0),
            end = size - std::max<int64_t>(-after, 0);
    if (start >= end)
      return importer.unsupported(node, "its result is empty");
    x = math.slice(x, *axis, start, end - start);
    x = math.pad(x, *axis, std::max<int64_t>(before, 0),
                 std::max<int64_t>(after, 0), fill);
  }
  return importer.define(node, x);
}

void mlir::te::onnx_import::populateConvolutionHandlers(HandlerTable &table) {
  table["Conv"] = importConv;
  table["AveragePool"] = withValue(importAveragePool);
  table["MaxPool"] = withValue(importMaxPool);
  table["GlobalAveragePool"] = withValue(importGlobalAveragePool);
  table["Pad"] = importPad;
}
