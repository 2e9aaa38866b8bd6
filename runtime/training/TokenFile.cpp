// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/TokenFile.h"

#include "training/FileKind.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>

using namespace tert::training;
using namespace tert::session;

namespace {
/// File kinds of llm.c's scripts (dev/data/data_common.py).
struct HeaderKind {
  int32_t magic, version;
  size_t width;
};
constexpr HeaderKind headerKinds[] = {{20240520, 1, 2}, {20240801, 7, 4}};
constexpr size_t headerBytes = 256 * sizeof(int32_t);
} // namespace

Error TokenFile::readHeader(bool guessed) {
  int32_t fields[3] = {};
  if (bytesOfToken == 1 || file.size() < headerBytes)
    return Error::success();
  if (Error error = file.read(0, fields, sizeof(fields)))
    return error;
  for (const HeaderKind &kind : headerKinds) {
    if (fields[0] != kind.magic)
      continue;
    std::string what = "'" + path() + "' begins with a header of llm.c ";
    if (fields[1] != kind.version)
      return Error(what + "of version " + std::to_string(fields[1]) +
                   "; this program reads version " +
                   std::to_string(kind.version));
    if (bytesOfToken != kind.width && !guessed)
      return Error(what + "and holds tokens of " +
                   std::to_string(8 * kind.width) +
                   " bits; leave out --tokens, or give it as u" +
                   std::to_string(8 * kind.width));
    bytesOfToken = kind.width;
    start = headerBytes;
    uint64_t bytes = file.size() - start;
    if (fields[2] < 0 ||
        bytes != static_cast<uint64_t>(fields[2]) * bytesOfToken)
      return Error(what + "that says " + std::to_string(fields[2]) +
                   " tokens, but has " + std::to_string(bytes) +
                   " bytes behind it: it is truncated, or damaged");
  }
  return Error::success();
}

/// Megatron's index (megatron/core/datasets/indexed_dataset.py): 9 bytes that
/// are "MMIDIDX" and two zeros, u64 version, u8 type, u64 numbers of sequences
/// and of documents, then i32 lengths and i64 offsets of the sequences, and i64
/// documents.
Error TokenFile::readIndex(bool guessed) {
  constexpr std::string_view ending = ".bin";
  std::string name = path();
  if (hasHeader() || name.size() < ending.size() ||
      name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
    return Error::success();
  name.replace(name.size() - ending.size(), ending.size(), ".idx");
  std::error_code code;
  if (!std::filesystem::is_regular_file(name, code))
    return Error::success();
  Expected<InputFile> index = InputFile::open(name);
  if (!index)
    return index.takeError();
  constexpr char magic[9] = {'M', 'M', 'I', 'D', 'I', 'D', 'X', 0, 0};
  constexpr size_t headerSize = sizeof(magic) + 8 + 1 + 8 + 8;
  char header[headerSize];
  if (index->size() < headerSize)
    return Error::success();
  if (Error error = index->read(0, header, headerSize))
    return error;
  if (std::memcmp(header, magic, sizeof(magic)) != 0)
    return Error::success();
  uint64_t version, sequences;
  std::memcpy(&version, header + sizeof(magic), sizeof(version));
  const auto type = static_cast<unsigned char>(header[sizeof(magic) + 8]);
  std::memcpy(&sequences, header + sizeof(magic) + 9, sizeof(sequences));
  const std::string what = "the index '" + name + "' of Megatron ";
  if (version != 1)
    return Error(what + "has version " + std::to_string(version) +
                 "; this program reads version 1");
  const size_t width = type == 1 ? 1 : type == 8 ? 2 : type == 4 ? 4 : 0;
  if (width == 0)
    return Error(what + "says that '" + path() + "' has elements of type " +
                 std::to_string(type) +
                 "; this program reads tokens of uint8 (1), int32 (4) and "
                 "uint16 (8)");
  if (bytesOfToken != width && !guessed)
    return Error(what + "says that '" + path() + "' has tokens of " +
                 std::to_string(8 * width) +
                 " bits; leave out --tokens, or give the one of that width");
  constexpr uint64_t perSequence = sizeof(int32_t) + sizeof(int64_t);
  if (sequences > (index->size() - headerSize) / perSequence)
    return Error(what + "says " + std::to_string(sequences) +
                 " sequences, but is too short for them: it is truncated, or "
                 "damaged");
  uint64_t tokensOfAll = 0;
  std::vector<int32_t> lengths;
  constexpr uint64_t piece = 1 << 20;
  for (uint64_t first = 0; first < sequences; first += piece) {
    lengths.resize(std::min(piece, sequences - first));
    if (Error error =
            index->read(headerSize + first * sizeof(int32_t), lengths.data(),
                        lengths.size() * sizeof(int32_t)))
      return error;
    for (int32_t length : lengths) {
      if (length < 0)
        return Error(what + "has a sequence of negative length: it is damaged");
      tokensOfAll += static_cast<uint64_t>(length);
    }
  }
  if (tokensOfAll * width != file.size())
    return Error(what + "has " + std::to_string(tokensOfAll) + " tokens of " +
                 std::to_string(8 * width) + " bits, but '" + path() +
                 "' has " + std::to_string(file.size()) +
                 " bytes: one of them is truncated, or they are not of one "
                 "data set");
  bytesOfToken = width;
  hasIndex = true;
  return Error::success();
}

/// A file of another format would be read as a stream of tokens, and its
/// headers and names learned. With an explicit format of bytes, any file is
/// accepted.
Error TokenFile::refuseOtherKinds(DataFormat format, bool guessed) const {
  if (hasHeader() || hasIndex)
    return Error::success();
  Expected<FileKind> kind = recognise(file);
  if (!kind)
    return kind.takeError();
  if (kind->what.empty() ||
      !(guessed || (kind->isCertain && format != DataFormat::Bytes)))
    return Error::success();
  return Error("'" + path() + "' is " + kind->what +
               ", no text and no stream of tokens: " + kind->remedy +
               ". To learn its bytes as they are, give --tokens bytes");
}

Expected<TokenFile> TokenFile::open(const std::string &path, DataFormat format,
                                    bool guessed) {
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeError();
  size_t width = format == DataFormat::U32   ? 4
                 : format == DataFormat::U16 ? 2
                                             : 1;
  TokenFile result(std::move(*file), width);
  if (Error error = result.readHeader(guessed))
    return error;
  if (Error error = result.readIndex(guessed))
    return error;
  if (Error error = result.refuseOtherKinds(format, guessed))
    return error;
  uint64_t bytes = result.file.size() - result.start;
  if (bytes % result.bytesOfToken)
    return Error("'" + path + "' has " + std::to_string(bytes) +
                 " bytes, not a multiple of " +
                 std::to_string(result.bytesOfToken) +
                 ": it is truncated, or of another format (--tokens)");
  result.tokens = bytes / result.bytesOfToken;
  return result;
}

Error TokenFile::read(uint64_t first, size_t number,
                      std::vector<uint32_t> &to) const {
  std::vector<char> buffer(number * bytesOfToken);
  if (Error error = readBytes(first, number, buffer.data()))
    return error;
  for (size_t i = 0; i < number; ++i) {
    uint32_t token = 0; // Little-endian, like this machine.
    std::memcpy(&token, buffer.data() + i * bytesOfToken, bytesOfToken);
    to.push_back(token);
  }
  return Error::success();
}
