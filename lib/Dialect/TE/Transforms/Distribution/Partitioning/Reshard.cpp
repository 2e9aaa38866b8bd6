// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Partitioning/Reshard.h"

#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

RankedTensorType mlir::te::withSize(RankedTensorType type, int64_t dim,
                                    int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return type.clone(shape);
}

FailureOr<std::optional<AxisRanks>>
mlir::te::findAxisRanks(ModuleOp module, StringRef mesh, StringRef name,
                        ArrayRef<StringRef> madeFor) {
  Location loc = module.getLoc();
  FailureOr<SmallVector<MeshAxis>> axes = parseMesh(mesh, loc);
  FailureOr<std::optional<Mesh>> before = Mesh::get(module);
  if (failed(axes) || failed(before))
    return failure();
  if (*before && ((*before)->getAxes() != ArrayRef(*axes) ||
                  llvm::none_of(madeFor, [&](StringRef axis) {
                    return (*before)->findAxis(axis).has_value();
                  })))
    return emitError(loc) << "the module is for a mesh already";
  if (llvm::none_of(*axes,
                    [&](const MeshAxis &axis) { return axis.name == name; }))
    return std::optional<AxisRanks>();
  Mesh grid = *before ? **before : Mesh::create(module, *axes);
  shard::GridAxis axis = *grid.findAxis(name);
  return std::optional(
      AxisRanks{grid.getName().str(), axis, grid.getAxes()[axis].size});
}

ShardedValues::Home &ShardedValues::getHome(Value of) {
  Home &home = homes[of];
  if (!home.value)
    home.value = of;
  return home;
}

void ShardedValues::setHome(Value of, Value value,
                            std::optional<DimSplit> cut) {
  Home home;
  home.value = value;
  home.cut = std::move(cut);
  homes[of] = std::move(home);
}

void ShardedValues::setHomeOfSum(Value of, Value terms,
                                 std::optional<DimSplit> cut) {
  Location loc = of.getLoc();
  if (mesh.ofSequences)
    cut = std::nullopt;
  if (cut && cut->dim == 0 && cut->cut.isPlain()) {
    auto scattered = shard::ReduceScatterOp::create(
        builder, loc, getPartType(tensorType(terms), *cut, mesh.ranks),
        mesh.grid, ArrayRef(mesh.axis), terms, shard::ReductionKind::Sum,
        APInt(64, cut->dim));
    return setHome(of, scattered, cut);
  }
  Value sum = shard::AllReduceOp::create(builder, loc, terms, mesh.grid,
                                         ArrayRef(mesh.axis),
                                         shard::ReductionKind::Sum);
  setHome(of, cut ? slice(loc, sum, *cut) : sum, cut);
}

Value ShardedValues::getWhole(Value of) {
  Home &home = getHome(of);
  if (!home.cut)
    return home.value;
  if (!home.whole)
    home.whole = gather(of.getLoc(), home.value, *home.cut);
  return home.whole;
}

Value ShardedValues::getVarying(Value of) {
  Value whole = getWhole(of);
  Home &home = getHome(of);
  // Values without a cotangent need no sum of it.
  if (!isa<FloatType>(getElementTypeOrSelf(whole)) ||
      matchPattern(whole, m_Constant()))
    return whole;
  if (!home.varying)
    home.varying = VaryOp::create(builder, of.getLoc(), whole, mesh.grid,
                                  ArrayRef(mesh.axis));
  return home.varying;
}

Value ShardedValues::getPart(Value of, const DimSplit &cut) {
  Home &home = getHome(of);
  if (home.cut == cut)
    return home.value;
  for (auto &[known, part] : home.parts)
    if (known == cut)
      return part;
  Value part = takePart(of, cut);
  getHome(of).parts.emplace_back(cut, part);
  return part;
}

