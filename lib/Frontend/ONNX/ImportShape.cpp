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

namespace {
/// An input that is only moved: known, or computed.
struct Movable {
  const ConstantTensor *constant;
  Value value;
  ArrayRef<int64_t> shape;
};
} // namespace

static FailureOr<Movable> getMovable(GraphImporter &importer, const Node &node,
                                     size_t index = 0) {
  if (const ConstantTensor *constant = importer.getConstant(node, index))
    return Movable{constant, {}, constant->getShape()};
  Value value = importer.getValue(node, index);
  if (!value)
    return failure();
  return Movable{nullptr, value, tensorType(value).getShape()};
}

/// Defines a node as a reshape of its input.
static LogicalResult defineReshaped(GraphImporter &importer, const Node &node,
                                    const Movable &input,
                                    FailureOr<Shape> shape, StringRef error) {
  if (failed(shape))
    return importer.unsupported(node, error);
  if (const ConstantTensor *constant = input.constant) {
    if (!constant->getStridesIn(*shape) &&
        failed(importer.checkConstantSize(node, *shape)))
      return failure();
    return importer.define(node, constant->reshape(*shape));
  }
  return importer.define(node,
                         importer.reshape(node.getLoc(), input.value, *shape));
}

static LogicalResult importReshape(GraphImporter &importer, const Node &node) {
  auto input = getMovable(importer, node);
  auto requested = importer.getInts(node, 1);
  if (failed(input) || failed(requested))
    return failure();
  std::string error;
  auto shape = resolveReshape(input->shape, *requested,
                              node.getInt("allowzero").value_or(0) != 0, error);
  return defineReshaped(importer, node, *input, shape, error);
}

static LogicalResult importUnsqueeze(GraphImporter &importer,
                                     const Node &node) {
  auto input = getMovable(importer, node);
  auto axes = importer.getInts(node, 1);
  if (failed(input) || failed(axes))
    return failure();
  std::string error;
  auto shape = resolveUnsqueeze(input->shape, *axes, error);
  return defineReshaped(importer, node, *input, shape, error);
}

static LogicalResult importSqueeze(GraphImporter &importer, const Node &node) {
  auto input = getMovable(importer, node);
  if (failed(input))
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
  auto shape = resolveSqueeze(input->shape, axes, error);
  return defineReshaped(importer, node, *input, shape, error);
}

static LogicalResult importFlatten(GraphImporter &importer, const Node &node) {
  auto input = getMovable(importer, node);
  if (failed(input))
    return failure();
  int64_t rank = input->shape.size(), axis = node.getInt("axis").value_or(1);
  if (axis < -rank || axis > rank)
    return importer.unsupported(node, "its axis is not valid");
  axis += axis < 0 ? rank : 0;
  Shape shape{ShapedType::getNumElements(input->shape.take_front(axis)),
              ShapedType::getNumElements(input->shape.drop_front(axis))};
  return defineReshaped(importer, node, *input, shape, "");
}

static LogicalResult importTranspose(GraphImporter &importer,
                                     const Node &node) {
  auto input = getMovable(importer, node);
  if (failed(input))
    return failure();
  std::string error;
  auto permutation = resolvePermutation(node, input->shape.size(), error);
  if (failed(permutation))
    return importer.unsupported(node, error);
  if (input->constant)
    return importer.define(node, input->constant->permute(*permutation));
  return importer.define(
      node, importer.transpose(node.getLoc(), input->value, *permutation));
}

static LogicalResult importIdentity(GraphImporter &importer, const Node &node) {
  auto input = getMovable(importer, node);
  if (failed(input))
    return failure();
  if (input->constant)
    return importer.define(node, *input->constant);
  return importer.define(node, input->value);
}

static LogicalResult importExpand(GraphImporter &importer, const Node &node) {
  auto input = getMovable(importer, node);
  auto requested = importer.getInts(node, 1);
  if (failed(input) || failed(requested))
    return failure();
  auto shape = broadcastShapes({input->shape, *requested});
  if (!shape || !countElements(*shape) ||
      (!input->constant && llvm::is_contained(*shape, 0)))
    return importer.unsupported(node, "its input does not repeat to its shape");
  if (input->constant)
    return importer.define(node, input->constant->broadcast(*shape));
  return importer.define(
      node,
      TensorMath(importer, node.getLoc()).broadcast(input->value, *shape));
}

static LogicalResult importTile(GraphImporter &importer, const Node &node) {
  auto input = getMovable(importer, node);
  auto repeats = importer.getInts(node, 1);
  if (failed(input) || failed(repeats))
    return failure();
  // Every dimension is preceded by one that counts the repetitions.
  Shape lines, repeated, shape;
  if (repeats->size() != input->shape.size())
    return importer.unsupported(node, "its repeats do not fit its input");
  for (auto [size, count] : llvm::zip_equal(input->shape, *repeats)) {
    if (count < !input->constant)
      return importer.unsupported(node, "its result is empty");
    lines.append({1, size});
    repeated.append({count, size});
    shape.push_back(count * size);
  }
  if (!countElements(repeated))
    return importer.unsupported(node, "its result is too large");
  if (input->constant)
    return failed(importer.checkConstantSize(node, shape))
               ? failure()
               : importer.define(node, input->constant->reshape(lines)
                                           .broadcast(repeated)
                                           .reshape(shape));
  TensorMath math(importer, node.getLoc());
  return importer.define(
      node,
      math.reshape(math.broadcast(math.reshape(input->value, lines), repeated),
                   shape));
}

