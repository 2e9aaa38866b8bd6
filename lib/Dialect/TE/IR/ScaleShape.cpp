// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/ScaleShape.h"

#include "tert/types.h"

using namespace mlir;
using namespace mlir::te;

std::optional<ScaleBlock> mlir::te::getScaleBlock(ArrayRef<int64_t> matrix,
                                                  ArrayRef<int64_t> scales) {
  if (scales.empty())
    return ScaleBlock{matrix[0], matrix[1]};
  ScaleBlock block{tert_scale_block(matrix[0], scales[0]),
                   tert_scale_block(matrix[1], scales[1])};
  if (block.rows == 0 || block.columns == 0)
    return std::nullopt;
  return block;
}

bool mlir::te::isOneScale(Value scale) {
  return cast<RankedTensorType>(scale.getType()).getRank() == 0;
}

static ParseResult parseOptionalType(OpAsmParser &parser, bool isGiven,
                                     Type &type) {
  if (isGiven)
    return parser.parseType(type);
  type = RankedTensorType::get({}, parser.getBuilder().getF32Type());
  return success();
}

static void printOptionalType(OpAsmPrinter &printer, StringRef prefix,
                              Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.getRank() != 0 || !tensor.getElementType().isF32())
    printer << prefix << type;
}

ParseResult mlir::te::parseScaleType(OpAsmParser &parser, Type &type) {
  return parseOptionalType(parser, succeeded(parser.parseOptionalKeyword("of")),
                           type);
}

void mlir::te::printScaleType(OpAsmPrinter &printer, Operation *, Type type) {
  printOptionalType(printer, " of ", type);
}

ParseResult mlir::te::parseScaleInvType(OpAsmParser &parser, Type &type,
                                        Type amax) {
  if (succeeded(parser.parseOptionalArrow()))
    return parser.parseType(type);
  type = amax;
  return success();
}

void mlir::te::printScaleInvType(OpAsmPrinter &printer, Operation *, Type type,
                                 Type amax) {
  if (type != amax)
    printer << " -> " << type;
}

ParseResult mlir::te::parseAmaxType(OpAsmParser &parser, Type &type) {
  return parseOptionalType(parser, succeeded(parser.parseOptionalArrow()),
                           type);
}

void mlir::te::printAmaxType(OpAsmPrinter &printer, Operation *, Type type) {
  printOptionalType(printer, " -> ", type);
}
