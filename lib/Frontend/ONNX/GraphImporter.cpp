// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphImporter.h"
#include "ImportDropout.h"
#include "LinearMap.h"
#include "OperandRules.h"
#include "ParameterMetadata.h"
#include "TensorMath.h"

#include "te/Dialect/TE/Transforms/Linalg/ConstantEvaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

HandlerTable onnx_import::getHandlerTable() {
  HandlerTable handlers;
  populateElementwiseHandlers(handlers);
  populatePointwiseHandlers(handlers);
  populateReductionHandlers(handlers);
  populateLinearHandlers(handlers);
  populateShapeHandlers(handlers);
  populateDropoutHandlers(handlers);
  populateAttentionHandlers(handlers);
  populateConversionHandlers(handlers);
  populateSelectionHandlers(handlers);
  populateScatterHandlers(handlers);
  populateOrderHandlers(handlers);
  populateConvolutionHandlers(handlers);
  populateNormHandlers(handlers);
  populateRotaryHandlers(handlers);
  populateLossHandlers(handlers);
  populateFourierHandlers(handlers);
  populateResizeHandlers(handlers);
  return handlers;
}

Handler onnx_import::withValue(ValueHandler handler) {
  return [=](GraphImporter &importer, const Node &node) -> LogicalResult {
    Value value = importer.getValue(node, 0);
    return value ? handler(importer, node, value) : failure();
  };
}

Handler onnx_import::withFloats(ValueHandler handler) {
  return [=](GraphImporter &importer, const Node &node) -> LogicalResult {
    Value value = importer.getFloats(node, 0);
    return value ? handler(importer, node, value) : failure();
  };
}

HandlerTable onnx_import::getFoldTable() {
  HandlerTable folds;
  populateElementwiseFolds(folds);
  populateIndexingFolds(folds);
  return folds;
}

GraphImporter::GraphImporter(::onnx::ModelProto &model, StringRef folder,
                             Location fileLoc, const ImportOptions &options)
    : TensorBuilder(fileLoc.getContext(), options.maxConstantBytes),
      model(model), graph(*model.mutable_graph()), fileLoc(fileLoc),
      options(options), reader(folder, options.maxConstantBytes),
      signature(getGraphSignature(graph)), handlers(getHandlerTable()),
      folds(getFoldTable()) {}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

const GraphImporter::Definition *GraphImporter::find(StringRef name) const {
  auto it = definitions.find(name);
  return it == definitions.end() ? nullptr : &it->second;
}

void GraphImporter::defineName(StringRef name, Definition definition) {
  if (!name.empty())
    definitions[name] = std::move(definition);
}

void GraphImporter::defineAt(const Node &node, size_t output, Value value) {
  if (output < node.getNumOutputs())
    defineName(node.getProto().output(output), value);
}

void GraphImporter::defineAt(const Node &node, size_t output,
                             ConstantTensor value) {
  if (output < node.getNumOutputs())
    defineName(node.getProto().output(output), std::move(value));
}

void GraphImporter::defineSequence(const Node &node,
                                   SmallVector<Value> pieces) {
  if (node.getNumOutputs() > 0)
    defineName(node.getProto().output(0), std::move(pieces));
}

LogicalResult GraphImporter::unsupported(const Node &node,
                                         const Twine &reason) {
  StringRef domain = node.getProto().domain();
  std::string what = domain.empty() ? node.getOpType().str()
                                    : (domain + "::" + node.getOpType()).str();
  problems.add(what, reason.str(), node.getName(), node.getLoc());
  return failure();
}

Value GraphImporter::getValue(const Node &node, size_t index) {
  const Definition *definition = find(node.getInput(index));
  if (definition) {
    if (auto *value = std::get_if<Value>(definition))
      return *value;
    if (auto *constant = std::get_if<ConstantTensor>(definition)) {
      if (Value value = materialize(node.getLoc(), *constant))
        return value;
      (void)(constant->getNumElements() == 0
                 ? unsupported(node,
                               "input " + Twine(index) + " has no elements")
                 : notComputable(node, index));
      return {};
    }
  }
  (void)unsupported(node,
                    "input " + Twine(index) + " is missing or not a tensor");
  return {};
}

