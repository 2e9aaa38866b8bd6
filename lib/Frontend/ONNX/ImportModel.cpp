// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model around the graph: versions, inputs and initializers.

#include "GraphImporter.h"
#include "ParameterMetadata.h"
#include "TensorMath.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;
using ::onnx::TensorProto;

static constexpr int64_t kMinOpset = 17, kMaxOpset = 25;
/// The supported way to export, appended to messages about models that were
/// exported otherwise.
static constexpr StringLiteral kExportAdvice =
    "export with torch.onnx.export(model, args, dynamo=True, optimize=False, "
    "dynamic_shapes=None)";

LogicalResult GraphImporter::checkModel() {
  int64_t opset = -1;
  for (const ::onnx::OperatorSetIdProto &import : model.opset_import())
    if (import.domain().empty() || import.domain() == "ai.onnx") {
      if (opset >= 0 && opset != import.version())
        return emitError(fileLoc)
               << "the model uses two versions of ONNX's operators, " << opset
               << " and " << import.version()
               << ", so what its nodes mean is not certain; export it again";
      opset = import.version();
    }
  if (opset < kMinOpset || opset > kMaxOpset)
    return emitError(fileLoc)
           << "the model uses "
           << (opset < 0 ? std::string("no version")
                         : "version " + std::to_string(opset))
           << " of ONNX's operators; versions " << kMinOpset << " to "
           << kMaxOpset << " are supported: export with opset_version=23";
  if (model.functions_size() > 0) {
    auto diag = emitError(fileLoc)
                << "the model defines functions of its own (";
    llvm::interleaveComma(
        llvm::seq(0, std::min(model.functions_size(), 3)), diag,
        [&](int i) { diag << "'" << model.functions(i).name() << "'"; });
    return diag << (model.functions_size() > 3 ? ", ...)" : ")")
                << ", which is not supported; inline them, for example with "
                   "onnx.inliner.inline_local_functions";
  }
  if (graph.sparse_initializer_size() > 0)
    return emitError(fileLoc)
           << "the model has sparse initializers, which are not supported";
  if (graph.node_size() == 0)
    return emitError(fileLoc) << "the model's graph has no nodes";
  result.properties.emplace_back("format", "onnx");
  result.properties.emplace_back("opset", std::to_string(opset));
  result.properties.emplace_back("ir_version",
                                 std::to_string(model.ir_version()));
  if (!model.producer_name().empty())
    result.properties.emplace_back("producer", model.producer_name() + " " +
                                                   model.producer_version());
  return success();
}

/// The static shape of a graph input; dynamic dimensions are collected in
/// `dynamic`.
static FailureOr<Shape> getInputShape(const ::onnx::ValueInfoProto &input,
                                      std::string &dynamic) {
  Shape shape;
  for (auto [i, dim] :
       llvm::enumerate(input.type().tensor_type().shape().dim())) {
    if (dim.has_dim_value() && dim.dim_value() > 0) {
      shape.push_back(dim.dim_value());
      continue;
    }
    dynamic += dynamic.empty() ? "" : ", ";
    dynamic += std::to_string(i);
    if (!dim.dim_param().empty())
      dynamic += " ('" + dim.dim_param() + "')";
  }
  return shape;
}

LogicalResult GraphImporter::importInputs() {
  llvm::StringSet<> initialized;
  for (const TensorProto &initializer : graph.initializer())
    initialized.insert(initializer.name());
  LogicalResult valid = success();
  for (const ::onnx::ValueInfoProto &input : graph.input()) {
    if (initialized.contains(input.name()))
      continue;
    auto error = [&]() {
      valid = failure();
      return emitError(fileLoc)
             << "the graph's input '" << input.name() << "' ";
    };
    if (input.name().empty() || find(input.name())) {
      error() << "has no name, or one that is used twice";
      continue;
    }
    if (!input.type().has_tensor_type() ||
        !input.type().tensor_type().has_shape()) {
      error() << "is not a tensor of known rank; " << kExportAdvice;
      continue;
    }
    std::string dynamic;
    auto shape = getInputShape(input, dynamic);
    if (!dynamic.empty()) {
      error() << "has dynamic dimensions: " << dynamic
              << "; shapes must be fixed: " << kExportAdvice
              << " and example inputs of the batch size and sequence length to "
                 "train with";
      continue;
    }
    int32_t elementType = input.type().tensor_type().elem_type();
    Type element = getElementType(elementType, builder.getContext());
    if (!element) {
      error() << "has element type " << getElementTypeName(elementType)
              << ", which is not supported; export in float32 or bfloat16, and "
                 "integers as int64 or int32";
      continue;
    }
    if (!countElements(*shape)) {
      error() << "has a shape that is too large";
      continue;
    }
    SmallVector<NamedAttribute> attributes{
        builder.getNamedAttr(kInputAttr, builder.getStringAttr(input.name()))};
    // Entries have no boolean arguments: a boolean is passed as 0 or 1.
    const bool isTruth = element.isInteger(1);
    if (isTruth) {
      element = builder.getI32Type();
      attributes.push_back(builder.getNamedAttr(
          kRangeAttr, builder.getDenseI64ArrayAttr({0, 2})));
    }
    (void)function.insertArgument(
        numInputs, RankedTensorType::get(*shape, element),
        builder.getDictionaryAttr(attributes), fileLoc);
    Value value = body->getArgument(numInputs);
    if (isTruth)
      value = TensorMath(*this, fileLoc).convert(value, builder.getI1Type());
    defineName(input.name(), value);
    ++numInputs;
  }
  return valid;
}

