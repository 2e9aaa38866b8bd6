// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Weights.h"

#include "session/Safetensors.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::te;
using tert::session::Error;
using tert::session::SafetensorsWriter;

/// Appends one parameter's bytes.
static Error appendParameter(SafetensorsWriter &writer,
                             const ParameterData &parameter) {
  if (parameter.kind == ParameterData::Kind::Inline)
    return writer.append(parameter.bytes.data(), parameter.bytes.size());
  auto file = llvm::MemoryBuffer::getFileSlice(parameter.path, parameter.length,
                                               parameter.offset);
  if (!file)
    return Error("cannot read '" + parameter.path +
                 "': " + file.getError().message());
  return writer.append((*file)->getBufferStart(), (*file)->getBufferSize());
}

LogicalResult mlir::te::writeWeights(Location loc,
                                     ArrayRef<ParameterData> parameters,
                                     StringRef path) {
  std::vector<SafetensorsWriter::Entry> entries;
  std::vector<const ParameterData *> present;
  for (const ParameterData &parameter : parameters) {
    if (parameter.kind == ParameterData::Kind::Absent)
      continue;
    bool bf16 = parameter.type.getElementType().isBF16();
    entries.push_back(
        {parameter.name,
         bf16 ? tert::session::DType::BF16 : tert::session::DType::F32,
         {parameter.type.getShape().begin(), parameter.type.getShape().end()}});
    present.push_back(&parameter);
  }
  if (entries.empty())
    return success();
  auto writer = SafetensorsWriter::create(path.str(), entries,
                                          {{"format", "te-mlir parameters"}});
  if (!writer)
    return emitError(loc) << writer.takeError().message();
  for (size_t index : writer->order())
    if (Error error = appendParameter(*writer, *present[index]))
      return emitError(loc) << "parameter '" << present[index]->name
                            << "': " << error.message();
  if (Error error = writer->commit())
    return emitError(loc) << error.message();
  return success();
}
