// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions, pooling and norms of images [N, C, H, W], as importers write
// them, and the way from images to tokens and back.

#include "Graph.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

using Shape = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static SmallVector<ReassociationIndices> oneGroup(int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  if (rank > 0)
    groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, rank)));
  return groups;
}

/// By one op where one does it, else by way of a vector.
static Value reshape(GraphBuilder &graph, Value value,
                     ArrayRef<int64_t> shape) {
  RankedTensorType from = tensorType(value), to = from.clone(shape);
  if (from == to)
    return value;
  auto collapse = [&](RankedTensorType type,
                      ArrayRef<ReassociationIndices> groups) -> Value {
    return tensor::CollapseShapeOp::create(graph.builder, graph.loc(), type,
                                           value, groups);
  };
  auto expand = [&](ArrayRef<ReassociationIndices> groups) -> Value {
    return tensor::ExpandShapeOp::create(graph.builder, graph.loc(), to, value,
                                         groups);
  };
  if (from.getRank() != to.getRank() && from.getNumElements() > 0)
    if (auto groups = getReassociationIndicesForReshape(from, to))
      return from.getRank() > to.getRank() ? collapse(to, *groups)
                                           : expand(*groups);
  RankedTensorType flat = from.clone({from.getNumElements()});
  if (from != flat)
    value = collapse(flat, oneGroup(from.getRank()));
  return to == flat ? value : expand(oneGroup(to.getRank()));
}

static Value empty(GraphBuilder &graph, RankedTensorType type) {
  return tensor::EmptyOp::create(graph.builder, graph.loc(), type.getShape(),
                                 type.getElementType());
}

static Value transpose(GraphBuilder &graph, Value value,
                       ArrayRef<int64_t> permutation) {
  Shape shape;
  for (int64_t from : permutation)
    shape.push_back(tensorType(value).getDimSize(from));
  return linalg::TransposeOp::create(
             graph.builder, graph.loc(), value,
             empty(graph, tensorType(value).clone(shape)), permutation)
      ->getResult(0);
}

static Value slice(GraphBuilder &graph, Value value, int64_t dim, int64_t start,
                   int64_t count, int64_t step) {
  RankedTensorType type = tensorType(value);
  if (start == 0 && step == 1 && count == type.getDimSize(dim))
    return value;
  Shape offsets(type.getRank(), 0), sizes(type.getShape()),
      strides(type.getRank(), 1);
  offsets[dim] = start;
  sizes[dim] = count;
  strides[dim] = step;
  MLIRContext *context = graph.builder.getContext();
  return tensor::ExtractSliceOp::create(
      graph.builder, graph.loc(), type.clone(sizes), value,
      getAsIndexOpFoldResult(context, offsets),
      getAsIndexOpFoldResult(context, sizes),
      getAsIndexOpFoldResult(context, strides));
}

static Value number(GraphBuilder &graph, RankedTensorType type, double value) {
  return arith::ConstantOp::create(
      graph.builder, graph.loc(),
      DenseElementsAttr::get(
          type, Attribute(graph.builder.getF32FloatAttr(float(value)))));
}

/// With `size` elements of `fill` on both sides along a dimension.
static Value pad(GraphBuilder &graph, Value value, int64_t dim, int64_t size,
                 double fill) {
  if (size == 0)
    return value;
  RankedTensorType type = tensorType(value);
  Shape border(type.getShape()), whole(type.getShape());
  border[dim] = size;
  whole[dim] += 2 * size;
  Value edge = number(graph, type.clone(border), fill);
  return tensor::ConcatOp::create(graph.builder, graph.loc(), type.clone(whole),
                                  dim, ValueRange{edge, value, edge});
}

/// One number of a vector for each channel. Where a dimension of the image is
/// 1 the vector may have it, too: then it does not repeat along it.
static Value perChannel(GraphBuilder &graph, Value vector,
                        ArrayRef<int64_t> shape) {
  bool keepsOnes = !graph.choices.once(2);
  Shape kept, added;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (dim == 1 || (keepsOnes && size == 1))
      kept.push_back(size);
    else
      added.push_back(dim);
  vector = reshape(graph, vector, kept);
  if (added.empty())
    return vector;
  return linalg::BroadcastOp::create(
             graph.builder, graph.loc(), vector,
             empty(graph, tensorType(vector).clone(shape)), added)
      ->getResult(0);
}

//===----------------------------------------------------------------------===//
// Images and windows
//===----------------------------------------------------------------------===//

static Value getImage(GraphBuilder &graph) {
  Value image = graph.pick([](RankedTensorType type) {
    return type.getRank() == 4 && type.getElementType().isF32();
  });
  if (image)
    return image;
  int64_t n = graph.size(2);
  int64_t c = graph.size(6);
  int64_t h = graph.size(6);
  int64_t w = graph.size(6);
  return graph.argument(graph.tensor({n, c, h, w}, graph.f32()));
}

