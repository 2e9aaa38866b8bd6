// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Node.h"

#include "Metadata.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::te::onnx_import;

Node::Node(const ::onnx::NodeProto &proto, Location fileLoc)
    : proto(proto), loc(fileLoc) {
  MLIRContext *context = fileLoc.getContext();
  // The frame refers into `trace`.
  std::optional<std::string> trace =
      getMetadata(proto, "pkg.torch.onnx.stack_trace");
  if (trace)
    if (auto frame = parseInnermostFrame(*trace))
      loc = FileLineColLoc::get(context, frame->first, frame->second, 0);
  if (auto scopes = getMetadata(proto, "pkg.torch.onnx.name_scopes"))
    modulePath = parseModulePath(*scopes);
  if (!modulePath.empty())
    loc = NameLoc::get(StringAttr::get(context, modulePath), loc);
}

StringRef Node::getInput(size_t index) const {
  return index < getNumInputs() ? StringRef(proto.input(index)) : StringRef();
}

const ::onnx::AttributeProto *
Node::find(StringRef name, ::onnx::AttributeProto_AttributeType type) const {
  read.insert(name);
  for (const ::onnx::AttributeProto &attribute : proto.attribute()) {
    if (attribute.name() != name)
      continue;
    if (attribute.type() == type && attribute.ref_attr_name().empty())
      return &attribute;
    if (malformed.empty())
      malformed = ("its attribute '" + name + "' has the wrong type").str();
    return nullptr;
  }
  return nullptr;
}

std::optional<int64_t> Node::getInt(StringRef name) const {
  if (auto *attribute = find(name, ::onnx::AttributeProto::INT))
    return attribute->i();
  return std::nullopt;
}

std::optional<float> Node::getFloat(StringRef name) const {
  if (auto *attribute = find(name, ::onnx::AttributeProto::FLOAT))
    return attribute->f();
  return std::nullopt;
}

std::optional<StringRef> Node::getString(StringRef name) const {
  if (auto *attribute = find(name, ::onnx::AttributeProto::STRING))
    return StringRef(attribute->s());
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> Node::getInts(StringRef name) const {
  if (auto *attribute = find(name, ::onnx::AttributeProto::INTS))
    return SmallVector<int64_t>(attribute->ints().begin(),
                                attribute->ints().end());
  return std::nullopt;
}

std::optional<SmallVector<float>> Node::getFloats(StringRef name) const {
  if (auto *attribute = find(name, ::onnx::AttributeProto::FLOATS))
    return SmallVector<float>(attribute->floats().begin(),
                              attribute->floats().end());
  return std::nullopt;
}

const ::onnx::TensorProto *Node::getTensor(StringRef name) const {
  auto *attribute = find(name, ::onnx::AttributeProto::TENSOR);
  return attribute ? &attribute->t() : nullptr;
}

std::optional<StringRef> Node::getUnreadAttribute() const {
  for (const ::onnx::AttributeProto &attribute : proto.attribute())
    if (!read.contains(attribute.name()))
      return StringRef(attribute.name());
  return std::nullopt;
}
