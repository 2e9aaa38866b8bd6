// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CollectiveOpInterface of the dialect's exchanges.

#include "te/Dialect/TERT/IR/Collectives.h"

#include "te/Dialect/TERT/IR/ExchangeOps.h"

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

bool mlir::te::tert::exchangesAmongRanks(Operation *op) {
  return isa<CollectiveOpInterface>(op) ||
         (isa<RuntimeCallOpInterface>(op) &&
          isa_and_present<IntegerAttr>(
              op->getInherentAttr("axes").value_or(Attribute())));
}

static SmallVector<Value> wholesOf(AllReduceOp op) { return op.getTensors(); }
static SmallVector<Value> wholesOf(StartAllReduceOp op) {
  return op.getTensors();
}
static SmallVector<Value> wholesOf(ReduceScatterOp op) { return op.getX(); }
static SmallVector<Value> wholesOf(AllGatherOp op) { return op.getY(); }
static SmallVector<Value> wholesOf(ReduceScalarsOp op) {
  SmallVector<Value> scalars = op.getMaxima();
  llvm::append_range(scalars, op.getSums());
  return scalars;
}

namespace {
template <typename Op, CollectiveKind kind, bool begun = false>
struct Collective
    : CollectiveOpInterface::ExternalModel<Collective<Op, kind, begun>, Op> {
  CollectiveKind getCollectiveKind(Operation *) const { return kind; }
  int32_t getMeshAxes(Operation *op) const {
    return static_cast<int32_t>(cast<Op>(op).getAxes());
  }
  SmallVector<Value> getWholes(Operation *op) const {
    return wholesOf(cast<Op>(op));
  }
  bool isBegun(Operation *) const { return begun; }
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
    attach<AllGatherOp, CollectiveKind::AllGather>(context);
    attach<ReduceScalarsOp, CollectiveKind::ReduceScalars>(context);
  });
}
