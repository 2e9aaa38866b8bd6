// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reshapes, transposes, slices and concatenations of computed tensors.

#include "TensorMath.h"
#include "te/Support/TensorType.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// Defines a node as a reshape of its input.
static LogicalResult defineReshaped(GraphImporter &importer, const Node &node,
                                    Value value, FailureOr<Shape> shape,
                                    StringRef error) {
  if (failed(shape))
    return importer.unsupported(node, error);
  importer.define(node, importer.reshape(node.getLoc(), value, *shape));
  return success();
}

static LogicalResult importReshape(GraphImporter &importer, const Node &node) {
  Value value = importer.getValue(node, 0);
  auto requested = importer.getInts(node, 1);
  if (!value || failed(requested))
    return failure();
  std::string error;
  auto shape = resolveReshape(tensorType(value).getShape(), *requested,
                              node.getInt("allowzero").value_or(0) != 0, error);
  return defineReshaped(importer, node, value, shape, error);
}

static LogicalResult importUnsqueeze(GraphImporter &importer,
                                     const Node &node) {
  Value value = importer.getValue(node, 0);
  auto axes = importer.getInts(node, 1);
  if (!value || failed(axes))
    return failure();
  std::string error;
  auto shape = resolveUnsqueeze(tensorType(value).getShape(), *axes, error);
  return defineReshaped(importer, node, value, shape, error);
}

static LogicalResult importSqueeze(GraphImporter &importer, const Node &node) {
  Value value = importer.getValue(node, 0);
  if (!value)
    return failure();
  std::optional<ArrayRef<int64_t>> axes;
  FailureOr<SmallVector<int64_t>> given = failure();
  if (node.hasInput(1)) {
    given = importer.getInts(node, 1);
    if (failed(given))
      return failure();
    axes = *given;
  }
  std::string error;
  auto shape = resolveSqueeze(tensorType(value).getShape(), axes, error);
  return defineReshaped(importer, node, value, shape, error);
}

static LogicalResult importFlatten(GraphImporter &importer, const Node &node) {
  Value value = importer.getValue(node, 0);
  if (!value)
    return failure();
  ArrayRef<int64_t> shape = tensorType(value).getShape();
  int64_t rank = shape.size(), axis = node.getInt("axis").value_or(1);
  if (axis < -rank || axis > rank)
    return importer.unsupported(node, "its axis is not valid");
  axis += axis < 0 ? rank : 0;
  importer.define(
      node,
      importer.reshape(node.getLoc(), value,
                       {ShapedType::getNumElements(shape.take_front(axis)),
                        ShapedType::getNumElements(shape.drop_front(axis))}));
  return success();
}

static LogicalResult importTranspose(GraphImporter &importer,
                                     const Node &node) {
  Value value = importer.getValue(node, 0);
  if (!value)
    return failure();
  std::string error;
  auto permutation =
      resolvePermutation(node, tensorType(value).getRank(), error);
  if (failed(permutation))
    return importer.unsupported(node, error);
  importer.define(node, importer.transpose(node.getLoc(), value, *permutation));
  return success();
}

static LogicalResult importIdentity(GraphImporter &importer, const Node &node) {
  Value value = importer.getValue(node, 0);
  if (!value)
    return failure();
  importer.define(node, value);
  return success();
}

static LogicalResult importExpand(GraphImporter &importer, const Node &node) {
  Value value = importer.getValue(node, 0);
  auto requested = importer.getInts(node, 1);
  if (!value || failed(requested))
    return failure();
  auto shape = broadcastShapes({tensorType(value).getShape(), *requested});
  if (!shape || !countElements(*shape) || llvm::is_contained(*shape, 0))
    return importer.unsupported(node, "its input does not repeat to its shape");
  importer.define(node,
                  TensorMath(importer, node.getLoc()).broadcast(value, *shape));
  return success();
}

static LogicalResult importTile(GraphImporter &importer, const Node &node) {
  Value value = importer.getValue(node, 0);
  auto repeats = importer.getInts(node, 1);
  if (!value || failed(repeats))
    return failure();
  // Every dimension is preceded by one that counts the repetitions.
  SmallVector<int64_t> lines, repeated, shape;
  if (int64_t(repeats->size()) != tensorType(value).getRank())
    return importer.unsupported(node, "its repeats do not fit its input");
  for (auto [size, count] :
       llvm::zip_equal(tensorType(value).getShape(), *repeats)) {
    if (count < 1)
      return importer.unsupported(node, "its result is empty");
    lines.append({1, size});
    repeated.append({count, size});
    shape.push_back(count * size);
  }
  if (!countElements(repeated))
    return importer.unsupported(node, "its result is too large");
  TensorMath math(importer, node.getLoc());
  importer.define(
      node, math.reshape(math.broadcast(math.reshape(value, lines), repeated),
                         shape));
  return success();
}