Value GraphImporter::getFloats(const Node &node, size_t index) {
  Value value = getValue(node, index);
  if (value && !isFloat(value)) {
    (void)unsupported(node, "its input is not made of floats");
    return {};
  }
  return value;
}

const ConstantTensor *GraphImporter::getConstant(const Node &node,
                                                 size_t index) const {
  const Definition *definition = find(node.getInput(index));
  return definition ? std::get_if<ConstantTensor>(definition) : nullptr;
}

FailureOr<SmallVector<int64_t>> GraphImporter::getInts(const Node &node,
                                                       size_t index) {
  // Axes, sizes and positions: no tensor has as many dimensions.
  constexpr int64_t kMostInts = 4096;
  const ConstantTensor *constant = getConstant(node, index);
  std::string input = ("input " + Twine(index)).str();
  if (!constant)
    return unsupported(node, input + " depends on the model's inputs or "
                                     "parameters; only fixed values can be "
                                     "compiled");
  if (!constant->isInt())
    return unsupported(node, input + " is not made of integers");
  if (constant->getNumElements() > kMostInts)
    return unsupported(node, input + " has more than " + Twine(kMostInts) +
                                 " elements");
  return constant->toInts();
}

FailureOr<int64_t> GraphImporter::checkConstantSize(const Node &node,
                                                    ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = countElements(shape);
  if (!count || *count > maxConstantBytes / int64_t(sizeof(Number)))
    return unsupported(node, "the constant it computes takes more than " +
                                 Twine(maxConstantBytes) + " bytes");
  return *count;
}

const SmallVector<Value> *GraphImporter::getSequence(const Node &node,
                                                     size_t index) const {
  const Definition *definition = find(node.getInput(index));
  return definition ? std::get_if<SmallVector<Value>>(definition) : nullptr;
}

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

Value GraphImporter::materialize(Location loc, const ConstantTensor &constant) {
  auto getType = isFolding ? getConstantType : getElementType;
  return TensorBuilder::materialize(
      loc, constant, getType(constant.getElementType(), builder.getContext()));
}

StringRef GraphImporter::getParameterName(Value value) const {
  return frontend::getParameterName(value, function);
}

Location GraphImporter::getLayerLoc(const Node &node, Value weight) const {
  if (!node.getModulePath().empty())
    return node.getLoc();
  StringRef layer = getParameterName(weight).rsplit('.').first;
  if (layer.empty())
    return node.getLoc();
  return NameLoc::get(StringAttr::get(weight.getContext(), layer),
                      node.getLoc());
}

