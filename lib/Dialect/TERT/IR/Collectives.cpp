// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CollectiveOpInterface of the dialect's collectives.

#include "te/Dialect/TERT/IR/Collectives.h"

#include "te/Dialect/TERT/IR/TERT.h"

using namespace mlir;
using namespace mlir::te::tert;

#include "te/Dialect/TERT/IR/TERTCollectiveInterface.cpp.inc"

StringRef mlir::te::tert::getName(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllReduce:
    return "all_reduce";
  case CollectiveKind::ReduceScatter:
    return "reduce_scatter";
  case CollectiveKind::AllGather:
    return "all_gather";
  case CollectiveKind::ReduceScalars:
    return "reduce_scalars";
  }
  llvm_unreachable("all kinds are named");
}

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

template <typename Op> static SmallVector<Value> getFullTensors(Op op) {
  if constexpr (llvm::is_one_of<Op, AllReduceOp, StartAllReduceOp>::value)
    return op.getTensors();
  else if constexpr (llvm::is_one_of<Op, ReduceScatterSequenceOp,
                                     StartReduceScatterSequenceOp>::value)
    return {op.getX()};
  else if constexpr (llvm::is_one_of<Op, AllGatherSequenceOp,
                                     StartAllGatherSequenceOp>::value)
    return {op.getY()};
  else if constexpr (llvm::is_one_of<Op, ReduceScatterOp,
                                     StartReduceScatterOp>::value)
    return op.getX();
  else
    return op.getY();
}

namespace {
template <typename Op, CollectiveKind kind, bool begun = false>
struct Collective
    : CollectiveOpInterface::ExternalModel<Collective<Op, kind, begun>, Op> {
  CollectiveKind getCollectiveKind(Operation *) const { return kind; }
  int32_t getMeshAxes(Operation *op) const {
    return static_cast<int32_t>(cast<Op>(op).getAxes());
  }
  SmallVector<ShapedType> getWholes(Operation *op) const {
    return typesOf(getFullTensors(cast<Op>(op)));
  }
  bool isAsync(Operation *) const { return begun; }
};

struct ReduceScalarsCollective
    : CollectiveOpInterface::ExternalModel<ReduceScalarsCollective,
                                           ReduceScalarsOp> {
  CollectiveKind getCollectiveKind(Operation *) const {
    return CollectiveKind::ReduceScalars;
  }
  int32_t getMeshAxes(Operation *op) const {
    return static_cast<int32_t>(cast<ReduceScalarsOp>(op).getAxes());
  }
  SmallVector<ShapedType> getWholes(Operation *op) const {
    auto scalars = cast<ReduceScalarsOp>(op);
    SmallVector<ShapedType> types = typesOf(scalars.getMaxima());
    llvm::append_range(types, typesOf(scalars.getSums()));
    return types;
  }
  bool isAsync(Operation *) const { return false; }
};

/// Each rank's sum of squares, in float64.
struct ReduceNormCollective
    : CollectiveOpInterface::ExternalModel<ReduceNormCollective, ReduceNormOp> {
  CollectiveKind getCollectiveKind(Operation *) const {
    return CollectiveKind::ReduceScalars;
  }
  int32_t getMeshAxes(Operation *op) const {
    return static_cast<int32_t>(cast<ReduceNormOp>(op).getAxes());
  }
  SmallVector<ShapedType> getWholes(Operation *op) const {
    return {MemRefType::get({}, Float64Type::get(op->getContext()))};
  }
  bool isAsync(Operation *) const { return false; }
};

template <typename Op, CollectiveKind kind, bool begun = false>
void attach(MLIRContext *context) {
  Op::template attachInterface<Collective<Op, kind, begun>>(*context);
}
} // namespace

void mlir::te::tert::registerCollectiveOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TERTDialect *) {
    attach<AllReduceOp, CollectiveKind::AllReduce>(context);
    attach<StartAllReduceOp, CollectiveKind::AllReduce, true>(context);
    attach<ReduceScatterOp, CollectiveKind::ReduceScatter>(context);
    attach<StartReduceScatterOp, CollectiveKind::ReduceScatter, true>(context);
    attach<AllGatherOp, CollectiveKind::AllGather>(context);
    attach<StartAllGatherOp, CollectiveKind::AllGather, true>(context);
    attach<AllGatherSequenceOp, CollectiveKind::AllGather>(context);
    attach<StartAllGatherSequenceOp, CollectiveKind::AllGather, true>(context);
    attach<ReduceScatterSequenceOp, CollectiveKind::ReduceScatter>(context);
    attach<StartReduceScatterSequenceOp, CollectiveKind::ReduceScatter, true>(
        context);
    ReduceScalarsOp::attachInterface<ReduceScalarsCollective>(*context);
    ReduceNormOp::attachInterface<ReduceNormCollective>(*context);
  });
}