static Value getVector(GraphBuilder &graph, int64_t size) {
  return graph.get(graph.tensor({size}, graph.f32()));
}

template <typename Op, typename... Operands>
static Value apply(GraphBuilder &graph, Operands... operands) {
  return Op::create(graph.builder, graph.loc(), operands...).getResult();
}

namespace {
/// Where windows lie along the rows and the columns of an image.
struct Windows {
  int64_t kernel[2], stride[2], padding[2], count[2];

  /// Chosen for an image; it may be too small for any.
  static std::optional<Windows> choose(GraphBuilder &graph, Value image);
  int64_t positions() const { return kernel[0] * kernel[1]; }
  int64_t total() const { return count[0] * count[1]; }
  bool arePatches(ArrayRef<int64_t> shape) const;
};
} // namespace

std::optional<Windows> Windows::choose(GraphBuilder &graph, Value image) {
  Windows windows;
  for (int dim : {0, 1}) {
    int64_t size = tensorType(image).getDimSize(2 + dim);
    windows.padding[dim] = graph.choices.once(3);
    int64_t room = size + 2 * windows.padding[dim];
    // Nothing is a window, or a part, of nothing.
    if (room == 0 || tensorType(image).getNumElements() == 0)
      return std::nullopt;
    windows.kernel[dim] =
        1 + graph.choices.below(uint32_t(std::min<int64_t>(room, 3)));
    windows.stride[dim] = graph.choices.once(3) ? windows.kernel[dim] : 1;
    windows.count[dim] = (room - windows.kernel[dim]) / windows.stride[dim] + 1;
  }
  return windows;
}

bool Windows::arePatches(ArrayRef<int64_t> shape) const {
  for (int dim : {0, 1})
    if (padding[dim] || (stride[dim] != kernel[dim] && count[dim] != 1) ||
        count[dim] * kernel[dim] != shape[2 + dim])
      return false;
  return true;
}

/// One image for each position in a window.
static SmallVector<Value> getPositions(GraphBuilder &graph, Value image,
                                       const Windows &windows, double fill) {
  for (int dim : {0, 1})
    image = pad(graph, image, 2 + dim, windows.padding[dim], fill);
  SmallVector<Value> positions;
  for (int64_t y = 0; y < windows.kernel[0]; ++y)
    for (int64_t x = 0; x < windows.kernel[1]; ++x)
      positions.push_back(slice(
          graph, slice(graph, image, 2, y, windows.count[0], windows.stride[0]),
          3, x, windows.count[1], windows.stride[1]));
  return positions;
}

