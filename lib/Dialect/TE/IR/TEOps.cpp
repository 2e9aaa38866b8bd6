// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated classes of the ops, and the directives of their assembly
// format.

#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/ScaleShape.h"

using namespace mlir;
using namespace mlir::te;

// The states, old and new, have the parameter's shape, and are float32 unless
// `states(bf16, bf16)` says another type. Scales follow from that.
static ParseResult
parseStateTypes(OpAsmParser &parser, Type param,
                ArrayRef<OpAsmParser::UnresolvedOperand> states,
                ArrayRef<OpAsmParser::UnresolvedOperand> scales,
                SmallVectorImpl<Type> &types, SmallVectorImpl<Type> &newTypes,
                SmallVectorImpl<Type> &scaleTypes,
                SmallVectorImpl<Type> &newScaleTypes) {
  auto tensor = dyn_cast<RankedTensorType>(param);
  types.assign(states.size(),
               tensor ? tensor.clone(parser.getBuilder().getF32Type()) : param);
  if (succeeded(parser.parseOptionalKeyword("states"))) {
    llvm::SMLoc loc = parser.getCurrentLocation();
    SmallVector<Type> elements;
    if (parser.parseLParen() || parser.parseTypeList(elements) ||
        parser.parseRParen())
      return failure();
    if (elements.size() != states.size())
      return parser.emitError(loc)
             << "expected element types of " << states.size() << " states, got "
             << elements.size();
    for (auto [type, element] : llvm::zip_equal(types, elements)) {
      if (!tensor || !isa<FloatType>(element))
        return parser.emitError(loc) << "expected element types of floats";
      type = tensor.clone(element);
    }
  }
  newTypes.assign(types.begin(), types.end());
  if (!scales.empty()) {
    if (!tensor || tensor.getRank() < 2)
      return parser.emitError(parser.getCurrentLocation())
             << "states with scales have rows, but " << param << " has none";
    scaleTypes.assign(scales.size(), getStateScaleType(tensor));
    newScaleTypes = scaleTypes;
  }
  return success();
}

static void printStateTypes(OpAsmPrinter &printer, UpdateOp, Type, OperandRange,
                            OperandRange, TypeRange types, TypeRange, TypeRange,
                            TypeRange) {
  if (llvm::all_of(
          types, [](Type type) { return getElementTypeOrSelf(type).isF32(); }))
    return;
  printer << "states(";
  llvm::interleaveComma(types, printer, [&](Type type) {
    printer << getElementTypeOrSelf(type);
  });
  printer << ")";
}

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TEOps.cpp.inc"

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TECollectiveOps.cpp.inc"

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TELayerOps.cpp.inc"
