// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TERT/IR/TERT.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::tert;

bool mlir::te::tert::communicatesAmongRanks(Operation *op) {
  // Slices of replicated tensors need no communication.
  if (isa<AllSliceOp, AllSliceSequenceOp>(op))
    return false;
  return isa<CollectiveOpInterface>(op) ||
         (isa<RuntimeCallOpInterface>(op) && !isa<CostOpInterface>(op) &&
          isa_and_present<IntegerAttr>(
              op->getInherentAttr("axes").value_or(Attribute())));
}

static SmallVector<ShapedType> typesOf(ValueRange tensors) {
  return llvm::map_to_vector(
      tensors, [](Value tensor) { return cast<ShapedType>(tensor.getType()); });
}

//===-- Collectives of tensors --------------------------------------------===//

/// Sums are of floating-point numbers.
template <typename Op>
static LogicalResult verifyTypes(Op op, ValueRange x, ValueRange y) {
  if (op.getKind() == CollectiveKind::ReduceScalars)
    return op.emitOpError() << "is of the kind 'reduce_scalars', which is "
                               "tert.reduce_scalars";
  if (op.getKind() != CollectiveKind::AllGather &&
      op.getKind() != CollectiveKind::AllToAll)
    for (ShapedType type : typesOf(y))
      if (!type.getElementType().isF32() && !type.getElementType().isBF16())
        return op.emitOpError()
               << "sums f32 or bf16, but has a result " << type;
  for (auto [from, to] : llvm::zip(typesOf(x), typesOf(y)))
    if (from.getElementType() != to.getElementType())
      return op.emitOpError() << "makes " << to << " of " << from
                              << ", but keeps the element type";
  return success();
}

LogicalResult CollectiveOp::verify() {
  const size_t numInputs =
      getKind() == CollectiveKind::AllReduce ? 0 : getY().size();
  if (getX().size() != numInputs)
    return emitOpError() << "of the kind '" << stringifyEnum(getKind())
                         << "' has " << getX().size() << " inputs for "
                         << getY().size() << " results";
  return verifyTypes(*this, getX(), getY());
}

LogicalResult CollectiveSequenceOp::verify() {
  if (getKind() == CollectiveKind::AllReduce ||
      getKind() == CollectiveKind::AllToAll)
    return emitOpError() << "is of the kind '" << stringifyEnum(getKind())
                         << "', which is tert.collective";
  return verifyTypes(*this, getX(), getY());
}

CollectiveKind CollectiveOp::getCollectiveKind() { return getKind(); }
CollectiveKind CollectiveSequenceOp::getCollectiveKind() { return getKind(); }
bool CollectiveOp::isAsync() { return getAsync(); }
bool CollectiveSequenceOp::isAsync() { return getAsync(); }

SmallVector<ShapedType> CollectiveOp::getWholes() {
  return typesOf(getKind() == CollectiveKind::ReduceScatter ? getX() : getY());
}
SmallVector<ShapedType> CollectiveSequenceOp::getWholes() {
  return typesOf(getKind() == CollectiveKind::ReduceScatter ? getX() : getY());
}

//===-- Collectives of scalars --------------------------------------------===//

CollectiveKind tert::ReduceScalarsOp::getCollectiveKind() {
  return CollectiveKind::ReduceScalars;
}
SmallVector<ShapedType> tert::ReduceScalarsOp::getWholes() {
  SmallVector<ShapedType> types = typesOf(getMaxima());
  llvm::append_range(types, typesOf(getSums()));
  return types;
}

/// Each rank's sum of squares, in float64.
CollectiveKind tert::ReduceNormOp::getCollectiveKind() {
  return CollectiveKind::ReduceScalars;
}
SmallVector<ShapedType> tert::ReduceNormOp::getWholes() {
  return {MemRefType::get({}, Float64Type::get(getContext()))};
}
