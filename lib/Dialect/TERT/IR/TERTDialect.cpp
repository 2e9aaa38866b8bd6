// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TERT/IR/MemoryInterfaces.h"
#include "te/Dialect/TERT/IR/ViewOps.h"

#include "tert/ops.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::tert;

// Enumerations are passed as their numbers, so both sides must agree on them.
#define TE_SAME(ours, theirs)                                                  \
  static_assert(static_cast<int>(ours) == static_cast<int>(theirs),            \
                #ours " differs from " #theirs)
TE_SAME(ActivationKind::GeluErf, TERT_GELU_ERF);
TE_SAME(ActivationKind::GeluTanh, TERT_GELU_TANH);
TE_SAME(ActivationKind::QuickGelu, TERT_QUICK_GELU);
TE_SAME(ActivationKind::Relu, TERT_RELU);
TE_SAME(ActivationKind::SquaredRelu, TERT_SQUARED_RELU);
TE_SAME(ActivationKind::Silu, TERT_SILU);
TE_SAME(ActivationKind::Sigmoid, TERT_SIGMOID);
TE_SAME(ActivationKind::Tanh, TERT_TANH);
TE_SAME(getMaxEnumValForActivationKind(), TERT_TANH);
TE_SAME(AttentionLayout::BSHD, TERT_BSHD);
TE_SAME(AttentionLayout::BHSD, TERT_BHSD);
TE_SAME(AttentionLayout::SBHD, TERT_SBHD);
TE_SAME(getMaxEnumValForAttentionLayout(), TERT_SBHD);
TE_SAME(Reduction::Mean, TERT_MEAN);
TE_SAME(Reduction::Sum, TERT_SUM);
TE_SAME(getMaxEnumValForReduction(), TERT_SUM);
TE_SAME(AmaxAlgo::Max, TERT_AMAX_MAX);
TE_SAME(AmaxAlgo::MostRecent, TERT_AMAX_MOST_RECENT);
TE_SAME(getMaxEnumValForAmaxAlgo(), TERT_AMAX_MOST_RECENT);
TE_SAME(Accumulate::Fast, TERT_ACCUMULATE_FAST);
TE_SAME(Accumulate::Split, TERT_ACCUMULATE_SPLIT);
TE_SAME(getMaxEnumValForAccumulate(), TERT_ACCUMULATE_SPLIT);
TE_SAME(CollectiveKind::AllReduce, TERT_ALL_REDUCE);
TE_SAME(CollectiveKind::ReduceScatter, TERT_REDUCE_SCATTER);
TE_SAME(CollectiveKind::AllGather, TERT_ALL_GATHER);
TE_SAME(CollectiveKind::AllToAll, TERT_ALL_TO_ALL);
#undef TE_SAME

std::optional<int32_t> tert::getRuntimeDType(Type elementType) {
  if (elementType.isF32())
    return TERT_F32;
  if (elementType.isBF16())
    return TERT_BF16;
  if (isa<Float8E4M3FNType>(elementType))
    return TERT_F8E4M3;
  if (isa<Float8E5M2Type>(elementType))
    return TERT_F8E5M2;
  if (isa<Float8E8M0FNUType>(elementType))
    return TERT_F8E8M0;
  if (elementType.isInteger(64))
    return TERT_I64;
  if (elementType.isInteger(32))
    return TERT_I32;
  // A boolean takes a byte.
  if (elementType.isInteger(8) || elementType.isInteger(1))
    return TERT_U8;
  return std::nullopt;
}

/// Dimensions of size 1, and all of an empty tensor, may have any stride.
static bool hasRowMajorStrides(ArrayRef<int64_t> sizes,
                               ArrayRef<int64_t> strides) {
  int64_t expected = 1;
  for (auto [size, stride] : llvm::reverse(llvm::zip_equal(sizes, strides))) {
    if (size != 1 && stride != expected)
      return false;
    expected *= size;
  }
  return true;
}

bool LayoutRequirement::isMetBy(MemRefType type) const {
  ArrayRef<int64_t> sizes = type.getShape();
  // A tensor without elements is never accessed.
  if (llvm::is_contained(sizes, 0))
    return true;
  SmallVector<int64_t> rowStrides;
  int64_t offset;
  if (!type.hasStaticShape() ||
      failed(getStridesAndOffset(type, rowStrides, offset)) ||
      ShapedType::isDynamic(offset) ||
      llvm::any_of(rowStrides, ShapedType::isDynamic))
    return false;
  if (sizes.empty() || strides == Strides::Any)
    return true;
  if (strides == Strides::UnitInEither && sizes.size() == 2) {
    auto transposed =
        MemRefType::get({sizes[1], sizes[0]}, type.getElementType(),
                        StridedLayoutAttr::get(type.getContext(), offset,
                                               {rowStrides[1], rowStrides[0]}));
    if (LayoutRequirement{Strides::UnitInnermost, rowAlignment}.isMetBy(
            transposed))
      return true;
  }
  if (strides == Strides::Contiguous && !hasRowMajorStrides(sizes, rowStrides))
    return false;
  if (sizes.back() > 1 && rowStrides.back() != 1)
    return false;
  const int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  if (offset * bytes % rowAlignment)
    return false;
  for (auto [size, stride] :
       llvm::zip(sizes.drop_back(), ArrayRef(rowStrides).drop_back()))
    if (size > 1 &&
        (stride < sizes.back() || stride * bytes % rowAlignment != 0))
      return false;
  return true;
}

std::string LayoutRequirement::describe() const {
  std::string text = "any strides";
  if (strides == Strides::UnitInnermost)
    text = "dense rows (an innermost stride of 1)";
  if (strides == Strides::UnitInEither)
    text = "dense rows or columns (a stride of 1)";
  if (strides == Strides::Contiguous)
    text = "contiguous elements";
  if (rowAlignment > 1)
    text += " at multiples of " + std::to_string(rowAlignment) + " bytes";
  return text;
}

//===----------------------------------------------------------------------===//
// Shared by the generated definitions
//===----------------------------------------------------------------------===//

/// The index of the declared operand group that an operand belongs to.
template <typename Op>
static unsigned getOperandGroup(Op op, OpOperand &operand) {
  for (unsigned group = 0;; ++group) {
    auto [first, length] = op.getODSOperandIndexAndLength(group);
    if (operand.getOperandNumber() - first < length)
      return group;
  }
}

// The value of a property as the C parameter takes it. A unit attribute is a
// flag, and null when it is off; every other property is always present.
static Attribute constantParameter(Builder &builder, UnitAttr flag) {
  return builder.getI32IntegerAttr(flag ? 1 : 0);
}
static Attribute constantParameter(Builder &, IntegerAttr value) {
  return value;
}
static Attribute constantParameter(Builder &, FloatAttr value) { return value; }
static Attribute constantParameter(Builder &, StringAttr text) { return text; }
static Attribute constantParameter(Builder &, SymbolRefAttr kernel) {
  return kernel;
}
static Attribute constantParameter(Builder &builder, TypeAttr format) {
  return builder.getI32IntegerAttr(
      getRuntimeDType(format.getValue()).value_or(-1));
}
static Attribute constantParameter(Builder &builder, ArrayAttr formats) {
  SmallVector<int32_t> dtypes;
  for (TypeAttr format : formats.getAsRange<TypeAttr>())
    dtypes.push_back(getRuntimeDType(format.getValue()).value_or(-1));
  return builder.getDenseI32ArrayAttr(dtypes);
}
static Attribute constantParameter(Builder &, DenseI32ArrayAttr values) {
  return values;
}
/// For enumerations of the te dialect.
template <typename EnumAttrT>
static auto constantParameter(Builder &builder, EnumAttrT value)
    -> std::enable_if_t<std::is_enum_v<decltype(value.getValue())>, Attribute> {
  return builder.getI32IntegerAttr(static_cast<int32_t>(value.getValue()));
}

// A parameter of each kind, from its groups of operands.
static TensorParameter getTensorParameter(OperandRange tensor) {
  return {
      TensorParameter::Tensor, {tensor.empty() ? Value() : tensor.front()}, {}};
}
static TensorParameter getListParameter(OperandRange tensors) {
  return {TensorParameter::TensorList, llvm::to_vector<2>(tensors), {}};
}
static TensorParameter getScaledParameter(OperandRange data,
                                          OperandRange scaleInv) {
  return {TensorParameter::Scaled, {data.front(), scaleInv.front()}, {}};
}
static TensorParameter getQuantizedParameter(OperandRange scale,
                                             OperandRange rowwise,
                                             OperandRange columnwise,
                                             OperandRange amax) {
  auto get = [](OperandRange operand) {
    return operand.empty() ? Value() : operand.front();
  };
  return {TensorParameter::Quantized,
          {},
          {{get(scale), get(rowwise), get(columnwise), get(amax)}}};
}
static TensorParameter getOptionalQuantizedParameter(OperandRange scale,
                                                     OperandRange rowwise,
                                                     OperandRange columnwise,
                                                     OperandRange amax) {
  if (rowwise.empty() && columnwise.empty() && amax.empty())
    return {TensorParameter::Quantized, {}, {}};
  return getQuantizedParameter(scale, rowwise, columnwise, amax);
}
static TensorParameter
getBlockQuantizedParameter(OperandRange rowwise, OperandRange rowwiseScaleInv,
                           OperandRange columnwise,
                           OperandRange columnwiseScaleInv, OperandRange amax) {
  auto get = [](OperandRange operand) {
    return operand.empty() ? Value() : operand.front();
  };
  return {TensorParameter::Quantized,
          {},
          {{/*scale=*/{}, get(rowwise), get(columnwise), get(amax),
            get(rowwiseScaleInv), get(columnwiseScaleInv)}}};
}
static TensorParameter getQuantizedListParameter(OperandRange scales,
                                                 OperandRange rowwise,
                                                 OperandRange columnwise,
                                                 OperandRange amaxes,
                                                 ArrayRef<int32_t> copies) {
  TensorParameter parameter = {TensorParameter::QuantizedList, {}, {}};
  auto takeIf = [](OperandRange &list, bool wanted) {
    if (!wanted)
      return Value();
    Value first = list.front();
    list = list.drop_front();
    return first;
  };
  for (int32_t has : copies)
    parameter.quantized.push_back({takeIf(scales, has & (Rowwise | Columnwise)),
                                   takeIf(rowwise, has & Rowwise),
                                   takeIf(columnwise, has & Columnwise),
                                   takeIf(amaxes, has & Amax)});
  return parameter;
}

/// On memrefs a runtime call reads its inputs and writes its inits; on tensors
/// it has no effect.
static void getRuntimeCallEffects(
    Operation *op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  auto destinationStyle = cast<DestinationStyleOpInterface>(op);
  auto call = cast<RuntimeCallOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isInit = destinationStyle.isDpsInit(&operand);
    if (!isInit || call.readsInit(operand))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isInit)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

/// Result types are not printed: on tensors there is one result per output, of
/// its type.
static void appendTiedResults(SmallVectorImpl<Type> &types, Type output) {
  if (isa_and_present<RankedTensorType>(output))
    types.push_back(output);
}
static void appendTiedResults(SmallVectorImpl<Type> &types, TypeRange outputs) {
  for (Type output : outputs)
    appendTiedResults(types, output);
}
template <typename... OutputTypes>
static ParseResult parseTiedResults(OpAsmParser &, SmallVectorImpl<Type> &types,
                                    const OutputTypes &...outputs) {
  (appendTiedResults(types, outputs), ...);
  return success();
}
template <typename... OutputTypes>
static void printTiedResults(OpAsmPrinter &, Operation *, TypeRange,
                             const OutputTypes &...) {}

#include "te/Dialect/TERT/IR/TERTDialect.cpp.inc"
#include "te/Dialect/TERT/IR/TERTInterfaces.cpp.inc"
#include "te/Dialect/TERT/IR/TERTMemoryInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "te/Dialect/TERT/IR/TERTOps.cpp.inc"

LogicalResult QuantizeJoinedOp::verify() {
  if (getX().empty() || getX().size() > TERT_MAX_JOINED)
    return emitOpError() << "joins " << getX().size()
                         << " matrices; expects 1 to " << TERT_MAX_JOINED;
  auto columnsOf = [](Type type) {
    auto shaped = cast<ShapedType>(type);
    return shaped.hasRank() && shaped.getRank() == 2
               ? std::optional<int64_t>(shaped.getDimSize(1))
               : std::nullopt;
  };
  Type first = getX().front().getType();
  for (Type type : getX().getTypes())
    if (!columnsOf(type) || columnsOf(type) != columnsOf(first) ||
        getElementTypeOrSelf(type) != getElementTypeOrSelf(first))
      return emitOpError() << "joins " << first << " and " << type
                           << "; expects matrices of one element type and "
                              "number of columns";
  return success();
}

LogicalResult MultiCopyOp::verify() {
  if (getX().size() != getY().size())
    return emitOpError() << "has " << getY().size() << " entries in 'y' for "
                         << getX().size() << " in 'x'";
  return success();
}

void TERTDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "te/Dialect/TERT/IR/TERTOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "te/Dialect/TERT/IR/TERTViewOps.cpp.inc"
      >();
}
