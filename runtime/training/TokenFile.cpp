// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/TokenFile.h"

#include "training/FileKind.h"

#include <cstring>

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

Error TokenFile::readIndex(bool guessed) {
  if (hasHeader())
    return Error::success();
  if (Error error = MegatronIndex::beside(file).moveTo(index))
    return error;
  if (!index)
    return Error::success();
  if (bytesOfToken != index->width() && !guessed)
    return Error("the index of Megatron beside '" + path() +
                 "' says that it has tokens of " +
                 std::to_string(8 * index->width()) +
                 " bits; leave out --tokens, or give the one of that width");
  bytesOfToken = index->width();
  return Error::success();
}

Error TokenFile::readDocuments() {
  return index ? index->readDocuments().moveTo(documents) : Error::success();
}

/// A file of another format would be read as a stream of tokens, and its
/// headers and names learned. With an explicit format of bytes, any file is
/// accepted.
Error TokenFile::refuseOtherKinds(DataFormat format, bool guessed) const {
  if (hasHeader() || index)
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
