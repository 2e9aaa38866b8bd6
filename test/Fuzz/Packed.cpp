// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Packed.h"

#include <istream>
#include <ostream>

using namespace te_fuzz;

static constexpr uint64_t kMagic = 0x317a7a75662d6574; // "te-fuzz1"
/// Nothing that is packed has more elements: a larger count is damage.
static constexpr uint64_t kMostElements = uint64_t(1) << 28;

template <typename T> static void put(std::ostream &os, const T &value) {
  os.write(reinterpret_cast<const char *>(&value), sizeof(T));
}
template <typename Sequence>
static void putAll(std::ostream &os, const Sequence &values) {
  put(os, uint64_t(values.size()));
  os.write(
      reinterpret_cast<const char *>(values.data()),
      std::streamsize(values.size() * sizeof(typename Sequence::value_type)));
}

template <typename T> static bool get(std::istream &is, T &value) {
  return bool(is.read(reinterpret_cast<char *>(&value), sizeof(T)));
}
template <typename Sequence>
static bool getAll(std::istream &is, Sequence &values) {
  uint64_t size;
  if (!get(is, size) || size > kMostElements)
    return false;
  values.resize(size);
  return bool(
      is.read(reinterpret_cast<char *>(values.data()),
              std::streamsize(size * sizeof(typename Sequence::value_type))));
}

void te_fuzz::write(std::ostream &os,
                    const std::vector<PackedProgram> &programs) {
  put(os, kMagic);
  put(os, uint64_t(programs.size()));
  for (const PackedProgram &program : programs) {
    putAll(os, program.symbol);
    put(os, uint64_t(program.buffers.size()));
    for (const PackedBuffer &buffer : program.buffers) {
      putAll(os, buffer.key);
      put(os, buffer.dtype);
      put(os, buffer.bytes);
      putAll(os, buffer.initial);
      putAll(os, buffer.expected);
      putAll(os, buffer.bound);
    }
  }
}

bool te_fuzz::read(std::istream &is, std::vector<PackedProgram> &programs) {
  uint64_t magic, count;
  if (!get(is, magic) || magic != kMagic || !get(is, count) ||
      count > kMostElements)
    return false;
  for (uint64_t i = 0; i < count; ++i) {
    PackedProgram &program = programs.emplace_back();
    uint64_t buffers;
    if (!getAll(is, program.symbol) || !get(is, buffers) ||
        buffers > kMostElements)
      return false;
    for (uint64_t b = 0; b < buffers; ++b) {
      PackedBuffer &buffer = program.buffers.emplace_back();
      if (!getAll(is, buffer.key) || !get(is, buffer.dtype) ||
          !get(is, buffer.bytes) || !getAll(is, buffer.initial) ||
          !getAll(is, buffer.expected) || !getAll(is, buffer.bound) ||
          buffer.initial.size() > buffer.bytes ||
          buffer.bound.size() != buffer.expected.size())
        return false;
    }
  }
  return true;
}
