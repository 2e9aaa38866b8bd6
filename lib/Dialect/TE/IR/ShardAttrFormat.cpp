// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How #te.shard is written: what is nothing is left out.

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::te;

static ParseResult parseSizes(AsmParser &parser,
                              SmallVectorImpl<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(sizes.emplace_back());
  });
}

Attribute ShardAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, blocks;
  int32_t dimAxes = 0, flatAxes = 0;
  int64_t dim = 0;
  if (parser.parseLess() || parser.parseKeyword("shape") ||
      parser.parseEqual() || parseSizes(parser, shape))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return {};
    ParseResult parsed = failure();
    if (name == "dim_axes")
      parsed = parser.parseInteger(dimAxes);
    else if (name == "dim")
      parsed = parser.parseInteger(dim);
    else if (name == "blocks")
      parsed = parseSizes(parser, blocks);
    else if (name == "flat_axes")
      parsed = parser.parseInteger(flatAxes);
    else
      parser.emitError(at)
          << "expected dim_axes, dim, blocks or flat_axes, but "
             "found '"
          << name << "'";
    if (failed(parsed))
      return {};
  }
  if (parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(loc); };
  // The types are those of the function that is not a template, whose
  // definition is elsewhere.
  return ShardAttr::getChecked(
      llvm::function_ref<InFlightDiagnostic()>(emitError), parser.getContext(),
      ArrayRef<int64_t>(shape), dimAxes, dim, ArrayRef<int64_t>(blocks),
      flatAxes);
}

void ShardAttr::print(AsmPrinter &printer) const {
  auto printSizes = [&](StringRef name, ArrayRef<int64_t> sizes) {
    printer << name << " = [";
    llvm::interleaveComma(sizes, printer);
    printer << "]";
  };
  printer << "<";
  printSizes("shape", getShape());
  if (getDimAxes() != 0)
    printer << ", dim_axes = " << getDimAxes();
  if (getDim() != 0)
    printer << ", dim = " << getDim();
  if (!getBlocks().empty()) {
    printer << ", ";
    printSizes("blocks", getBlocks());
  }
  if (getFlatAxes() != 0)
    printer << ", flat_axes = " << getFlatAxes();
  printer << ">";
}
