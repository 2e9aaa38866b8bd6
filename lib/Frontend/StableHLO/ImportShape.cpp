// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, and operations that only move elements.

#include "ModuleImporter.h"
#include "Pieces.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

static LogicalResult importConstant(ModuleImporter &importer, const HloOp &op) {
  Attribute value = op.getAttr("value");
  if (isa_and_nonnull<DenseResourceElementsAttr>(value))
    return importer.unsupported(
        op, "its elements were left out of the text; print the module with "
            "large_elements_limit=None");
  auto elements = dyn_cast_or_null<ElementsAttr>(value);
  if (!elements || elements.getType() != op.getType())
    return importer.unsupported(op, "its value is not a tensor of its type");
  auto numbers = readElements(elements, op.getType());
  if (!numbers)
    return importer.unsupported(op, "its value is not dense");
  return importer.define(op, ConstantTensor(*numbers));
}

static LogicalResult importIota(ModuleImporter &importer, const HloOp &op) {
  auto dim = op.getInt("iota_dimension");
  RankedTensorType type = op.getType();
  if (!dim || *dim < 0 || *dim >= type.getRank() ||
      type.getElementType().isInteger(1))
    return importer.unsupported(op, "its dimension is not one of its result");
  int64_t size = type.getDimSize(*dim);
  if (!importer.isConstantSize(size))
    return importer.unsupported(op, "it is too large");
  Shape strides(type.getRank(), 0);
  strides[*dim] = size == 1 ? 0 : 1;
  ConstantTensor::Numbers values(size);
  Type element = type.getElementType();
  for (auto [i, value] : llvm::enumerate(values))
    if (isa<FloatType>(element))
      value.real = roundTo(double(i), element);
    else
      value.integer = wrapTo(int64_t(i), element);
  ConstantTensor numbers(ConstantTensor::getKind(element), values, size);
  return importer.define(op, numbers.withShape(type.getShape(), strides, 0));
}

static LogicalResult importReshape(ModuleImporter &importer, const HloOp &op) {
  if (op->getNumOperands() != 1 ||
      op.getOperandType(0).getNumElements() != op.getType().getNumElements() ||
      op.getOperandType(0).getElementType() != op.getType().getElementType())
    return importer.unsupported(op, "its operand has other elements");
  if (const ConstantTensor *constant = importer.getConstant(op, 0))
    return importer.define(op, constant->reshape(op.getShape()));
  return importer.define(
      op,
      importer.reshape(op.getLoc(), importer.getValue(op, 0), op.getShape()));
}

static LogicalResult importBroadcast(ModuleImporter &importer,
                                     const HloOp &op) {
  auto dims = op.getInts("broadcast_dimensions");
  RankedTensorType type = op.getType();
  if (op->getNumOperands() != 1 || !dims ||
      !areDimensions(*dims, type.getRank()) ||
      int64_t(dims->size()) != op.getOperandType(0).getRank())
    return importer.unsupported(op, "its dimensions do not fit its operand");
  ArrayRef<int64_t> from = op.getOperandType(0).getShape();
  for (auto [dim, size] : llvm::zip(*dims, from))
    if (size != 1 && size != type.getDimSize(dim))
      return importer.unsupported(op, "its dimensions do not fit its operand");
  if (const ConstantTensor *constant = importer.getConstant(op, 0)) {
    Shape strides(type.getRank(), 0);
    for (auto [i, dim] : llvm::enumerate(*dims))
      strides[dim] = from[i] == 1 ? 0 : constant->getStrides()[i];
    return importer.define(op, constant->withShape(type.getShape(), strides,
                                                   constant->getOffset()));
  }
  Value value = importer.getValue(op, 0);
  // The operand's dimensions in the result's order.
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, from.size()));
  llvm::sort(order,
             [&](int64_t a, int64_t b) { return (*dims)[a] < (*dims)[b]; });
  value = importer.transpose(op.getLoc(), value, order);
  // The broadcast dimensions: those of size 1 that are larger in the result.
  SmallVector<int64_t> sizes(type.getRank(), 1), kept, added;
  for (auto [i, dim] : llvm::enumerate(*dims))
    sizes[dim] = from[i];
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size == type.getDimSize(dim))
      kept.push_back(size);
    else
      added.push_back(dim);
  }
  value = importer.reshape(op.getLoc(), value, kept);
  if (!added.empty()) {
    Value init = tensor::EmptyOp::create(
        importer.builder, op.getLoc(), type.getShape(), type.getElementType());
    value = linalg::BroadcastOp::create(importer.builder, op.getLoc(), value,
                                        init, added)
                ->getResult(0);
  }
  return importer.define(op, value);
}