static LogicalResult importSlice(GraphImporter &importer, const Node &node) {
  auto input = getMovable(importer, node);
  auto starts = importer.getInts(node, 1), ends = importer.getInts(node, 2);
  if (failed(input) || failed(starts) || failed(ends))
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
  auto ranges = resolveSlice(input->shape, *starts, *ends, axesAndSteps[0],
                             axesAndSteps[1], error);
  if (failed(ranges))
    return importer.unsupported(node, error);
  if (input->constant) {
    ConstantTensor y = *input->constant;
    for (auto [axis, range] : llvm::enumerate(*ranges))
      y = y.slice(axis, range.start, range.step, range.count);
    return importer.define(node, std::move(y));
  }
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  OpBuilder &b = importer.builder;
  for (const SliceRange &range : *ranges) {
    shape.push_back(range.count);
    offsets.push_back(b.getIndexAttr(range.start));
    sizes.push_back(b.getIndexAttr(range.count));
    strides.push_back(b.getIndexAttr(range.step));
  }
  // An empty slice is a constant, which a concatenation leaves out.
  if (llvm::is_contained(shape, 0))
    return importer.define(node, ConstantTensor(std::vector<float>(), shape,
                                                ::onnx::TensorProto::FLOAT));
  if (llvm::any_of(*ranges, [](const SliceRange &r) { return r.step < 0; }))
    return importer.unsupported(node, "its result is reversed");
  auto type = tensorType(input->value);
  Value value = input->value;
  if (ArrayRef<int64_t>(shape) != type.getShape())
    value = tensor::ExtractSliceOp::create(b, node.getLoc(), type.clone(shape),
                                           value, offsets, sizes, strides);
  return importer.define(node, value);
}

static LogicalResult importConcat(GraphImporter &importer, const Node &node) {
  SmallVector<const ConstantTensor *> constants;
  SmallVector<ArrayRef<int64_t>> shapes;
  for (size_t i = 0; i < node.getNumInputs(); ++i)
    if (const ConstantTensor *constant = importer.getConstant(node, i))
      constants.push_back(constant);
  bool areKnown = constants.size() == node.getNumInputs();
  SmallVector<Value> values;
  for (size_t i = 0; i < node.getNumInputs(); ++i) {
    auto input = getMovable(importer, node, i);
    if (failed(input))
      return failure();
    if (!areKnown && llvm::is_contained(input->shape, 0))
      continue;
    shapes.push_back(input->shape);
    if (areKnown)
      continue;
    values.push_back(importer.getValue(node, i));
    if (!values.back())
      return failure();
  }
  auto given = node.getInt("axis");
  if (shapes.empty() || !given)
    return importer.unsupported(node, "it has no inputs or no axis");
  int64_t rank = shapes.front().size();
  auto axis = getAxis(importer, node, *given, rank);
  if (failed(axis))
    return failure();
  auto isOfType = [&](size_t i) {
    return areKnown ? constants[i]->getElementType() ==
                          constants.front()->getElementType()
                    : tensorType(values[i]).getElementType() ==
                          tensorType(values.front()).getElementType();
  };
  Shape shape(shapes.front());
  shape[*axis] = 0;
  for (auto [i, piece] : llvm::enumerate(shapes)) {
    Shape rest(piece);
    if (int64_t(piece.size()) == rank)
      rest[*axis] = shape[*axis];
    if (rest != shape || !isOfType(i))
      return importer.unsupported(node, "its inputs do not fit together");
    shape[*axis] += piece[*axis];
    if (!countElements(shape))
      return importer.unsupported(node, "its result is too large");
  }
  if (areKnown)
    return failed(importer.checkConstantSize(node, shape))
               ? failure()
               : importer.define(node, concatenate(constants, *axis, shape));
  // Along the last axis on folded matrices, as in split.
  bool folds = *axis == rank - 1;
  for (Value &value : values)
    value = folds ? importer.toMatrix(node.getLoc(), value) : value;
  Value y =
      TensorMath(importer, node.getLoc()).concat(values, folds ? 1 : *axis);
  return importer.define(node, importer.reshape(node.getLoc(), y, shape));
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

static LogicalResult importSplit(GraphImporter &importer, const Node &node,
                                 Value value) {
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
                                           const Node &node, Value value) {
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
  return importer.define(node, (*pieces)[at < 0 ? at + size : at]);
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
  table["Split"] = withValue(importSplit);
  table["SplitToSequence"] = withValue(importSplitToSequence);
  table["SequenceAt"] = importSequenceAt;
}
