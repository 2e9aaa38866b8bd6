// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/FileKind.h"

#include "support/Json.h"

#include <algorithm>
#include <string_view>

using namespace tert::training;
using namespace tert::session;
using namespace std::string_view_literals;

namespace {
constexpr size_t longestBeginning = 64 << 10;

constexpr char unpack[] = "unpack it, and give the file that is inside";
constexpr char extract[] = "extract its text, and give that";
constexpr char fromPython[] =
    "read it in Python, and write the tokens with "
    "numpy.asarray(tokens, dtype='<u2').tofile('tokens.bin'), or batches as "
    "safetensors";
constexpr char tokenize[] =
    "tokenize it with 'python3 -m temlir_data tokenize FILE --tokenizer NAME "
    "-o tokens.bin' (pip install ./python)";

struct Signature {
  std::string_view bytes;
  size_t offset;
  const char *what, *remedy;
};

/// Signatures of at least four bytes.
const Signature signatures[] = {
    {"PAR1"sv, 0, "a Parquet file", tokenize},
    {"ARROW1\0\0"sv, 0, "an Arrow file", fromPython},
    {"\x89HDF\r\n\x1a\n"sv, 0, "an HDF5 file", fromPython},
    {"\x93NUMPY"sv, 0, "an array of NumPy (.npy)",
     "write it without a header: numpy.load(file).astype('<u2')"
     ".tofile('tokens.bin')"},
    {"Obj\x01"sv, 0, "an Avro file", fromPython},
    {"MMIDIDX\0\0"sv, 0, "the index of a data set of Megatron",
     "give the .bin file next to it, of which it is the index"},
    {"PK\x03\x04"sv, 0, "a zip archive (.zip, .npz, or what torch.save writes)",
     "unpack it, or read it in Python, and write the tokens with "
     "numpy.asarray(tokens, dtype='<u2').tofile('tokens.bin')"},
    {"\x28\xb5\x2f\xfd"sv, 0, "compressed with zstd", unpack},
    {"\xfd"
     "7zXZ\0"sv,
     0, "compressed with xz", unpack},
    {"7z\xbc\xaf\x27\x1c"sv, 0, "a 7z archive", unpack},
    {"\x04\x22\x4d\x18"sv, 0, "compressed with lz4", unpack},
    {"1AY&SY"sv, 4, "compressed with bzip2", unpack},
    {"ustar"sv, 257, "a tar archive", unpack},
    {"%PDF-"sv, 0, "a PDF document", extract},
    {"{\\rtf1"sv, 0, "an RTF document", extract},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, 0, "a document of Office", extract},
    {"SQLite format 3\0"sv, 0, "a database of SQLite", fromPython},
    {"GGUF"sv, 0, "a GGUF model", "give the data to train on"},
    {"\x7f"
     "ELF"sv,
     0, "a program", "give the data to train on"},
    {"\x89PNG\r\n\x1a\n"sv, 0, "a PNG image",
     "give batches of images as safetensors"},
    {"\xff\xd8\xff\xe0"sv, 0, "a JPEG image",
     "give batches of images as safetensors"},
    {"GIF8"sv, 0, "a GIF image", "give batches of images as safetensors"},
    {"version https://git-lfs.github.com/spec/"sv, 0,
     "a Git LFS pointer, not the file itself",
     "fetch that with 'git lfs pull'"},
};