static LogicalResult importTranspose(ModuleImporter &importer,
                                     const HloOp &op) {
  auto permutation = op.getInts("permutation");
  if (op->getNumOperands() != 1 || !permutation ||
      int64_t(permutation->size()) != op.getOperandType(0).getRank() ||
      !areDimensions(*permutation, permutation->size()))
    return importer.unsupported(op, "its permutation does not fit its operand");
  for (auto [dim, size] : llvm::zip_equal(*permutation, op.getShape()))
    if (op.getOperandType(0).getDimSize(dim) != size)
      return importer.unsupported(op, "its type does not fit its operand");
  if (const ConstantTensor *constant = importer.getConstant(op, 0))
    return importer.define(op, constant->permute(*permutation));
  return importer.define(
      op,
      importer.transpose(op.getLoc(), importer.getValue(op, 0), *permutation));
}

static LogicalResult importSlice(ModuleImporter &importer, const HloOp &op) {
  auto starts = op.getInts("start_indices"),
       limits = op.getInts("limit_indices"), strides = op.getInts("strides");
  RankedTensorType type = op.getType();
  size_t rank = type.getRank();
  bool fits = op->getNumOperands() == 1 && starts && limits && strides &&
              starts->size() == rank && limits->size() == rank &&
              strides->size() == rank &&
              op.getOperandType(0).getRank() == int64_t(rank);
  for (size_t i = 0; fits && i < rank; ++i) {
    int64_t start = (*starts)[i], limit = (*limits)[i], step = (*strides)[i];
    fits = start >= 0 && start <= limit && step > 0 &&
           limit <= op.getOperandType(0).getDimSize(i) &&
           uint64_t(type.getDimSize(i)) ==
               llvm::divideCeil(uint64_t(limit - start), uint64_t(step));
  }
  if (!fits)
    return importer.unsupported(op, "its limits do not fit its operand");
  if (const ConstantTensor *constant = importer.getConstant(op, 0)) {
    ConstantTensor slice = *constant;
    for (size_t i = 0; i < rank; ++i)
      slice = slice.slice(i, (*starts)[i], (*strides)[i], type.getDimSize(i));
    return importer.define(op, std::move(slice));
  }
  return importer.define(op, slicePieces(importer, op.getLoc(),
                                         importer.getValue(op, 0), *starts,
                                         type.getShape(), *strides));
}

static LogicalResult importConcatenate(ModuleImporter &importer,
                                       const HloOp &op) {
  auto dim = op.getInt("dimension");
  RankedTensorType type = op.getType();
  bool fits =
      dim && *dim >= 0 && *dim < type.getRank() && op->getNumOperands() > 0;
  int64_t size = 0;
  for (Value operand : op->getOperands()) {
    auto piece = cast<RankedTensorType>(operand.getType());
    fits = fits && piece.getRank() == type.getRank() &&
           piece.getElementType() == type.getElementType();
    for (int64_t i = 0; fits && i < type.getRank(); ++i)
      fits = i == *dim || piece.getDimSize(i) == type.getDimSize(i);
    if (fits)
      size += piece.getDimSize(*dim);
  }
  if (!fits || size != type.getDimSize(*dim))
    return importer.unsupported(op, "its operands do not fit together");
  if (importer.areConstants(op)) {
    if (!importer.isConstantSize(type.getShape()))
      return importer.unsupported(op, "it is too large");
    SmallVector<const ConstantTensor *> constants;
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      constants.push_back(importer.getConstant(op, i));
    return importer.define(op, concatenate(constants, *dim, type.getShape()));
  }
  SmallVector<Value> pieces;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    // Empty tensors are not supported in computation.
    if (op.getOperandType(i).getNumElements() == 0)
      continue;
    Value piece = importer.getValue(op, i);
    if (!piece)
      return failure();
    pieces.push_back(piece);
  }
  return importer.define(op, joinPieces(importer, op.getLoc(), pieces, *dim));
}