Value ShardedValues::forEachBlock(
    Location loc, Value value, const DimSplit &cut, int64_t divisor,
    llvm::function_ref<Value(Value, int64_t)> fn) {
  if (cut.cut.isPlain())
    return fn(value, cut.dim);
  // Repetitions become a dimension of their own.
  RankedTensorType type = tensorType(value);
  int64_t dim = cut.dim;
  bool repeats = cut.cut.outer > 1;
  SmallVector<ReassociationIndices> groups;
  if (repeats) {
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] /= cut.cut.outer;
    shape.insert(shape.begin() + dim, cut.cut.outer);
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (i < dim)
        groups.push_back({i});
      else if (i == dim)
        groups.push_back({i, i + 1});
      else
        groups.push_back({i + 1});
    }
    value = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                          value, groups);
    ++dim;
  }
  RankedTensorType wide = tensorType(value);
  SmallVector<Value> blocks;
  if (cut.cut.blocks.size() == 1) {
    blocks.push_back(value);
  } else if (isa<FloatType>(wide.getElementType())) {
    SmallVector<Type> types =
        llvm::map_to_vector(cut.cut.blocks, [&](int64_t block) -> Type {
          return withSize(wide, dim, block / divisor);
        });
    auto split = SplitOp::create(builder, loc, types, value,
                                 builder.getI64IntegerAttr(dim));
    llvm::append_range(blocks, split.getPieces());
  } else {
    int64_t offset = 0;
    for (int64_t block : cut.cut.blocks) {
      blocks.push_back(
          sliceDim(builder, loc, value, dim, offset, block / divisor));
      offset += block / divisor;
    }
  }
  for (Value &block : blocks)
    block = fn(block, dim);
  Value joined = blocks.size() == 1
                     ? blocks.front()
                     : tensor::ConcatOp::create(builder, loc, dim, blocks);
  if (repeats) {
    RankedTensorType joinedType = tensorType(joined);
    joined = tensor::CollapseShapeOp::create(
        builder, loc,
        withSize(type, cut.dim, cut.cut.outer * joinedType.getDimSize(dim)),
        joined, groups);
  }
  return joined;
}

Value mlir::te::transposeTo(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<int64_t> order) {
  RankedTensorType type = tensorType(value);
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), order);
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, empty, order)
      ->getResult(0);
}

/// The ranks' shards are concatenated: moves the dimension to the front for
/// `fn`, and back after it.
static Value withDimInFront(OpBuilder &builder, Location loc, Value value,
                            int64_t dim, llvm::function_ref<Value(Value)> fn) {
  ArrayRef<int64_t> before = tensorType(value).getShape().take_front(dim);
  if (llvm::all_of(before, [](int64_t size) { return size == 1; }))
    return fn(value);
  SmallVector<int64_t> toFront = {dim};
  for (int64_t i = 0, e = tensorType(value).getRank(); i < e; ++i)
    if (i != dim)
      toFront.push_back(i);
  return transposeTo(builder, loc,
                     fn(transposeTo(builder, loc, value, toFront)),
                     invertPermutationVector(toFront));
}

Value ShardedValues::collective(Location loc, Value value, const DimSplit &cut,
                                bool gathers) {
  auto collectiveBlock = [&](Value block, int64_t dim) -> Value {
    RankedTensorType type = tensorType(block);
    int64_t size = type.getDimSize(dim);
    type = withSize(type, dim, gathers ? size * mesh.ranks : size / mesh.ranks);
    ArrayRef axes(mesh.axis);
    if (mesh.ofSequences && gathers)
      return AllGatherSequenceOp::create(builder, loc, type, block, mesh.grid,
                                         axes, dim, mesh.balanced);
    if (mesh.ofSequences)
      return AllSliceSequenceOp::create(builder, loc, type, block, mesh.grid,
                                        axes, dim, mesh.balanced);
    if (gathers)
      return shard::AllGatherOp::create(builder, loc, type, mesh.grid, axes,
                                        block, APInt(64, dim));
    return shard::AllSliceOp::create(builder, loc, type, block, mesh.grid, axes,
                                     dim);
  };
  return forEachBlock(
      loc, value, cut, /*divisor=*/gathers ? mesh.ranks : 1,
      [&](Value block, int64_t dim) -> Value {
        if (mesh.ofSequences)
          return collectiveBlock(block, dim);
        int64_t at = dim;
        ArrayRef<int64_t> before = tensorType(block).getShape().take_front(dim);
        if (llvm::any_of(before, [](int64_t size) { return size != 1; }))
          at = 0;
        return withDimInFront(builder, loc, block, dim, [&](Value inFront) {
          return collectiveBlock(inFront, at);
        });
      });
}

Value ShardedValues::slice(Location loc, Value whole, const DimSplit &cut) {
  return collective(loc, whole, cut, /*gathers=*/false);
}

Value ShardedValues::gather(Location loc, Value part, const DimSplit &cut) {
  return collective(loc, part, cut, /*gathers=*/true);
}
