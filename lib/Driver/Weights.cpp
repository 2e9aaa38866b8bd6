// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Weights.h"

#include "support/Safetensors.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::te;
using tert::session::Digest;
using tert::session::DType;
using tert::session::Error;
using tert::session::SafetensorsFile;
using tert::session::SafetensorsWriter;

static DType toFileDType(Type element) {
  return element.isBF16()        ? DType::BF16
         : element.isInteger(64) ? DType::I64
         : element.isInteger(8)  ? DType::U8
                                 : DType::F32;
}

LogicalResult mlir::te::findWeights(MLIRContext &context, StringRef path,
                                    std::vector<ParameterData> &parameters) {
  auto error = [&] {
    return emitError(UnknownLoc::get(&context)) << "--weights: ";
  };
  auto file = SafetensorsFile::open(path.str());
  if (!file)
    return error() << file.takeError().message();
  if (!file->matchesChecksum())
    return error() << "'" << path
                   << "' is damaged: its checksum is another one";
  SmallString<128> absolute(path);
  if (llvm::sys::fs::make_absolute(absolute))
    return error() << "cannot find the folder of '" << path << "'";
  bool found = false;
  for (ParameterData &parameter : parameters) {
    const tert::session::TensorView *view = file->find(parameter.name);
    if (!view)
      continue;
    DType dtype = toFileDType(parameter.type.getElementType());
    if (!llvm::equal(view->shape, parameter.type.getShape()) ||
        view->dtype != dtype)
      return error() << "'" << path << "' has '" << parameter.name << "' as "
                     << nameOf(view->dtype).data() << " "
                     << tert::session::toString(view->shape)
                     << ", and the model as " << parameter.type;
    parameter.kind = ParameterData::Kind::External;
    parameter.bytes.clear();
    parameter.path = absolute.str().str();
    parameter.offset = view->data - file->header().data();
    parameter.length = view->bytes;
    found = true;
  }
  if (!found && !parameters.empty())
    emitWarning(UnknownLoc::get(&context))
        << "--weights: '" << path << "' has no parameter of the model, '"
        << parameters.front().name << "' for example";
  return success();
}

/// Appends one parameter's values, rounded to `to` where they are wider.
static Error appendValues(SafetensorsWriter &writer,
                          const ParameterData &parameter, DType to,
                          StringRef bytes) {
  DType from = toFileDType(parameter.type.getElementType());
  if (from == to)
    return writer.append(bytes.data(), bytes.size());
  constexpr size_t chunk = size_t(1) << 20; // elements
  size_t count = bytes.size() / sizeOf(from);
  std::vector<char> converted(std::min(chunk, count) * sizeOf(to));
  for (size_t first = 0; first < count; first += chunk) {
    size_t size = std::min(chunk, count - first);
    if (Error error =
            convertRounded(from, bytes.data() + first * sizeOf(from), to,
                           converted.data(), static_cast<int64_t>(size)))
      return error;
    if (Error error = writer.append(converted.data(), size * sizeOf(to)))
      return error;
  }
  return Error::success();
}

static Error appendParameter(SafetensorsWriter &writer,
                             const ParameterData &parameter, DType to) {
  if (parameter.kind == ParameterData::Kind::Inline)
    return appendValues(writer, parameter, to, parameter.bytes);
  auto file = llvm::MemoryBuffer::getFileSlice(parameter.path, parameter.length,
                                               parameter.offset);
  if (!file)
    return Error("cannot read '" + parameter.path +
                 "': " + file.getError().message());
  return appendValues(writer, parameter, to, (*file)->getBuffer());
}

FailureOr<std::optional<WeightsFile>>
mlir::te::writeWeights(Location loc, const ImportedModel &model,
                       const ParameterTypes &types, StringRef path) {
  std::vector<SafetensorsWriter::Entry> entries;
  std::vector<const ParameterData *> present;
  for (const ParameterData &parameter :
       llvm::concat<const ParameterData>(model.parameters, model.buffers)) {
    if (parameter.kind == ParameterData::Kind::Absent)
      continue;
    Type element = types.lookup(parameter.name);
    entries.push_back(
        {parameter.name,
         toFileDType(element ? element : parameter.type.getElementType()),
         {parameter.type.getShape().begin(), parameter.type.getShape().end()}});
    present.push_back(&parameter);
  }
  if (entries.empty())
    return std::optional<WeightsFile>();
  auto writer = SafetensorsWriter::create(
      path.str(), entries,
      {{"format", kWeightsFormat},
       {SafetensorsWriter::checksumKey, Digest::placeholder()}});
  if (!writer)
    return emitError(loc) << writer.takeError().message();
  for (size_t index : writer->order())
    if (Error error =
            appendParameter(*writer, *present[index], entries[index].dtype))
      return emitError(loc) << "parameter '" << present[index]->name
                            << "': " << error.message();
  std::string checksum = writer->checksum();
  auto file = std::move(*writer).finish();
  if (!file)
    return emitError(loc) << file.takeError().message();
  return std::optional<WeightsFile>({std::move(*file), std::move(checksum)});
}
