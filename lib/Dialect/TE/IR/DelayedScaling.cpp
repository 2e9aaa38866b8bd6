// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The delayed-scaling recipe.

#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult
DelayedScalingAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                           int64_t history, AmaxAlgo algo, int64_t margin,
                           Fp8Format format) {
  if (history < 1)
    return emitError() << "expects a history of at least 1 amax, got "
                       << history;
  if (margin < 0 || margin > 64)
    return emitError()
           << "expects a margin between 0 and 64 powers of two, got " << margin;
  return success();
}

DictionaryAttr DelayedScalingAttr::getParameters() const {
  Builder builder(getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("history", builder.getI64IntegerAttr(getHistory())),
       builder.getNamedAttr(
           "algo", builder.getStringAttr(stringifyAmaxAlgo(getAlgo()))),
       builder.getNamedAttr("margin", builder.getI64IntegerAttr(getMargin())),
       builder.getNamedAttr(
           "format", builder.getStringAttr(stringifyFp8Format(getFormat())))});
}

Value DelayedScalingAttr::buildScale(OpBuilder &builder, Location loc,
                                     Value tensor, FloatType format,
                                     ArrayRef<int64_t> shape, bool transposed,
                                     ValueRange states, int64_t slot) const {
  return extractElement(builder, loc, states[0], slot);
}

Value DelayedScalingAttr::buildScaleInv(OpBuilder &builder, Location loc,
                                        Value scale, ValueRange states,
                                        int64_t slot) const {
  return extractElement(builder, loc, states[1], slot);
}

SmallVector<RecipeState> DelayedScalingAttr::getStates(int64_t slots) const {
  auto f32 = Float32Type::get(getContext());
  auto i64 = IntegerType::get(getContext(), 64);
  auto perSlot = RankedTensorType::get({slots}, f32);
  return {
      {"fp8.scales", "fp8_scale", perSlot, 1.0},
      {"fp8.scale_invs", "fp8_scale_inv", perSlot, 1.0},
      {"fp8.amax_history", "fp8_amax_history",
       RankedTensorType::get({getHistory(), slots}, f32), 0.0},
      {"fp8.nonfinite", "fp8_nonfinite", RankedTensorType::get({slots}, i64),
       0.0},
  };
}

SmallVector<Value> DelayedScalingAttr::buildUpdate(OpBuilder &builder,
                                                   Location loc,
                                                   ValueRange states,
                                                   ValueRange amaxes,
                                                   ArrayAttr formats) const {
  auto op = UpdateScalesOp::create(builder, loc, states.getTypes(), states[0],
                                   states[1], states[2], states[3], amaxes,
                                   *this, formats);
  return SmallVector<Value>(op->getResults());
}

std::optional<ScaleUpdate> DelayedScalingAttr::getUpdate(Operation *op) const {
  auto update = dyn_cast<UpdateScalesOp>(op);
  if (!update)
    return std::nullopt;
  return ScaleUpdate{{update.getScales(), update.getScaleInvs(),
                      update.getHistory(), update.getNonfinite()},
                     SmallVector<Value>(update->getResults()),
                     SmallVector<Value>(update.getAmaxes()),
                     update.getFormats()};
}

SmallVector<Value> DelayedScalingAttr::buildRecord(OpBuilder &builder,
                                                   Location loc,
                                                   ValueRange states,
                                                   ValueRange amaxes) const {
  SmallVector<Value> newStates(states);
  newStates[2] = RecordAmaxesOp::create(builder, loc, states[2].getType(),
                                        states[2], amaxes);
  return newStates;
}

std::optional<ScaleUpdate> DelayedScalingAttr::getRecord(Operation *op) const {
  auto record = dyn_cast<RecordAmaxesOp>(op);
  if (!record)
    return std::nullopt;
  return ScaleUpdate{{Value(), Value(), record.getHistory(), Value()},
                     {Value(), Value(), record.getNewHistory(), Value()},
                     SmallVector<Value>(record.getAmaxes()),
                     {}};
}

std::optional<unsigned> DelayedScalingAttr::getRecordState() const { return 2; }

std::pair<Value, Value>
DelayedScalingAttr::buildInitialScale(OpBuilder &builder, Location loc,
                                      Value amax, FloatType format) const {
  auto op = ComputeScaleOp::create(builder, loc, amax, format, getMargin());
  return {op.getScale(), op.getScaleInv()};
}

std::optional<InitialScale>
DelayedScalingAttr::getInitialScale(Value scale) const {
  auto compute = scale.getDefiningOp<ComputeScaleOp>();
  if (!compute)
    return std::nullopt;
  return InitialScale{compute.getAmax(), compute.getFormat(),
                      compute.getScale(), compute.getScaleInv()};
}
