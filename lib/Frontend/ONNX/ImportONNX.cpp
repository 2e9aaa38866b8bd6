// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Frontend/ONNX/ImportONNX.h"

#include "GraphImporter.h"

#include "te/Support/ReadFile.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

void mlir::te::registerONNXImportDialects(DialectRegistry &registry) {
  registry.insert<TEDialect, arith::ArithDialect, func::FuncDialect,
                  linalg::LinalgDialect, math::MathDialect,
                  tensor::TensorDialect>();
}

bool mlir::te::looksLikeONNX(llvm::MemoryBufferRef buffer) {
  // Serializers write ModelProto's fields in order: ir_version (field 1, a
  // small varint), then one of the strings, the graph or the operator sets.
  // MLIR's text does not start with a control character, nor its bytecode.
  StringRef bytes = buffer.getBuffer();
  if (bytes.size() < 2 || bytes[0] != 0x08 || bytes[1] < 1 || bytes[1] > 0x7f)
    return false;
  if (bytes.size() == 2)
    return true;
  constexpr int kVarint = 0, kLengthDelimited = 2;
  int field = uint8_t(bytes[2]) >> 3, wireType = uint8_t(bytes[2]) & 7;
  bool isVersion = field == 5 && wireType == kVarint;
  bool isMessage =
      field >= 2 && field != 5 && field <= 8 && wireType == kLengthDelimited;
  bool isMetadata = field == 14 && wireType == kLengthDelimited;
  return isVersion || isMessage || isMetadata;
}

FailureOr<ImportedModel> mlir::te::importONNX(llvm::MemoryBufferRef buffer,
                                              MLIRContext *context,
                                              const ImportOptions &options) {
  DialectRegistry registry;
  registerONNXImportDialects(registry);
  context->appendDialectRegistry(registry);
  context->loadAllAvailableDialects();

  StringRef path = buffer.getBufferIdentifier();
  Location fileLoc = FileLineColLoc::get(context, path, 0, 0);
  if (buffer.getBufferSize() > size_t(INT32_MAX))
    return emitError(fileLoc)
           << "the file is larger than 2 GiB, which no ONNX model can be; keep "
              "parameters in external data";
  ::onnx::ModelProto model;
  bool parsed;
  {
    // Suppresses protobuf's own messages on stderr; the diagnostic below
    // replaces them.
    google::protobuf::LogSilencer silence;
    google::protobuf::io::CodedInputStream stream(
        reinterpret_cast<const uint8_t *>(buffer.getBufferStart()),
        int(buffer.getBufferSize()));
    parsed =
        model.ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
  }
  if (!parsed)
    return emitError(fileLoc)
           << "the file is not a complete ONNX model: it is truncated or "
              "damaged";
  if (!model.has_graph())
    return emitError(fileLoc) << "the file holds an ONNX model without a graph";
  StringRef folder = llvm::sys::path::parent_path(path);
  return GraphImporter(model, folder.empty() ? "." : folder, fileLoc, options)
      .import();
}

FailureOr<ImportedModel> mlir::te::importONNX(StringRef path,
                                              MLIRContext *context,
                                              const ImportOptions &options) {
  auto buffer = readFile(path, kMostModelBytes);
  if (!buffer)
    return emitError(FileLineColLoc::get(context, path, 0, 0))
           << llvm::toString(buffer.takeError());
  return importONNX((*buffer)->getMemBufferRef(), context, options);
}