static LogicalResult importSlice(GraphImporter &importer, const Node &node) {
  Value value = importer.getValue(node, 0);
  auto starts = importer.getInts(node, 1), ends = importer.getInts(node, 2);
  if (!value || failed(starts) || failed(ends))
    return failure();
  std::optional<SmallVector<int64_t>> given[2];
  std::optional<ArrayRef<int64_t>> axesAndSteps[2];
  for (size_t i = 0; i < 2; ++i) {
    if (!node.hasInput(3 + i))
      continue;
    auto ints = importer.getInts(node, 3 + i);
    if (failed(ints))
      return failure();
    given[i] = std::move(*ints);
    axesAndSteps[i] = *given[i];
  }
  std::string error;
  auto type = tensorType(value);
  auto ranges = resolveSlice(type.getShape(), *starts, *ends, axesAndSteps[0],
                             axesAndSteps[1], error);
  if (failed(ranges))
    return importer.unsupported(node, error);
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  OpBuilder &b = importer.builder;
  bool isEmpty = llvm::any_of(
      *ranges, [](const SliceRange &range) { return range.count == 0; });
  if (isEmpty) {
    // An empty slice is a constant, which a concatenation leaves out.
    for (const SliceRange &range : *ranges)
      shape.push_back(range.count);
    importer.defineAt(node, 0,
                      ConstantTensor(std::vector<float>(), shape,
                                     ::onnx::TensorProto::FLOAT));
    return success();
  }
  for (const SliceRange &range : *ranges) {
    if (range.step < 0)
      return importer.unsupported(node, "its result is reversed");
    shape.push_back(range.count);
    offsets.push_back(b.getIndexAttr(range.start));
    sizes.push_back(b.getIndexAttr(range.count));
    strides.push_back(b.getIndexAttr(range.step));
  }
  if (ArrayRef<int64_t>(shape) != type.getShape())
    value = tensor::ExtractSliceOp::create(
        b, node.getLoc(), RankedTensorType::get(shape, type.getElementType()),
        value, offsets, sizes, strides);
  importer.define(node, value);
  return success();
}

static LogicalResult importConcat(GraphImporter &importer, const Node &node) {
  SmallVector<Value> values;
  for (size_t i = 0; i < node.getNumInputs(); ++i) {
    const ConstantTensor *constant = importer.getConstant(node, i);
    if (constant && constant->getNumElements() == 0)
      continue;
    values.push_back(importer.getValue(node, i));
    if (!values.back())
      return failure();
  }
  auto axis = node.getInt("axis");
  if (values.empty() || !axis)
    return importer.unsupported(node, "it has no inputs or no axis");
  auto type = tensorType(values.front());
  int64_t rank = type.getRank();
  if (*axis < -rank || *axis >= rank)
    return importer.unsupported(node, "its axis is not valid");
  int64_t dim = *axis < 0 ? *axis + rank : *axis;
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = 0;
  for (Value value : values) {
    auto piece = tensorType(value);
    SmallVector<int64_t> rest(piece.getShape());
    if (piece.getRank() == rank)
      rest[dim] = shape[dim];
    if (rest != shape || piece.getElementType() != type.getElementType())
      return importer.unsupported(node, "its inputs do not fit together");
    shape[dim] += piece.getDimSize(dim);
    if (!countElements(shape))
      return importer.unsupported(node, "its result is too large");
  }
  // Along the last axis on folded matrices, as in split.
  bool folds = dim == rank - 1;
  for (Value &value : values)
    value = folds ? importer.toMatrix(node.getLoc(), value) : value;
  SmallVector<int64_t> joined(shape);
  if (folds)
    joined = {ShapedType::getNumElements(shape) / shape.back(), shape.back()};
  Value y = tensor::ConcatOp::create(
      importer.builder, node.getLoc(),
      RankedTensorType::get(joined, type.getElementType()), folds ? 1 : dim,
      values);
  importer.define(node, importer.reshape(node.getLoc(), y, shape));
  return success();
}

