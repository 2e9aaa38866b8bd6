// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/EventFile.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

using namespace tert::session;
using namespace tert::training;

uint32_t tert::training::crc32c(std::string_view bytes) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> result{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit)
        value = value & 1 ? value >> 1 ^ 0x82f63b78u : value >> 1;
      result[i] = value;
    }
    return result;
  }();
  uint32_t crc = ~0u;
  for (unsigned char byte : bytes)
    crc = table[(crc ^ byte) & 0xff] ^ crc >> 8;
  return ~crc;
}

namespace {
template <typename T> void append(std::string &to, T value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

/// The checksum of a record's part.
uint32_t masked(std::string_view bytes) {
  const uint32_t crc = crc32c(bytes);
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

/// Fields of a protocol buffer's message.
class Message {
public:
  void number(uint32_t field, double value) {
    key(field, 1);
    append(text, value);
  }
  void number(uint32_t field, float value) {
    key(field, 5);
    append(text, value);
  }
  void number(uint32_t field, uint64_t value) {
    key(field, 0);
    varint(value);
  }
  void bytes(uint32_t field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    text += value;
  }
  const std::string &str() const { return text; }

private:
  void key(uint32_t field, uint32_t wireType) { varint(field << 3 | wireType); }
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      text += static_cast<char>(value | 0x80);
    text += static_cast<char>(value);
  }
  std::string text;
};
} // namespace

Error EventFile::write(const std::string &event) {
  std::string record;
  append(record, static_cast<uint64_t>(event.size()));
  append(record, masked(record));
  record += event;
  append(record, masked(event));
  if (std::fwrite(record.data(), 1, record.size(), file.get()) ==
          record.size() &&
      std::fflush(file.get()) == 0)
    return Error::success();
  return Error("cannot write '" + path + "': " + std::strerror(errno) +
               "; events for TensorBoard end here");
}

Expected<EventFile> EventFile::create(const std::string &folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code)
    return Error("cannot make the folder '" + folder + "': " + code.message());
  const double now = std::chrono::duration<double>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
  const std::string base =
      (std::filesystem::path(folder) /
       ("events.out.tfevents." + std::to_string(static_cast<uint64_t>(now)) +
        ".te-run"))
          .string();
  for (int number = 0;; ++number) {
    EventFile result(number ? base + "." + std::to_string(number) : base);
    result.file.reset(std::fopen(result.path.c_str(), "wxe"));
    if (!result.file && errno == EEXIST && number < 1000)
      continue;
    if (!result.file)
      return Error("cannot write '" + result.path +
                   "': " + std::strerror(errno));
    Message event;
    event.number(1, now);
    event.bytes(3, "brain.Event:2");
    if (Error error = result.write(event.str()))
      return error;
    return result;
  }
}

Error EventFile::add(uint64_t step, double time,
                     const std::vector<Scalar> &scalars) {
  if (!file)
    return Error::success();
  Message summary;
  for (const Scalar &scalar : scalars) {
    Message value;
    value.bytes(1, scalar.tag);
    value.number(2, scalar.value);
    summary.bytes(1, value.str());
  }
  Message event;
  event.number(1, time);
  event.number(2, step);
  event.bytes(5, summary.str());
  Error error = write(event.str());
  if (error)
    file.reset();
  return error;
}
