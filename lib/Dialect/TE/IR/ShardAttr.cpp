// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

Attribute ShardAttr::parse(AsmParser &parser, Type) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, blocks;
  int64_t dim = 0;
  int32_t dimAxes = 0, flatAxes = 0;
  auto parseList = [&](SmallVectorImpl<int64_t> &list) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(list.emplace_back());
    });
  };
  if (parser.parseLess() || parser.parseKeyword("shape") ||
      parser.parseEqual() || parseList(shape))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    llvm::SMLoc place = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return {};
    ParseResult result = failure();
    if (name == "dim_axes")
      result = parser.parseInteger(dimAxes);
    else if (name == "dim")
      result = parser.parseInteger(dim);
    else if (name == "blocks")
      result = parseList(blocks);
    else if (name == "flat_axes")
      result = parser.parseInteger(flatAxes);
    else
      parser.emitError(place)
          << "expected dim_axes, dim, blocks or flat_axes, not '" << name
          << "'";
    if (result)
      return {};
  }
  if (parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(loc); };
  return ShardAttr::getChecked(function_ref<InFlightDiagnostic()>(emitError),
                               parser.getContext(), ArrayRef<int64_t>(shape),
                               dimAxes, dim, ArrayRef<int64_t>(blocks),
                               flatAxes);
}

void ShardAttr::print(AsmPrinter &printer) const {
  auto printList = [&](ArrayRef<int64_t> list) {
    printer << '[';
    llvm::interleaveComma(list, printer);
    printer << ']';
  };
  printer << "<shape = ";
  printList(getShape());
  if (getDimAxes())
    printer << ", dim_axes = " << getDimAxes();
  if (getDim())
    printer << ", dim = " << getDim();
  if (!getBlocks().empty()) {
    printer << ", blocks = ";
    printList(getBlocks());
  }
  if (getFlatAxes())
    printer << ", flat_axes = " << getFlatAxes();
  printer << '>';
}

LogicalResult ShardAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<int64_t> shape, int32_t dimAxes,
                                int64_t dim, ArrayRef<int64_t> blocks,
                                int32_t flatAxes) {
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return emitError() << "expects a shape of known sizes";
  if (dimAxes < 0 || flatAxes < 0 || (dimAxes & flatAxes))
    return emitError() << "expects dim_axes and flat_axes to be sets of axes, "
                          "bit a for axis a, that have none in common";
  if (!dimAxes) {
    if (dim != 0 || !blocks.empty())
      return emitError() << "expects dim_axes where a dimension is sharded";
    return success();
  }
  if (dim < 0 || dim >= int64_t(shape.size()))
    return emitError() << "expects dim to be one of the " << shape.size()
                       << " dimensions, but it is " << dim;
  if (blocks.empty())
    return success();
  int64_t rest = shape[dim];
  for (int64_t block : blocks) {
    if (block <= 0 || block > rest)
      return emitError() << "expects blocks that add up to the " << shape[dim]
                         << " of dimension " << dim;
    rest -= block;
  }
  if (rest != 0)
    return emitError() << "expects blocks that add up to the " << shape[dim]
                       << " of dimension " << dim;
  return success();
}