static LogicalResult importPad(ModuleImporter &importer, const HloOp &op) {
  auto low = op.getInts("edge_padding_low"),
       high = op.getInts("edge_padding_high"),
       inner = op.getInts("interior_padding");
  RankedTensorType type = op.getType();
  size_t rank = type.getRank();
  if (op->getNumOperands() != 2 || !low || !high || !inner ||
      low->size() != rank || high->size() != rank || inner->size() != rank ||
      op.getOperandType(0).getRank() != int64_t(rank) ||
      op.getOperandType(1) != RankedTensorType::get({}, type.getElementType()))
    return importer.unsupported(op, "its padding does not fit its operand");
  const ConstantTensor *fill = importer.getConstant(op, 1);
  if (!fill || !fill->getSplat())
    return importer.unsupported(op, "it pads with what is no fixed number");
  Value value = importer.getValue(op, 0);
  if (!value)
    return failure();
  TensorMath math(importer, op.getLoc());
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t size = tensorType(value).getDimSize(dim);
    if (int64_t between = (*inner)[dim]; between != 0 && size > 1) {
      if (between < 0 || between > type.getDimSize(dim))
        return importer.unsupported(op, "its padding does not fit its result");
      // Behind each element, then without what is behind the last one.
      SmallVector<int64_t> shape(tensorType(value).getShape());
      shape.insert(shape.begin() + dim + 1, 1);
      value = math.pad(importer.reshape(op.getLoc(), value, shape), dim + 1, 0,
                       between, *fill->getSplat());
      shape.erase(shape.begin() + dim + 1);
      shape[dim] = size * (between + 1);
      value = importer.reshape(op.getLoc(), value, shape);
      size = shape[dim] - between;
      value = math.slice(value, dim, 0, size);
    }
    // Negative padding crops.
    int64_t before = (*low)[dim], after = (*high)[dim];
    int64_t start = std::max<int64_t>(-before, 0),
            count = size - start - std::max<int64_t>(-after, 0);
    int64_t front = std::max<int64_t>(before, 0),
            back = std::max<int64_t>(after, 0);
    if (before < -size || after < -size || count <= 0 ||
        front > type.getDimSize(dim) || back > type.getDimSize(dim) ||
        front + count + back != type.getDimSize(dim))
      return importer.unsupported(op, "its padding does not fit its result");
    value = math.slice(value, dim, start, count);
    value = math.pad(value, dim, front, back, *fill->getSplat());
  }
  return importer.define(op, value);
}

static LogicalResult importReverse(ModuleImporter &importer, const HloOp &op) {
  auto dims = op.getInts("dimensions");
  if (op->getNumOperands() != 1 || op.getOperandType(0) != op.getType() ||
      !dims || !areDimensions(*dims, op.getType().getRank()))
    return importer.unsupported(op, "its dimensions do not fit its operand");
  if (const ConstantTensor *constant = importer.getConstant(op, 0)) {
    ConstantTensor reversed = *constant;
    for (int64_t dim : *dims)
      reversed =
          reversed.slice(dim, op.getShape()[dim] - 1, -1, op.getShape()[dim]);
    return importer.define(op, std::move(reversed));
  }
  Value value = importer.getValue(op, 0);
  TensorMath math(importer, op.getLoc());
  const bool isFloat = isa<FloatType>(op.getType().getElementType());
  for (int64_t dim : *dims) {
    if (!isFloat) {
      ArrayRef<int64_t> all = op.getShape();
      SmallVector<int64_t> along(all.size(), 1);
      along[dim] = all[dim];
      auto places =
          llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, all[dim])));
      value = math.permute(
          value, math.broadcast(math.constant(places, along), all), dim);
      continue;
    }
    // Rows of the dimension, the last one first.
    SmallVector<int64_t> shape(tensorType(value).getShape()), front{dim}, ids;
    for (int64_t i = 0; i < int64_t(shape.size()); ++i)
      if (i != dim)
        front.push_back(i);
    for (int64_t i = shape[dim]; i-- > 0;)
      ids.push_back(i);
    Value table = math.transpose(value, front);
    SmallVector<int64_t> moved(tensorType(table).getShape());
    int64_t columns = tensorType(table).getNumElements() / shape[dim];
    Value rows = math.lookup(math.constant(ids, {shape[dim]}),
                             math.reshape(table, {shape[dim], columns}));
    value = math.transpose(math.reshape(rows, moved),
                           invertPermutationVector(front));
  }
  return importer.define(op, value);
}