/// A buffer, with all of its values.
static ParameterData makeBuffer(StringRef name, const ConstantTensor &constant,
                                Builder &builder) {
  ParameterData buffer;
  buffer.name = name.str();
  buffer.kind = ParameterData::Kind::Inline;
  auto take = [&](const auto &values, Type element) {
    buffer.type = RankedTensorType::get(constant.getShape(), element);
    buffer.bytes.assign(reinterpret_cast<const char *>(values.data()),
                        values.size() * sizeof(values[0]));
  };
  if (constant.isFloat())
    take(constant.toVector<float>(), builder.getF32Type());
  else if (constant.isInt())
    take(constant.toVector<int64_t>(), builder.getI64Type());
  else
    take(constant.toVector<uint8_t>(), builder.getI8Type());
  return buffer;
}

LogicalResult GraphImporter::importInitializers() {
  const llvm::StringSet<> buffers = getBufferNames(model, fileLoc);
  // A missing or wrong data file makes every parameter wrong.
  constexpr int kErrorsShown = 5;
  int errors = 0;
  for (TensorProto &initializer : *graph.mutable_initializer()) {
    StringRef name = initializer.name();
    if (errors == kErrorsShown)
      return emitError(fileLoc) << "too many errors in initializers";
    auto error = [&]() {
      ++errors;
      return emitError(fileLoc) << "the initializer '" << name << "' ";
    };
    if (name.empty() || find(name)) {
      error() << "has no name, or one that is used twice";
      continue;
    }
    Shape shape(initializer.dims().begin(), initializer.dims().end());
    std::optional<int64_t> count = countElements(shape);
    if (!count) {
      error() << "has a shape that is negative or too large";
      continue;
    }
    std::string reason;
    int32_t type = initializer.data_type();
    Type element = getElementType(type, builder.getContext());
    bool isFloat = element && isa<FloatType>(element);
    if (!isFloat &&
        (type == TensorProto::FLOAT16 || type == TensorProto::DOUBLE) &&
        !shape.empty()) {
      error() << "has elements of type " << getElementTypeName(type)
              << "; parameters are FLOAT or BFLOAT16: export the model in "
                 "float32, the compiler chooses the precision of computation";
      continue;
    }
    // Scalars are constants of the graph, unless the model declares them as
    // trained.
    bool isNumber = shape.empty() && !signature.parameters.contains(name);
    const bool isBuffer = buffers.contains(name);
    // A tensor without elements cannot be trained.
    if (!isFloat || isNumber || *count == 0 || isBuffer ||
        signature.buffers.contains(name)) {
      auto constant = reader.readConstant(initializer, reason);
      if (failed(constant)) {
        error() << reason;
        continue;
      }
      if (isBuffer)
        result.buffers.push_back(makeBuffer(name, *constant, builder));
      defineName(name, std::move(*constant));
      continue;
    }
    ParameterData parameter;
    parameter.name = name.str();
    parameter.type = RankedTensorType::get(shape, element);
    if (failed(reader.readParameter(initializer, parameter, reason))) {
      error() << reason;
      continue;
    }
    SmallVector<NamedAttribute> attributes{builder.getNamedAttr(
        kParamAttr, builder.getStringAttr(parameter.name))};
    if (parameter.kind != ParameterData::Kind::Absent)
      attributes.push_back(
          builder.getNamedAttr(kInitAttr, builder.getStringAttr("data")));
    unsigned number = body->getNumArguments();
    (void)function.insertArgument(
        number, parameter.type, builder.getDictionaryAttr(attributes), fileLoc);
    defineName(name, Value(body->getArgument(number)));
    result.parameters.push_back(std::move(parameter));
  }
  return success(errors == 0);
}