MaskKind GraphImporter::getMaskKind(StringRef name, const ConstantTensor &mask,
                                    int64_t queries, int64_t keys,
                                    std::string &why) {
  std::string key = (name + "\n" + Twine(queries) + "\n" + Twine(keys)).str();
  auto [entry, inserted] = masks.try_emplace(key);
  if (inserted)
    entry->second.first =
        classifyMask(mask, queries, keys, entry->second.second);
  why = entry->second.second;
  return entry->second.first;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// A Constant node has its value in one of several attributes.
LogicalResult GraphImporter::importConstant(const Node &node) {
  ConstantTensor value;
  if (const ::onnx::TensorProto *tensor = node.getTensor("value")) {
    std::string error;
    auto read =
        TensorReader("", options.maxConstantBytes).readConstant(*tensor, error);
    if (failed(read))
      return unsupported(node, "its value " + error);
    value = std::move(*read);
  } else if (auto ints = node.getInts("value_ints")) {
    value = ConstantTensor::vector(*ints);
  } else if (auto scalar = node.getInt("value_int")) {
    value = ConstantTensor(std::vector<int64_t>{*scalar}, {},
                           ::onnx::TensorProto::INT64);
  } else if (auto scalar = node.getFloat("value_float")) {
    value = ConstantTensor(std::vector<float>{*scalar}, {},
                           ::onnx::TensorProto::FLOAT);
  } else if (auto floats = node.getFloats("value_floats")) {
    value =
        ConstantTensor(std::vector<float>(floats->begin(), floats->end()),
                       {int64_t(floats->size())}, ::onnx::TensorProto::FLOAT);
  } else {
    return unsupported(node, "its value is neither numbers nor a dense tensor");
  }
  defineAt(node, 0, std::move(value));
  return success();
}

/// The shape and the size of a tensor are known even if its elements are not.
LogicalResult GraphImporter::importShapeOf(const Node &node) {
  SmallVector<int64_t> shape;
  if (const ConstantTensor *constant = getConstant(node, 0))
    shape.assign(constant->getShape().begin(), constant->getShape().end());
  else if (Value value = getValue(node, 0))
    llvm::append_range(shape,
                       cast<RankedTensorType>(value.getType()).getShape());
  else
    return failure();
  if (node.getOpType() == "Size") {
    defineAt(
        node, 0,
        ConstantTensor(std::vector<int64_t>{ShapedType::getNumElements(shape)},
                       {}, ::onnx::TensorProto::INT64));
    return success();
  }
  auto clamp = [&](int64_t at) {
    int64_t rank = shape.size();
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  int64_t start = clamp(node.getInt("start").value_or(0));
  int64_t end = clamp(node.getInt("end").value_or(shape.size()));
  defineAt(node, 0,
           ConstantTensor::vector(ArrayRef<int64_t>(shape).slice(
               start, std::max<int64_t>(end - start, 0))));
  return success();
}

LogicalResult GraphImporter::notComputable(const Node &node, size_t index) {
  return unsupported(node, "input " + Twine(index) +
                               " is a constant that computation cannot use");
}

/// Checks the constants that a node computes with in the program.
LogicalResult GraphImporter::checkComputable(const Node &node) {
  for (size_t i = 0; i < node.getNumInputs(); ++i)
    if (const ConstantTensor *constant = getConstant(node, i);
        constant &&
        !getElementType(constant->getElementType(), builder.getContext()))
      return notComputable(node, i);
  return success();
}

/// Folds a node that only reads constants: by its own evaluator, or else by
/// importing it and evaluating the result. Random numbers, sequences, and nodes
/// that take too long stay, if computation has their types.
LogicalResult GraphImporter::foldNode(const Node &node) {
  llvm::SaveAndRestore folding(isFolding, true);
  Operation *before = body->empty() ? nullptr : &body->back();
  Handler fold = folds.lookup(node.getOpType());
  if (failed((fold ? fold : handlers.lookup(node.getOpType()))(*this, node)))
    return failure();
  ConstantEvaluator evaluator(options.maxConstantBytes / sizeof(int64_t));
  SmallVector<std::pair<StringRef, ConstantTensor>> constants;
  for (StringRef output : node.getProto().output()) {
    const Definition *definition = find(output);
    if (output.empty() || !definition)
      continue;
    const Value *value = std::get_if<Value>(definition);
    auto elements = value ? evaluator.getElements(*value) : nullptr;
    auto code = elements ? getElementCode(elements->type.getElementType())
                         : std::nullopt;
    if (!code)
      return std::holds_alternative<ConstantTensor>(*definition)
                 ? success()
                 : checkComputable(node);
    Elements wrapped{elements->type, {}};
    if (uint64_t most = getMostUnsigned(wrapped.type.getElementType()))
      for (Number number : elements->numbers)
        wrapped.numbers.emplace_back().integer = number.integer & most;
    constants.emplace_back(
        output,
        ConstantTensor(wrapped.numbers.empty() ? *elements : wrapped, *code));
  }
  for (auto &[output, constant] : constants)
    defineName(output, std::move(constant));
  while (!body->empty() && &body->back() != before && body->back().use_empty())
    body->back().erase();
  return success();
}

static OperandKind getKind(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  if (element.isInteger(1))
    return OperandKind::Booleans;
  return isa<IntegerType>(element) ? OperandKind::Integers
                                   : OperandKind::OtherTensor;
}

static OperandKind getKind(const ConstantTensor &constant) {
  if (constant.getElementType() == ::onnx::TensorProto::BOOL)
    return OperandKind::Booleans;
  return constant.isInt() ? OperandKind::Integers : OperandKind::OtherTensor;
}

LogicalResult GraphImporter::checkNodeOperands(const Node &node) {
  const OperandRule *rule = findOperandRule(node.getOpType());
  if (!rule)
    return success();
  std::string problem = checkOperands(*rule, node, [&](size_t index) {
    return std::visit(
        llvm::makeVisitor(
            [](const Poison &) { return OperandKind::OtherTensor; },
            [](Value value) { return getKind(value); },
            [](const ConstantTensor &constant) { return getKind(constant); },
            [](const SmallVector<Value> &) { return OperandKind::Sequence; }),
        *find(node.getInput(index)));
  });
  return problem.empty() ? success() : unsupported(node, problem);
}

/// Repeated elements take no memory until a handler reads all of them: indices,
/// divisors.
LogicalResult GraphImporter::checkConstantSizes(const Node &node) {
  for (size_t i = 0; i < node.getNumInputs(); ++i) {
    const ConstantTensor *constant = getConstant(node, i);
    if (constant && constant->isInt() &&
        constant->getNumElements() >
            maxConstantBytes / int64_t(sizeof(int64_t)))
      return unsupported(node, "input " + Twine(i) + " is a constant of " +
                                   Twine(constant->getNumElements()) +
                                   " integers, more than can be looked at "
                                   "while compiling");
  }
  return success();
}

/// Notes attributes that were misread or ignored, and makes sure that every
/// output is defined, if only as unusable.
void GraphImporter::finishNode(const Node &node, LogicalResult result) {
  if (!node.getMalformed().empty())
    result = unsupported(node, node.getMalformed());
  else if (succeeded(result))
    if (auto unread = node.getUnreadAttribute())
      result =
          unsupported(node, "attribute '" + *unread + "' is not understood");
  for (const std::string &output : node.getProto().output())
    if (!output.empty() && (failed(result) || !find(output))) {
      if (succeeded(result))
        result = unsupported(node, "output '" + output + "' is not supported");
      defineName(output, Poison());
    }
}

void GraphImporter::importNode(const ::onnx::NodeProto &proto) {
  Node node(proto, fileLoc);
  // A node that depends on one which could not be imported is not reported
  // again, but an unknown op type always is.
  StringRef opType = node.getOpType();
  bool isONNX = proto.domain().empty() || proto.domain() == "ai.onnx";
  auto handler = isONNX ? handlers.lookup(opType) : Handler();
  bool isKnown =
      isONNX && (handler || folds.contains(opType) || opType == "Constant" ||
                 opType == "Shape" || opType == "Size");
  bool poisoned = false, constant = node.getNumInputs() > 0;
  for (const std::string &input : proto.input()) {
    if (input.empty())
      continue;
    const Definition *definition = find(input);
    if (!definition) {
      finishNode(node, unsupported(node, "input '" + input +
                                             "' is defined nowhere before it"));
      return;
    }
    poisoned |= std::holds_alternative<Poison>(*definition);
    constant &= std::holds_alternative<ConstantTensor>(*definition);
  }
  for (const std::string &output : proto.output())
    if (find(output)) {
      (void)unsupported(node, "output '" + output + "' is defined twice");
      return;
    }
  if (!isKnown)
    return finishNode(node, unsupported(node, ""));
  if (poisoned) {
    for (const std::string &output : proto.output())
      defineName(output, Poison());
    return;
  }
  if (failed(checkNodeOperands(node)))
    return finishNode(node, failure());
  if (opType == "Constant")
    return finishNode(node, importConstant(node));
  if (opType == "Shape" || opType == "Size")
    return finishNode(node, importShapeOf(node));
  if (constant && (handler || folds.contains(opType)))
    return finishNode(node, foldNode(node));
  if (failed(checkConstantSizes(node)))
    return finishNode(node, failure());
  if (handler)
    return finishNode(node, handler(*this, node));
  finishNode(node, unsupported(node, "it depends on the model's inputs or "
                                     "parameters, where it is not supported"));
}

void GraphImporter::releaseDeadConstants(const ::onnx::NodeProto &proto) {
  for (const std::string &input : proto.input())
    if (auto it = remainingUses.find(input);
        it != remainingUses.end() && --it->second == 0)
      if (const Definition *definition = find(input);
          definition && std::holds_alternative<ConstantTensor>(*definition))
        // The name stays known, to detect a second definition.
        definitions[input] = Poison();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// The position at which a value does not have the type declared in the model,
/// as far as it declares one; empty if there is none.
static std::string findTypeMismatch(const ::onnx::ValueInfoProto &declared,
                                    Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!declared.has_type())
    return "";
  if (!declared.type().has_tensor_type())
    return "is declared as something else than a tensor";
  const auto &tensor = declared.type().tensor_type();
  if (tensor.elem_type() != ::onnx::TensorProto::UNDEFINED &&
      getElementType(tensor.elem_type(), value.getContext()) !=
          type.getElementType()) {
    os << "is declared with elements of type "
       << getElementTypeName(tensor.elem_type()) << ", but computed as "
       << type;
    return text;
  }
  if (!tensor.has_shape())
    return "";
  bool fits = tensor.shape().dim_size() == type.getRank();
  for (int i = 0; fits && i < tensor.shape().dim_size(); ++i)
    fits = !tensor.shape().dim(i).has_dim_value() ||
           tensor.shape().dim(i).dim_value() == type.getDimSize(i);
  if (fits)
    return "";
  os << "is declared with the shape [";
  llvm::interleaveComma(tensor.shape().dim(), os, [&](const auto &dim) {
    if (dim.has_dim_value())
      os << dim.dim_value();
    else
      os << (dim.dim_param().empty() ? "?" : dim.dim_param());
  });
  os << "], but computed as " << type;
  return text;
}

LogicalResult GraphImporter::importOutputs() {
  SmallVector<Value> values;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (const ::onnx::ValueInfoProto &output : graph.output()) {
    const Definition *definition = find(output.name());
    if (definition && std::holds_alternative<Poison>(*definition))
      continue;
    Value value;
    if (definition) {
      if (auto *known = std::get_if<Value>(definition))
        value = *known;
      else if (auto *constant = std::get_if<ConstantTensor>(definition))
        value = materialize(fileLoc, *constant);
    }
    // Problems of nodes are more informative than missing results.
    if (!value && !problems.empty())
      continue;
    if (!value)
      return emitError(fileLoc) << "the graph's output '" << output.name()
                                << "' is computed by no node as a tensor";
    if (std::string problem = findTypeMismatch(output, value); !problem.empty())
      return emitError(fileLoc)
             << "the graph's output '" << output.name() << "' " << problem;
    values.push_back(value);
    types.push_back(value.getType());
    attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        kOutputAttr, builder.getStringAttr(output.name()))));
  }
  if (!problems.empty())
    return problems.emit(
        fileLoc, "this model uses operators that are not supported; write "
                 "these parts of the model with those in docs/operators.md, or "
                 "leave them out of the exported module");
  if (values.empty())
    return emitError(fileLoc) << "the graph has no outputs";
  func::ReturnOp::create(builder, fileLoc, values);
  function.setType(builder.getFunctionType(body->getArgumentTypes(), types));
  function.setAllResultAttrs(attributes);
  return success();
}

FailureOr<ImportedModel> GraphImporter::import() {
  if (failed(checkModel()))
    return failure();
  result.module = ModuleOp::create(builder, fileLoc);
  builder.setInsertionPointToEnd(result.module->getBody());
  function = func::FuncOp::create(builder, fileLoc, "forward",
                                  builder.getFunctionType({}, {}));
  body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  if (failed(importInputs()) || failed(importInitializers()))
    return failure();

  for (const ::onnx::NodeProto &node : graph.node())
    for (const std::string &input : node.input())
      ++remainingUses[input];
  for (const ::onnx::ValueInfoProto &output : graph.output())
    ++remainingUses[output.name()];
  for (const ::onnx::NodeProto &node : graph.node()) {
    importNode(node);
    releaseDeadConstants(node);
  }
  if (failed(importOutputs()))
    return failure();
  dropUnusedParameters(function, result.parameters);
  if (failed(verify(*result.module)))
    return failure();
  importTiedNames(model, *result.module);
  if (failed(importFrozenNames(model, function)))
    return failure();
  warnOfOptimizedExport();
  return std::move(result);
}
