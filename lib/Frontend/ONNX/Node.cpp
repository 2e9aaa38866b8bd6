// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Node.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <google/protobuf/unknown_field_set.h>

using namespace mlir;
using namespace mlir::te::onnx_import;

/// Number of NodeProto.metadata_props. The schema this is built with may be
/// older than that field, which then is among the unknown ones.
static constexpr int kMetadataProps = 9;

/// The value of a metadata entry of a node.
static std::optional<std::string> getMetadata(const ::onnx::NodeProto &proto,
                                              StringRef key) {
  const google::protobuf::UnknownFieldSet &fields =
      proto.GetReflection()->GetUnknownFields(proto);
  for (int i = 0; i < fields.field_count(); ++i) {
    const google::protobuf::UnknownField &field = fields.field(i);
    if (field.number() != kMetadataProps ||
        field.type() != google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      continue;
    ::onnx::StringStringEntryProto entry;
    if (entry.ParseFromString(field.length_delimited()) && entry.key() == key)
      return entry.value();
  }
  return std::nullopt;
}

std::string mlir::te::onnx_import::parseModulePath(StringRef nameScopes) {
  SmallVector<std::string> scopes;
  for (size_t i = 0; i < nameScopes.size(); ++i) {
    char quote = nameScopes[i];
    if (quote != '\'' && quote != '"')
      continue;
    std::string scope;
    for (++i; i < nameScopes.size() && nameScopes[i] != quote; ++i) {
      if (nameScopes[i] == '\\' && i + 1 < nameScopes.size())
        ++i;
      scope += nameScopes[i];
    }
    scopes.push_back(std::move(scope));
  }
  return scopes.size() < 2 ? std::string() : scopes[scopes.size() - 2];
}

std::optional<std::pair<StringRef, unsigned>>
mlir::te::onnx_import::parseInnermostFrame(StringRef stackTrace) {
  std::optional<std::pair<StringRef, unsigned>> innermost;
  while (!stackTrace.empty()) {
    StringRef line;
    std::tie(line, stackTrace) = stackTrace.split('\n');
    line = line.trim();
    if (!line.consume_front("File \""))
      continue;
    auto [file, rest] = line.split("\", line ");
    unsigned number;
    if (!file.empty() && !rest.consumeInteger(10, number))
      innermost = {file, number};
  }
  return innermost;
}

Node::Node(const ::onnx::NodeProto &proto, Location fileLoc)
    : proto(proto), loc(fileLoc) {
  MLIRContext *context = fileLoc.getContext();
  // The frame borrows from `trace`.
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
