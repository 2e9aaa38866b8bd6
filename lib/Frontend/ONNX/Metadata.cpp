// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Metadata.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <google/protobuf/unknown_field_set.h>

using namespace mlir;
using namespace mlir::te::onnx_import;

// Numbers of `metadata_props`. In an older schema than these fields they are
// among the unknown fields.
static constexpr int kNodeMetadataProps = 9;
static constexpr int kGraphMetadataProps = 16;

static std::optional<std::string> find(const google::protobuf::Message &message,
                                       int number, StringRef key) {
  const google::protobuf::Reflection *reflection = message.GetReflection();
  if (auto *field = message.GetDescriptor()->FindFieldByNumber(number)) {
    for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
      auto &entry = static_cast<const ::onnx::StringStringEntryProto &>(
          reflection->GetRepeatedMessage(message, field, i));
      if (entry.key() == key)
        return entry.value();
    }
    return std::nullopt;
  }
  const auto &fields = reflection->GetUnknownFields(message);
  for (int i = 0; i < fields.field_count(); ++i) {
    const google::protobuf::UnknownField &field = fields.field(i);
    if (field.number() != number ||
        field.type() != google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      continue;
    ::onnx::StringStringEntryProto entry;
    if (entry.ParseFromString(field.length_delimited()) && entry.key() == key)
      return entry.value();
  }
  return std::nullopt;
}

std::optional<std::string>
mlir::te::onnx_import::getMetadata(const ::onnx::NodeProto &node,
                                   StringRef key) {
  return find(node, kNodeMetadataProps, key);
}

std::optional<std::string>
mlir::te::onnx_import::getMetadata(const ::onnx::GraphProto &graph,
                                   StringRef key) {
  return find(graph, kGraphMetadataProps, key);
}

GraphSignature
mlir::te::onnx_import::getGraphSignature(const ::onnx::GraphProto &graph) {
  GraphSignature result;
  std::string text =
      getMetadata(graph, "pkg.torch.export.ExportedProgram.graph_signature")
          .value_or("");
  // Lines such as p_wte_weight: PARAMETER target='wte.weight'
  for (StringRef line : llvm::split(text, '\n')) {
    auto [kind, target] = line.split(" target='");
    StringRef name = target.split('\'').first;
    if (name.empty())
      continue;
    if (kind.ends_with(": PARAMETER"))
      result.parameters.insert(name);
    else if (kind.ends_with(": BUFFER") || kind.ends_with(": CONSTANT_TENSOR"))
      result.buffers.insert(name);
  }
  return result;
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