bool beginsWith(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

FileKind ofSignature(std::string_view begin) {
  for (const Signature &signature : signatures)
    if (begin.size() > signature.offset &&
        beginsWith(begin.substr(signature.offset), signature.bytes))
      return {signature.what, signature.remedy, /*isCertain=*/true};
  // Its flags and its system have few valid values.
  if (begin.size() >= 10 && beginsWith(begin, "\x1f\x8b\x08"sv) &&
      static_cast<unsigned char>(begin[3]) < 32)
    return {"compressed with gzip", unpack, /*isCertain=*/true};
  if (beginsWith(begin, "\xff\xff\xff\xff"sv) && begin.size() > 8 &&
      begin[7] == 0 && begin[4] % 8 == 0)
    return {"a stream of Arrow, as data sets of Hugging Face are kept",
            fromPython, /*isCertain=*/false};
  // Protocols 2 to 5, and the first opcode of the contents.
  if (begin.size() >= 4 && begin[0] == '\x80' && begin[1] >= 2 &&
      begin[1] <= 5 && "}](c\x95\x8a"sv.find(begin[2]) != begin.npos)
    return {"a pickle of Python", fromPython, /*isCertain=*/false};
  if (beginsWith(begin, "\xff\xfe"sv) || beginsWith(begin, "\xfe\xff"sv))
    return {"text in UTF-16", "convert it with 'iconv -f UTF-16 -t UTF-8'",
            /*isCertain=*/false};
  return {};
}

/// The length of a header, followed by the header.
FileKind ofSafetensors(std::string_view begin, uint64_t size) {
  if (begin.size() < 10 || (begin[8] != '{'))
    return {};
  uint64_t length = 0;
  for (size_t i = 8; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(begin[i]);
  if (length < 2 || length > size - 8)
    return {};
  return {"a safetensors file",
          "say so with --tokens safetensors, or by its name",
          /*isCertain=*/true};
}

/// JSON lines, with any contents. The last line may be truncated.
FileKind ofJson(std::string_view begin, bool isWhole) {
  constexpr char remedy[] =
      "tokenize it with 'python3 -m temlir_data tokenize FILE --tokenizer NAME "
      "-o tokens.bin' (pip install ./python), or, for a model over bytes, with "
      "'--tokenizer bytes'";
  size_t records = 0;
  std::string_view rest = begin;
  while (!rest.empty() && records < 8) {
    const size_t end = rest.find('\n');
    const bool isLast = end == rest.npos;
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(isLast ? rest.size() : end + 1);
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos)
      continue;
    if (line[first] != '{' && line[first] != '[')
      return {};
    auto value = parseJson(line);
    // A single line may be longer than the text that was read.
    if (isLast && !isWhole && value.is_discarded())
      break;
    if (!value.is_object() && !value.is_array())
      return {};
    ++records;
  }
  if (records > 1)
    return {"JSON lines, a record in each", remedy, /*isCertain=*/false};
  return {};
}

/// `text` without leading white space.
std::string_view skipSpace(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

/// A record, or a list of records or numbers, over any number of lines.
FileKind ofJsonDocument(std::string_view begin) {
  const FileKind json = {
      "JSON",
      "write the text alone for a model over bytes, or the tokens of its text "
      "as a stream (.bin)",
      /*isCertain=*/false};
  begin = skipSpace(begin);
  if (begin.substr(0, 1) == "[") {
    if (begin.find_first_not_of(" \t\r\n[],-+.0123456789eE") == begin.npos &&
        begin.find_first_of("0123456789") != begin.npos)
      return json;
    begin = skipSpace(begin.substr(1));
  }
  if (begin.substr(0, 1) != "{")
    return {};
  // A name, followed by a colon.
  begin = skipSpace(begin.substr(1));
  const size_t quote = begin.find('"', 1);
  if (begin.substr(0, 1) != "\"" || quote == begin.npos ||
      skipSpace(begin.substr(quote + 1)).substr(0, 1) != ":")
    return {};
  return json;
}
} // namespace

Expected<FileKind> tert::training::recognise(const InputFile &file) {
  std::string text(
      static_cast<size_t>(std::min<uint64_t>(file.size(), longestBeginning)),
      '\0');
  if (Error error = file.read(0, text.data(), text.size()))
    return error;
  std::string_view begin = text;
  if (FileKind kind = ofSignature(begin); !kind.what.empty())
    return kind;
  if (FileKind kind = ofSafetensors(begin, file.size()); !kind.what.empty())
    return kind;
  // A byte-order mark before JSON.
  if (beginsWith(begin, "\xef\xbb\xbf"sv))
    begin.remove_prefix(3);
  if (FileKind kind = ofJson(begin, text.size() == file.size());
      !kind.what.empty())
    return kind;
  return ofJsonDocument(begin);
}