//===----------------------------------------------------------------------===//
// Slices by position
//===----------------------------------------------------------------------===//

/// The constant starts of a box of `sizes` in a tensor, clamped as the
/// operation does; operands from `first` on.
static FailureOr<SmallVector<int64_t>>
getStarts(ModuleImporter &importer, const HloOp &op, unsigned first,
          ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes) {
  if (op->getNumOperands() != first + shape.size())
    return importer.unsupported(op, "it has no start for every dimension");
  SmallVector<int64_t> starts;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size > shape[dim] || size < 1)
      return importer.unsupported(op, "its sizes do not fit its operand");
    const ConstantTensor *start = importer.getConstant(op, first + dim);
    if (size == shape[dim]) {
      starts.push_back(0);
      continue;
    }
    if (!start || !start->isInt() || start->getNumElements() != 1)
      return importer.unsupported(
          op, "its position depends on the model's inputs; only fixed "
              "positions, and counters of unrolled loops, can be compiled");
    starts.push_back(
        std::clamp<int64_t>(start->toInts().front(), 0, shape[dim] - size));
  }
  return starts;
}

static LogicalResult importDynamicSlice(ModuleImporter &importer,
                                        const HloOp &op) {
  auto sizes = op.getInts("slice_sizes");
  if (op->getNumOperands() < 1 || !sizes ||
      ArrayRef<int64_t>(*sizes) != op.getShape() ||
      op.getOperandType(0).getRank() != op.getType().getRank())
    return importer.unsupported(op, "its sizes do not fit its operand");
  auto starts =
      getStarts(importer, op, 1, op.getOperandType(0).getShape(), *sizes);
  if (failed(starts))
    return failure();
  if (const ConstantTensor *constant = importer.getConstant(op, 0)) {
    ConstantTensor slice = *constant;
    for (size_t dim = 0; dim < sizes->size(); ++dim)
      slice = slice.slice(dim, (*starts)[dim], 1, (*sizes)[dim]);
    return importer.define(op, std::move(slice));
  }
  SmallVector<int64_t> ones(sizes->size(), 1);
  return importer.define(op, slicePieces(importer, op.getLoc(),
                                         importer.getValue(op, 0), *starts,
                                         *sizes, ones));
}

static LogicalResult importDynamicUpdateSlice(ModuleImporter &importer,
                                              const HloOp &op) {
  if (op->getNumOperands() < 2 || op.getOperandType(0) != op.getType() ||
      op.getOperandType(1).getRank() != op.getType().getRank() ||
      op.getOperandType(1).getElementType() != op.getType().getElementType())
    return importer.unsupported(op, "its update does not fit its operand");
  ArrayRef<int64_t> sizes = op.getOperandType(1).getShape();
  auto starts = getStarts(importer, op, 2, op.getShape(), sizes);
  if (failed(starts))
    return failure();
  Value value = importer.getValue(op, 0), update = importer.getValue(op, 1);
  if (!value || !update)
    return failure();
  return importer.define(
      op, pastePiece(importer, op.getLoc(), value, update, *starts));
}

void mlir::te::stablehlo_import::populateShapeHandlers(HandlerTable &table) {
  table["stablehlo.constant"] = importConstant;
  table["stablehlo.iota"] = importIota;
  table["stablehlo.reshape"] = importReshape;
  table["stablehlo.broadcast_in_dim"] = importBroadcast;
  table["stablehlo.transpose"] = importTranspose;
  table["stablehlo.slice"] = importSlice;
  table["stablehlo.concatenate"] = importConcatenate;
  table["stablehlo.pad"] = importPad;
  table["stablehlo.reverse"] = importReverse;
  table["stablehlo.dynamic_slice"] = importDynamicSlice;
  table["stablehlo.dynamic_update_slice"] = importDynamicUpdateSlice;
}
