// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Message.h"

using namespace tert::launch;

static void store(std::string &bytes, uint64_t value, int count) {
  for (int i = 0; i < count; ++i)
    bytes += static_cast<char>((value >> (8 * i)) & 0xff);
}

static uint64_t load(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

Packer &Packer::number(uint64_t value) {
  store(bytes, value, 8);
  return *this;
}

Packer &Packer::text(std::string_view value) {
  store(bytes, value.size(), 4);
  bytes += value;
  return *this;
}

Packer &Packer::texts(const std::vector<std::string> &values) {
  number(values.size());
  for (const std::string &value : values)
    text(value);
  return *this;
}

std::string Packer::frame(Kind kind) const {
  std::string frame;
  store(frame, static_cast<uint32_t>(kind), 4);
  store(frame, bytes.size(), 4);
  return frame + bytes;
}

std::string_view Unpacker::take(uint64_t count) {
  if (!whole || count > bytes.size()) {
    whole = false;
    return {};
  }
  std::string_view taken = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return taken;
}

uint64_t Unpacker::number() { return load(take(8)); }

std::string Unpacker::text() { return std::string(take(load(take(4)))); }

std::vector<std::string> Unpacker::texts() {
  std::vector<std::string> values;
  // Each has four bytes at least, so that no count makes this long.
  for (uint64_t left = number(); left > 0 && whole; --left)
    values.push_back(text());
  return values;
}

std::optional<Message> Inbox::next(size_t most) {
  constexpr size_t header = 8;
  std::string_view rest = std::string_view(bytes).substr(begin);
  if (bad || rest.size() < header) {
    bytes.erase(0, begin);
    begin = 0;
    return std::nullopt;
  }
  uint64_t size = load(rest.substr(4, 4));
  if (size > most) {
    bad = true;
    return std::nullopt;
  }
  if (rest.size() < header + size) {
    bytes.erase(0, begin);
    begin = 0;
    return std::nullopt;
  }
  Message message;
  message.kind = static_cast<Kind>(load(rest.substr(0, 4)));
  message.payload = rest.substr(header, size);
  begin += header + size;
  return message;
}