/// [N, C, K, P]: K elements of each of P windows.
static Value getColumns(GraphBuilder &graph, Value image,
                        const Windows &windows) {
  ArrayRef<int64_t> shape = tensorType(image).getShape();
  int64_t n = shape[0], c = shape[1], k = windows.positions(),
          p = windows.total();
  if (windows.arePatches(shape)) {
    Value split = reshape(graph, image,
                          {n, c, windows.count[0], windows.kernel[0],
                           windows.count[1], windows.kernel[1]});
    return reshape(graph, transpose(graph, split, {0, 1, 3, 5, 2, 4}),
                   {n, c, k, p});
  }
  SmallVector<Value> positions;
  for (Value value : getPositions(graph, image, windows, 0))
    positions.push_back(reshape(graph, value, {n, c, 1, p}));
  if (positions.size() == 1)
    return positions.front();
  return tensor::ConcatOp::create(graph.builder, graph.loc(),
                                  tensorType(image).clone({n, c, k, p}), 2,
                                  positions);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// One product of all windows with the weight.
static Value multiply(GraphBuilder &graph, Value columns, Value weight) {
  ArrayRef<int64_t> shape = tensorType(columns).getShape();
  int64_t n = shape[0], p = shape[3], o = tensorType(weight).getDimSize(0),
          depth = shape[1] * shape[2];
  Value rows = reshape(
      graph,
      transpose(graph, reshape(graph, columns, {n, depth, p}), {0, 2, 1}),
      {n * p, depth});
  Value product = MatmulOp::create(
      graph.builder, graph.loc(), graph.tensor({n * p, o}, graph.f32()), rows,
      reshape(graph, weight, {o, depth}), Value(), Value(),
      /*transpose_a=*/false, /*transpose_b=*/true);
  return transpose(graph, reshape(graph, product, {n, p, o}), {0, 2, 1});
}

/// One product for each image and group of channels.
static Value multiplyGroups(GraphBuilder &graph, Value columns, Value weight,
                            int64_t groups) {
  OpBuilder &builder = graph.builder;
  ArrayRef<int64_t> shape = tensorType(columns).getShape();
  int64_t n = shape[0], p = shape[3], o = tensorType(weight).getDimSize(0),
          depth = shape[1] / groups * shape[2];
  Value a = reshape(graph, columns, {n, groups, depth, p});
  Value b = reshape(graph, weight, {groups, o / groups, depth});
  auto map = [&](ArrayRef<unsigned> loops) {
    return AffineMap::getMultiDimMapWithTargets(5, loops, builder.getContext());
  };
  // Loops: image, group, channel of the result, window, element of the window.
  auto parallel = utils::IteratorType::parallel;
  RankedTensorType type = graph.tensor({n, groups, o / groups, p}, graph.f32());
  return linalg::GenericOp::create(
             builder, graph.loc(), type, ValueRange{a, b},
             number(graph, type, 0),
             {map({0, 1, 4, 3}), map({1, 2, 4}), map({0, 1, 2, 3})},
             {parallel, parallel, parallel, parallel,
              utils::IteratorType::reduction},
             [&](OpBuilder &inside, Location loc, ValueRange arguments) {
               Value product = arith::MulFOp::create(inside, loc, arguments[0],
                                                     arguments[1]);
               Value sum =
                   arith::AddFOp::create(inside, loc, arguments[2], product);
               linalg::YieldOp::create(inside, loc, sum);
             })
      .getResult(0);
}

static void makeConvolution(GraphBuilder &graph) {
  Value x = getImage(graph);
  std::optional<Windows> windows = Windows::choose(graph, x);
  int64_t n = tensorType(x).getDimSize(0), c = tensorType(x).getDimSize(1);
  int64_t groups = c > 0 && graph.choices.once(3) ? c : 1;
  int64_t o = groups * graph.size(groups == 1 ? 6 : 2);
  if (!windows ||
      !GraphBuilder::isSmall({n, c, windows->positions(), windows->total()}))
    return;
  Value w = graph.get(graph.tensor(
      {o, c / groups, windows->kernel[0], windows->kernel[1]}, graph.f32()));
  Value columns = getColumns(graph, x, *windows);
  Value y = groups == 1 ? multiply(graph, columns, w)
                        : multiplyGroups(graph, columns, w, groups);
  Shape shape{n, o, windows->count[0], windows->count[1]};
  y = reshape(graph, y, shape);
  if (!graph.choices.once(3))
    y = apply<arith::AddFOp>(graph, y,
                             perChannel(graph, getVector(graph, o), shape));
  graph.add(y);
}

/// As it is evaluated: the running statistics are fixed numbers.
static void makeBatchNorm(GraphBuilder &graph) {
  Value x = getImage(graph);
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  Value mean = getVector(graph, shape[1]),
        variance = getVector(graph, shape[1]),
        gamma = getVector(graph, shape[1]), beta = getVector(graph, shape[1]);
  // Variances are positive.
  Value positive =
      apply<arith::AddFOp>(graph, apply<math::AbsFOp>(graph, variance),
                           number(graph, tensorType(variance), 0.25));
  Value rstd = apply<math::RsqrtOp>(graph, positive);
  Value y = apply<arith::SubFOp>(graph, x, perChannel(graph, mean, shape));
  // In one product or in two.
  if (!graph.choices.once(3)) {
    Value factor = apply<arith::MulFOp>(graph, rstd, gamma);
    y = apply<arith::MulFOp>(graph, y, perChannel(graph, factor, shape));
  } else {
    y = apply<arith::MulFOp>(graph, y, perChannel(graph, rstd, shape));
    y = apply<arith::MulFOp>(graph, y, perChannel(graph, gamma, shape));
  }
  graph.add(apply<arith::AddFOp>(graph, y, perChannel(graph, beta, shape)));
}

/// Of groups of channels; one group for each channel is an instance norm.
static void makeGroupNorm(GraphBuilder &graph) {
  Value x = getImage(graph);
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  Shape divisors;
  for (int64_t groups = 1; groups <= shape[1]; ++groups)
    if (shape[1] % groups == 0)
      divisors.push_back(groups);
  if (divisors.empty())
    return;
  int64_t rows = shape[0] * graph.choices.among<int64_t>(divisors);
  int64_t n =
      rows ? tensorType(x).getNumElements() / rows : shape[2] * shape[3];
  RankedTensorType vector = graph.tensor({n}, graph.f32());
  auto norm = LayerNormOp::create(
      graph.builder, graph.loc(), reshape(graph, x, {rows, n}),
      number(graph, vector, 1), number(graph, vector, 0), 1e-2f);
  Value y = reshape(graph, norm.getY(), shape);
  Value gamma = getVector(graph, shape[1]), beta = getVector(graph, shape[1]);
  y = apply<arith::MulFOp>(graph, y, perChannel(graph, gamma, shape));
  graph.add(apply<arith::AddFOp>(graph, y, perChannel(graph, beta, shape)));
}

/// Sums or maxima along some dimensions.
static Value reduce(GraphBuilder &graph, Value x, ArrayRef<int64_t> dims,
                    bool isMax) {
  OpBuilder &builder = graph.builder;
  RankedTensorType type = tensorType(x);
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  for (int64_t dim : dims)
    loops[dim] = utils::IteratorType::reduction;
  Shape shape;
  SmallVector<AffineExpr> position;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (loops[dim] == utils::IteratorType::parallel) {
      shape.push_back(type.getDimSize(dim));
      position.push_back(builder.getAffineDimExpr(dim));
    }
  RankedTensorType result = type.clone(shape);
  return linalg::GenericOp::create(
             builder, graph.loc(), result, x,
             number(graph, result, isMax ? -INFINITY : 0),
             {builder.getMultiDimIdentityMap(type.getRank()),
              AffineMap::get(type.getRank(), 0, position,
                             builder.getContext())},
             loops,
             [&](OpBuilder &inside, Location loc, ValueRange arguments) {
               Value y = isMax ? arith::MaximumFOp::create(
                                     inside, loc, arguments[1], arguments[0])
                                     .getResult()
                               : arith::AddFOp::create(
                                     inside, loc, arguments[1], arguments[0]);
               linalg::YieldOp::create(inside, loc, y);
             })
      .getResult(0);
}

static void makePool(GraphBuilder &graph) {
  Value x = getImage(graph);
  bool isMax = graph.choices.once(2);
  std::optional<Windows> windows = Windows::choose(graph, x);
  if (!windows)
    return;
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  Value y;
  if (windows->arePatches(shape)) {
    y = reduce(
        graph,
        reshape(graph, x,
                {shape[0], shape[1], windows->count[0], windows->kernel[0],
                 windows->count[1], windows->kernel[1]}),
        {3, 5}, isMax);
  } else {
    for (Value value :
         getPositions(graph, x, *windows, isMax ? -INFINITY : 0.0))
      y = !y      ? value
          : isMax ? apply<arith::MaximumFOp>(graph, y, value)
                  : apply<arith::AddFOp>(graph, y, value);
  }
  if (!isMax)
    y = apply<arith::DivFOp>(
        graph, y, number(graph, tensorType(y), double(windows->positions())));
  if (y != x)
    graph.add(y);
}

/// The mean of each channel, with dimensions of 1 or without.
static void makeGlobalPool(GraphBuilder &graph) {
  Value x = getImage(graph);
  Shape shape(tensorType(x).getShape());
  int64_t count = std::max<int64_t>(shape[2] * shape[3], 1);
  Value sum = reduce(graph, x, {2, 3}, /*isMax=*/false);
  if (graph.choices.once(2))
    sum = reshape(graph, sum, {shape[0], shape[1], 1, 1});
  graph.add(apply<arith::MulFOp>(
      graph, sum, number(graph, tensorType(sum), 1.0 / double(count))));
}

/// The pixels of all images as the rows of a matrix.
static void makeTokens(GraphBuilder &graph) {
  Value x = getImage(graph);
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  int64_t n = shape[0], c = shape[1], p = shape[2] * shape[3];
  Value tokens = transpose(graph, reshape(graph, x, {n, c, p}), {0, 2, 1});
  // Other layers read matrices; some arithmetic stands before.
  if (graph.choices.once(3))
    graph.add(tokens);
  graph.add(reshape(graph, tokens, {n * p, c}));
}

/// The rows of a matrix as the pixels of images.
static void makeFromTokens(GraphBuilder &graph) {
  Value x = graph.pick([](RankedTensorType type) {
    return type.getRank() == 2 && type.getElementType().isF32() &&
           type.getNumElements() > 0;
  });
  if (!x)
    return;
  auto divisorOf = [&](int64_t size) {
    Shape divisors;
    for (int64_t divisor = 1; divisor <= size; ++divisor)
      if (size % divisor == 0)
        divisors.push_back(divisor);
    return graph.choices.among<int64_t>(divisors);
  };
  int64_t rows = tensorType(x).getDimSize(0), c = tensorType(x).getDimSize(1);
  int64_t n = divisorOf(rows);
  int64_t h = divisorOf(rows / n);
  int64_t p = rows / n;
  Value image = transpose(graph, reshape(graph, x, {n, p, c}), {0, 2, 1});
  graph.add(reshape(graph, image, {n, c, h, p / h}));
}

ArrayRef<WeightedMaker> fuzz::getImageMakers() {
  static constexpr WeightedMaker kMakers[] = {
      {makeConvolution, 10}, {makeBatchNorm, 8},  {makeGroupNorm, 4},
      {makePool, 4},         {makeGlobalPool, 2}, {makeTokens, 10},
      {makeFromTokens, 6},
  };
  return kMakers;
}