/// Pieces of a tensor along an axis. The last axis is split on the folded
/// matrix, which producers and consumers use.
static FailureOr<SmallVector<Value>> split(GraphImporter &importer,
                                           const Node &node, Value value,
                                           std::optional<int64_t> pieces) {
  auto type = tensorType(value);
  int64_t rank = type.getRank(), axis = node.getInt("axis").value_or(0);
  if (axis < -rank || axis >= rank)
    return importer.unsupported(node, "its axis is not valid");
  axis += axis < 0 ? rank : 0;
  const ConstantTensor *sizes = importer.getConstant(node, 1);
  if (node.hasInput(1) && !sizes)
    return importer.unsupported(node, "the sizes of its pieces are not fixed");
  std::string error;
  auto resolved = resolveSplit(type.getDimSize(axis), sizes, pieces, error);
  if (failed(resolved))
    return importer.unsupported(node, error);

  Location loc = node.getLoc();
  if (!isFloat(value)) {
    SmallVector<Value> results;
    int64_t start = 0;
    for (int64_t size : *resolved) {
      results.push_back(
          TensorMath(importer, loc).slice(value, axis, start, size));
      start += size;
    }
    return results;
  }
  bool folds = axis == rank - 1;
  Value source = folds ? importer.toMatrix(loc, value) : value;
  int64_t sourceAxis = folds ? 1 : axis;
  SmallVector<Type> types;
  for (int64_t size : *resolved) {
    SmallVector<int64_t> shape(tensorType(source).getShape());
    shape[sourceAxis] = size;
    types.push_back(RankedTensorType::get(shape, type.getElementType()));
  }
  auto op = SplitOp::create(importer.builder, loc, types, source, sourceAxis);
  SmallVector<Value> results;
  for (auto [piece, size] : llvm::zip_equal(op.getPieces(), *resolved)) {
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = size;
    results.push_back(importer.reshape(loc, piece, shape));
  }
  return results;
}

static LogicalResult importSplit(GraphImporter &importer, const Node &node) {
  Value value = importer.getValue(node, 0);
  if (!value)
    return failure();
  int64_t count =
      node.getInt("num_outputs").value_or(int64_t(node.getNumOutputs()));
  auto pieces = split(importer, node, value, count);
  if (failed(pieces))
    return failure();
  if (pieces->size() != node.getNumOutputs())
    return importer.unsupported(node,
                                "it has more or fewer outputs than pieces");
  for (auto [i, piece] : llvm::enumerate(*pieces))
    importer.defineAt(node, i, piece);
  return success();
}

static LogicalResult importSplitToSequence(GraphImporter &importer,
                                           const Node &node) {
  Value value = importer.getValue(node, 0);
  if (!value)
    return failure();
  auto pieces = split(importer, node, value, std::nullopt);
  if (failed(pieces))
    return failure();
  // keepdims matters only when no sizes are given.
  if (node.getInt("keepdims").value_or(1) == 0 && !node.hasInput(1))
    return importer.unsupported(node, "it drops the dimension it splits");
  importer.defineSequence(node, std::move(*pieces));
  return success();
}

static LogicalResult importSequenceAt(GraphImporter &importer,
                                      const Node &node) {
  const SmallVector<Value> *pieces = importer.getSequence(node, 0);
  if (!pieces)
    return importer.unsupported(node, "its input is not a sequence of pieces");
  auto position = importer.getInts(node, 1);
  if (failed(position))
    return failure();
  int64_t size = pieces->size();
  int64_t at = position->size() == 1 ? position->front() : size;
  if (at < -size || at >= size)
    return importer.unsupported(node, "its position is outside the sequence");
  importer.define(node, (*pieces)[at < 0 ? at + size : at]);
  return success();
}

void mlir::te::onnx_import::populateShapeHandlers(HandlerTable &table) {
  table["Reshape"] = importReshape;
  table["Unsqueeze"] = importUnsqueeze;
  table["Squeeze"] = importSqueeze;
  table["Flatten"] = importFlatten;
  table["Transpose"] = importTranspose;
  table["Identity"] = importIdentity;
  table["Expand"] = importExpand;
  table["Tile"] = importTile;
  table["Slice"] = importSlice;
  table["Concat"] = importConcat;
  table["Split"] = importSplit;
  table["SplitToSequence"] = importSplitToSequence;
  table["SequenceAt"] = importSequenceAt;
}
