// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Planning/MemorySummary.h"

#include "support/DType.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::te;
namespace json = llvm::json;

/// Bytes of a state or an argument in a description.
static int64_t bytesOf(const json::Object &tensor) {
  auto dtype = tert::session::parseDescriptionDType(
      tensor.getString("dtype").value_or("").str());
  int64_t bytes =
      dtype ? tert::session::sizeOf(tert::session::toFileDType(*dtype)) : 0;
  if (const json::Array *shape = tensor.getArray("shape"))
    for (const json::Value &size : *shape)
      bytes *= size.getAsInteger().value_or(0);
  return bytes;
}

static MemorySummary::Entry summarizeEntry(const json::Object &entry) {
  MemorySummary::Entry summary;
  summary.name = entry.getString("name").value_or("").str();
  summary.arena = entry.getInteger("arena_bytes").value_or(0);
  if (const json::Array *arguments = entry.getArray("arguments"))
    for (const json::Value &value : *arguments) {
      const json::Object &argument = *value.getAsObject();
      if (argument.getString("role") != "state" &&
          !argument.get("arena_offset"))
        summary.arguments += bytesOf(argument);
    }
  return summary;
}

MemorySummary mlir::te::summarizeMemory(const json::Object &description) {
  MemorySummary summary;
  // The host's memory is a CPU's own.
  const bool isCpu = description.getString("target") == "cpu";
  if (const json::Array *states = description.getArray("states"))
    for (const json::Value &value : *states) {
      const json::Object &state = *value.getAsObject();
      if (!isCpu && state.getString("memory") == "host") {
        summary.hostBytes += bytesOf(state);
        continue;
      }
      std::string name = state.getString("kind").value_or("").str();
      auto kind = llvm::find_if(
          summary.kinds, [&](const auto &kind) { return kind.name == name; });
      if (kind == summary.kinds.end())
        kind = summary.kinds.insert(kind, {name});
      ++kind->count;
      kind->bytes += bytesOf(state);
    }
  if (const json::Array *entries = description.getArray("entries"))
    for (const json::Value &entry : *entries)
      summary.entries.push_back(summarizeEntry(*entry.getAsObject()));
  return summary;
}

int64_t MemorySummary::getStateBytes() const {
  int64_t bytes = 0;
  for (const Kind &kind : kinds)
    bytes += kind.bytes;
  return bytes;
}

int64_t MemorySummary::getBytes() const {
  int64_t bytes = getStateBytes();
  for (const Entry &entry : entries)
    bytes = std::max(bytes, getBytes(entry));
  return bytes;
}

int64_t MemorySummary::getBytes(const Entry &entry) const {
  return getStateBytes() + entry.arena + entry.arguments;
}

const MemorySummary::Entry *
MemorySummary::findEntry(llvm::StringRef name) const {
  auto entry = llvm::find_if(
      entries, [&](const Entry &entry) { return entry.name == name; });
  return entry == entries.end() ? nullptr : &*entry;
}
