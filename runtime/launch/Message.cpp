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
  // Each has at least four bytes, which limits the loop whatever the count.
  for (uint64_t left = number(); left > 0 && whole; --left)
    values.push_back(text());
  return values;
}

static constexpr size_t header = 8;

size_t Inbox::missing() const {
  std::string_view rest = std::string_view(bytes).substr(begin);
  if (rest.size() < header)
    return header - rest.size();
  const size_t whole = header + load(rest.substr(4, 4)) + codeBytes();
  return whole > rest.size() ? whole - rest.size() : 0;
}

std::optional<Message> Inbox::next(size_t most) {
  std::string_view rest = std::string_view(bytes).substr(begin);
  if (!bad && rest.size() >= header && load(rest.substr(4, 4)) > most)
    bad = true;
  if (bad || rest.size() < header || missing() > 0) {
    bytes.erase(0, begin);
    begin = 0;
    return std::nullopt;
  }
  const size_t end = header + load(rest.substr(4, 4));
  if (seal && !areEqual(seal->next(rest.substr(0, end)),
                        rest.substr(end, FrameAuthenticator::bytes))) {
    bad = true;
    return std::nullopt;
  }
  Message message;
  message.kind = static_cast<Kind>(load(rest.substr(0, 4)));
  message.payload = rest.substr(header, end - header);
  begin += end + codeBytes();
  return message;
}

/// Length in bytes of the UTF-8 character at the start of a text; 0 if invalid,
/// or if it moves the cursor.
static size_t lengthOfCharacter(std::string_view text) {
  const auto at = [&](size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const unsigned first = at(0);
  if (first < 0x80)
    return first == '\n' || (first >= 0x20 && first != 0x7f);
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((at(i) & 0xc0) != 0x80)
      return 0;
  const bool isControl = first == 0xc2 && at(1) < 0xa0;
  // Overlong encodings, surrogates, and values beyond the last character.
  const bool isWrong =
      (first == 0xe0 && at(1) < 0xa0) || (first == 0xed && at(1) >= 0xa0) ||
      (first == 0xf0 && at(1) < 0x90) || (first == 0xf4 && at(1) >= 0x90);
  // Marks that change the direction of the text after them.
  const bool turns =
      first == 0xe2 && ((at(1) == 0x80 && at(2) >= 0xaa && at(2) <= 0xae) ||
                        (at(1) == 0x81 && at(2) >= 0xa6 && at(2) <= 0xa9));
  return isControl || isWrong || turns ? 0 : length;
}

std::string tert::launch::printable(std::string_view text) {
  constexpr const char *digits = "0123456789abcdef";
  std::string result;
  while (!text.empty()) {
    const size_t length = lengthOfCharacter(text);
    if (length == 0) {
      const auto byte = static_cast<unsigned char>(text[0]);
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length ? length : 1);
  }
  return result;
}
