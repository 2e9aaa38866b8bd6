// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "generation/TokenCall.h"

#include <cstring>

using namespace tert;
using namespace tert::generation;
using namespace tert::session;

using Role = ArgumentDescription::Role;

/// Writes an integer of a type; little-endian, so that the low bytes are the
/// narrow integer.
static void store(const TensorType &type, int64_t index, int64_t value,
                  std::vector<char> &bytes) {
  const size_t size = sizeOf(toFileDType(type.dtype));
  std::memcpy(&bytes[static_cast<size_t>(index) * size], &value, size);
}

Error TokenCall::findArguments(const std::string &name) {
  for (const ArgumentDescription &argument : call.description().arguments) {
    if (argument.role != Role::Input)
      continue;
    const bool isFloating = isFloat(toFileDType(argument.type.dtype));
    if (argument.name == "positions" && argument.type.shape.size() == 1 &&
        !isFloating) {
      positions = &argument;
      continue;
    }
    if (ids)
      return Error("it takes '" + ids->name + "' and '" + argument.name +
                   "'; only models of token ids alone generate text. Export "
                   "the model without '" +
                   argument.name + "'");
    if (isFloating || argument.type.shape.size() != 2)
      return Error("its input '" + argument.name + "' is " +
                   toString(argument.type) + ", not token ids [rows, tokens]");
    ids = &argument;
  }
  if (!ids)
    return Error("it takes no token ids");
  if (positions && positions->type.shape[0] != rows())
    return Error("its input 'positions' is " + toString(positions->type) +
                 ", not a position for each of " + std::to_string(rows()) +
                 " rows");
  std::string others;
  bool areSeveral = false;
  for (const ArgumentDescription &argument : call.description().arguments) {
    if (argument.role != Role::Output)
      continue;
    others += (others.empty() ? "" : ", ") + argument.name;
    const Shape &shape = argument.type.shape;
    if ((!name.empty() && argument.name != name) ||
        (argument.type.dtype != TERT_F32 && argument.type.dtype != TERT_BF16) ||
        shape.size() != 3 || shape[0] != rows() ||
        (shape[1] != 1 && shape[1] != columns()) || shape[2] < 1)
      continue;
    areSeveral |= logits != nullptr;
    logits = &argument;
  }
  if (!logits)
    return Error("it has no output of logits [rows, tokens, ids]" +
                 (name.empty() ? "" : " named '" + name + "'") +
                 "; it returns " + others);
  if (areSeveral)
    return Error("several of its outputs can be logits; name one with --logits "
                 "(" +
                 others + ")");
  return Error::success();
}

Expected<TokenCall> TokenCall::create(Session &session,
                                      const std::string &entry,
                                      const std::string &logits,
                                      SharedArena arena) {
  Expected<EntryCall> call =
      EntryCall::create(session, entry, std::move(arena));
  if (!call)
    return call.takeError();
  TokenCall tokens(std::move(*call));
  if (Error error = tokens.findArguments(logits))
    return Error("'" + session.path() +
                 "' does not generate text: " + error.message());
  return tokens;
}

Error TokenCall::run(const std::function<int64_t(int64_t, int64_t)> &idAt,
                     const std::function<int64_t(int64_t)> &positionAt) {
  bytes.assign(ids->type.bytes(), 0);
  for (int64_t row = 0; row < rows(); ++row)
    for (int64_t i = 0; i < columns(); ++i)
      store(ids->type, row * columns() + i, idAt(row, i), bytes);
  if (Error error = call.setInput(*ids, bytes.data()))
    return error;
  if (positions) {
    bytes.assign(positions->type.bytes(), 0);
    for (int64_t row = 0; row < rows(); ++row)
      store(positions->type, row, positionAt(row), bytes);
    if (Error error = call.setInput(*positions, bytes.data()))
      return error;
  }
  return call.run();
}

Error TokenCall::read(const std::function<int64_t(int64_t)> &columnAt,
                      std::vector<float> &to) {
  bytes.resize(logits->type.bytes());
  if (Error error = call.readOutput(*logits, bytes.data()))
    return error;
  const DType dtype = toFileDType(logits->type.dtype);
  to.resize(static_cast<size_t>(rows() * vocabulary()));
  for (int64_t row = 0; row < rows(); ++row) {
    const int64_t first = (row * logitColumns() + columnAt(row)) * vocabulary();
    if (Error error = convertExactly(
            dtype, &bytes[static_cast<size_t>(first) * sizeOf(dtype)],
            DType::F32, &to[static_cast<size_t>(row * vocabulary())],
            vocabulary()))
      return error;
  }
  return Error::success();
}
