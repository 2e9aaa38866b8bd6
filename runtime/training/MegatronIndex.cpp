// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/MegatronIndex.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

using namespace tert::training;
using namespace tert::session;
namespace fs = std::filesystem;

namespace {
constexpr char magic[9] = {'M', 'M', 'I', 'D', 'I', 'D', 'X', 0, 0};
constexpr size_t headerSize = sizeof(magic) + 8 + 1 + 8 + 8;
constexpr char isDamaged[] = ": it is truncated, or damaged";

/// An array of the file, read from its beginning to its end.
template <typename T> class Numbers {
public:
  Numbers(const InputFile &file, uint64_t offset, uint64_t count)
      : file(file), offset(offset), count(count) {}

  Expected<T> next() {
    if (place == piece.size()) {
      piece.resize(std::min<uint64_t>(1 << 16, count - first));
      if (Error error = file.read(offset + first * sizeof(T), piece.data(),
                                  piece.size() * sizeof(T)))
        return error;
      first += piece.size();
      place = 0;
    }
    return piece[place++];
  }

private:
  const InputFile &file;
  uint64_t offset, count, first = 0;
  std::vector<T> piece;
  size_t place = 0;
};

/// The index beside a .bin file, if a file of its name begins like one.
Expected<std::optional<InputFile>> openBeside(const std::string &path) {
  fs::path name = path;
  std::error_code code;
  if (name.extension() != ".bin" ||
      !fs::is_regular_file(name.replace_extension(".idx"), code))
    return std::optional<InputFile>();
  Expected<InputFile> file = InputFile::open(name.string());
  if (!file)
    return file.takeError();
  char begin[sizeof(magic)] = {};
  if (file->size() >= sizeof(magic))
    if (Error error = file->read(0, begin, sizeof(magic)))
      return error;
  if (std::memcmp(begin, magic, sizeof(magic)) != 0)
    return std::optional<InputFile>();
  return std::optional<InputFile>(std::move(*file));
}
} // namespace

Expected<std::optional<MegatronIndex>>
MegatronIndex::beside(const InputFile &tokens) {
  Expected<std::optional<InputFile>> file = openBeside(tokens.path());
  if (!file)
    return file.takeError();
  if (!*file)
    return std::optional<MegatronIndex>();
  MegatronIndex index(std::move(**file));
  if (Error error = index.readHeader(tokens.path()))
    return error;
  if (Error error = index.checkLengths(tokens))
    return error;
  return std::optional<MegatronIndex>(std::move(index));
}

Error MegatronIndex::readHeader(const std::string &tokens) {
  char header[headerSize];
  if (file.size() < headerSize)
    return Error(what() + "has no complete header" + isDamaged);
  if (Error error = file.read(0, header, headerSize))
    return error;
  uint64_t version;
  std::memcpy(&version, header + sizeof(magic), sizeof(version));
  if (version != 1)
    return Error(what() + "has version " + std::to_string(version) +
                 "; this program reads version 1");
  const auto type = static_cast<unsigned char>(header[sizeof(magic) + 8]);
  bytesOfToken = type == 1 ? 1 : type == 8 ? 2 : type == 4 ? 4 : 0;
  if (bytesOfToken == 0)
    return Error(what() + "says that '" + tokens + "' has elements of type " +
                 std::to_string(type) +
                 "; this program reads tokens of uint8 (1), int32 (4) and "
                 "uint16 (8)");
  std::memcpy(&sequences, header + sizeof(magic) + 9, sizeof(sequences));
  std::memcpy(&boundaries, header + sizeof(magic) + 17, sizeof(boundaries));
  constexpr uint64_t perSequence = sizeof(int32_t) + sizeof(int64_t);
  const uint64_t rest = file.size() - headerSize;
  if (sequences > rest / perSequence)
    return Error(what() + "says " + std::to_string(sequences) +
                 " sequences, but is too short for them" + isDamaged);
  if (boundaries > (rest - sequences * perSequence) / sizeof(int64_t))
    return Error(what() + "says " + std::to_string(boundaries) +
                 " boundaries of documents, but is too short for them" +
                 isDamaged);
  return Error::success();
}

Error MegatronIndex::checkLengths(const InputFile &tokens) const {
  Numbers<int32_t> lengths(file, headerSize, sequences);
  uint64_t all = 0;
  for (uint64_t i = 0; i < sequences; ++i) {
    Expected<int32_t> length = lengths.next();
    if (!length)
      return length.takeError();
    if (*length < 0)
      return Error(what() + "has a sequence of negative length: it is damaged");
    all += static_cast<uint64_t>(*length);
  }
  if (all * bytesOfToken != tokens.size())
    return Error(what() + "has " + std::to_string(all) + " tokens of " +
                 std::to_string(8 * bytesOfToken) + " bits, but '" +
                 tokens.path() + "' has " + std::to_string(tokens.size()) +
                 " bytes: one of them is truncated, or they are not of one "
                 "data set");
  return Error::success();
}

Expected<std::vector<uint64_t>> MegatronIndex::readDocuments() const {
  const uint64_t afterLengths = headerSize + sequences * sizeof(int32_t);
  Numbers<int32_t> lengths(file, headerSize, sequences);
  Numbers<int64_t> offsets(file, afterLengths, sequences);
  Numbers<int64_t> bounds(file, afterLengths + sequences * sizeof(int64_t),
                          boundaries);
  std::vector<uint64_t> documents;
  uint64_t sequence = 0, token = 0;
  for (uint64_t i = 0; i < boundaries; ++i) {
    Expected<int64_t> bound = bounds.next();
    if (!bound)
      return bound.takeError();
    const auto begin = static_cast<uint64_t>(*bound);
    if (begin < sequence || begin > sequences || (i == 0 && begin != 0))
      return Error(what() + "says that document " + std::to_string(i) +
                   " begins with sequence " + std::to_string(*bound) + " of " +
                   std::to_string(sequences) +
                   (i ? ", and the one before with " + std::to_string(sequence)
                      : std::string()) +
                   ": it is damaged");
    for (; sequence < begin; ++sequence) {
      Expected<int64_t> offset = offsets.next();
      if (!offset)
        return offset.takeError();
      if (static_cast<uint64_t>(*offset) != token * bytesOfToken)
        return Error(what() + "says that sequence " + std::to_string(sequence) +
                     " begins at byte " + std::to_string(*offset) +
                     ", but those before it have " +
                     std::to_string(token * bytesOfToken) +
                     " bytes: it is damaged");
      Expected<int32_t> length = lengths.next();
      if (!length)
        return length.takeError();
      token += static_cast<uint64_t>(*length);
    }
    if (documents.empty() || documents.back() != token)
      documents.push_back(token);
  }
  if (sequence != sequences)
    return Error(what() + "has documents of " + std::to_string(sequence) +
                 " sequences, and " + std::to_string(sequences) +
                 " sequences: it is damaged");
  if (!documents.empty())
    documents.pop_back(); // The end of the file.
  return documents;
}

bool tert::training::hasMegatronIndex(const std::string &path) {
  Expected<std::optional<InputFile>> file = openBeside(path);
  return file && *file;
}
