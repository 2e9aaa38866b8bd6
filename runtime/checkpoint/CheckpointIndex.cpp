// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/CheckpointIndex.h"

#include "support/Digest.h"
#include "support/File.h"
#include "support/Json.h"

using namespace tert::session;
using nlohmann::ordered_json;

namespace {
constexpr char format[] = "tert-checkpoint-index";
constexpr int version = 1;
constexpr char indexChecksumLabel[] = "\"checksum\": \"";

ordered_json toJson(const ShardFile &file) {
  return {
      {"name", file.name}, {"bytes", file.bytes}, {"checksum", file.checksum}};
}

/// A field of an object, of the given kind; null if there is none.
const ordered_json *find(const ordered_json &object, const char *key,
                         ordered_json::value_t kind) {
  if (!object.is_object())
    return nullptr;
  auto it = object.find(key);
  return it != object.end() && it->type() == kind ? &*it : nullptr;
}

using Kind = ordered_json::value_t;

std::optional<ShardFile> parseFile(const ordered_json &object) {
  const ordered_json *name = find(object, "name", Kind::string),
                     *bytes = find(object, "bytes", Kind::number_unsigned),
                     *checksum = find(object, "checksum", Kind::string);
  if (!name || !bytes || !checksum)
    return std::nullopt;
  return ShardFile{name->get<std::string>(), bytes->get<uint64_t>(),
                   checksum->get<std::string>()};
}

/// True for a name without a path, which stays within the folder.
bool isPlain(const std::string &name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

/// A size in the JSON; nothing for other values.
std::optional<int64_t> sizeIn(const ordered_json &value) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > INT64_MAX)
    return std::nullopt;
  return value.get<int64_t>();
}

bool parseSizes(const ordered_json *field, std::vector<int64_t> &sizes) {
  if (!field)
    return false;
  for (const ordered_json &item : *field) {
    std::optional<int64_t> size = sizeIn(item);
    if (!size)
      return false;
    sizes.push_back(*size);
  }
  return true;
}

bool parseSize(const ordered_json &object, const char *key, int64_t &size) {
  const ordered_json *field = find(object, key, Kind::number_unsigned);
  std::optional<int64_t> value = field ? sizeIn(*field) : std::nullopt;
  if (value)
    size = *value;
  return value.has_value();
}
} // namespace

std::string ShardFile::text() const { return toJson(*this).dump(); }

std::optional<ShardFile> ShardFile::parse(const std::string &text) {
  return parseFile(parseJson<ordered_json>(text));
}

Error CheckpointIndex::write(const std::string &folder) const {
  ordered_json root = {{"format", format},
                       {"version", version},
                       {"metadata", metadata},
                       {"files", ordered_json::array()},
                       {"checksum", Digest::placeholder()}};
  for (const ShardFile &file : files)
    root["files"].push_back(toJson(file));
  std::string text =
      root.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  Digest digest;
  digest.add(text.data(), text.size());
  // The last one is its own; the others are of the files.
  text.replace(text.rfind(indexChecksumLabel) + sizeof(indexChecksumLabel) - 1,
               Digest::textLength, digest.text());
  return writeFile(pathIn(folder), text);
}

Expected<CheckpointIndex> CheckpointIndex::read(const std::string &folder) {
  const std::string path = pathIn(folder);
  Expected<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.takeError();
  std::string text(mapped->data(), mapped->size());
  auto damaged = [&](const std::string &why) {
    return Error("'" + path + "' is damaged: " + why);
  };
  auto root = parseJson<ordered_json>(text);
  const ordered_json *kind = find(root, "format", Kind::string);
  if (!kind || *kind != format)
    return damaged("it is not the index of a checkpoint");
  const ordered_json *itsVersion = find(root, "version", Kind::number_unsigned);
  if (!itsVersion || *itsVersion != version)
    return Error("'" + path + "' has another version than " +
                 std::to_string(version) + ", which this program reads");
  const ordered_json *notes = find(root, "metadata", Kind::object),
                     *files = find(root, "files", Kind::array),
                     *checksum = find(root, "checksum", Kind::string);
  size_t at = text.rfind(indexChecksumLabel);
  if (!notes || !files || !checksum || at == std::string::npos)
    return damaged("it lacks metadata, files or checksum");
  const std::string stored = *checksum;
  at += sizeof(indexChecksumLabel) - 1;
  if (stored.size() == Digest::textLength &&
      text.compare(at, stored.size(), stored) == 0)
    text.replace(at, stored.size(), Digest::placeholder());
  Digest digest;
  digest.add(text.data(), text.size());
  if (digest.text() != stored)
    return damaged("its bytes do not match its checksum");

  CheckpointIndex index;
  for (const auto &[key, value] : notes->items()) {
    if (!value.is_string())
      return damaged("its metadata '" + key + "' is no text");
    index.metadata[key] = value.get<std::string>();
  }
  for (const ordered_json &item : *files) {
    std::optional<ShardFile> file = parseFile(item);
    if (!file)
      return damaged("it has a file without name, size or checksum");
    if (!isPlain(file->name))
      return damaged("it names the file '" + file->name +
                     "', which is not one of its folder");
    index.files.push_back(std::move(*file));
  }
  return index;
}

std::string
tert::session::shardsText(const std::map<std::string, TensorShard> &parts) {
  ordered_json root = ordered_json::object();
  for (const auto &[name, part] : parts) {
    ordered_json entry = {{"shape", part.cut.shape}, {"part", part.number}};
    if (part.cut.dimParts > 1) {
      entry["dim"] = part.cut.dim;
      entry["dim_parts"] = part.cut.dimParts;
      if (!part.cut.blocks.empty())
        entry["blocks"] = part.cut.blocks;
    }
    if (part.cut.flatParts > 1)
      entry["flat_parts"] = part.cut.flatParts;
    root[name] = std::move(entry);
  }
  return root.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::optional<std::map<std::string, TensorShard>>
tert::session::parseShards(const std::string &text) {
  auto root = parseJson<ordered_json>(text);
  if (!root.is_object())
    return std::nullopt;
  std::map<std::string, TensorShard> parts;
  for (const auto &[name, entry] : root.items()) {
    TensorShard part;
    if (!parseSizes(find(entry, "shape", Kind::array), part.cut.shape) ||
        !parseSize(entry, "part", part.number))
      return std::nullopt;
    for (const auto &[key, size] : {std::pair("dim", &part.cut.dim),
                                    {"dim_parts", &part.cut.dimParts},
                                    {"flat_parts", &part.cut.flatParts}})
      if (entry.contains(key) && !parseSize(entry, key, *size))
        return std::nullopt;
    if (entry.contains("blocks") &&
        !parseSizes(find(entry, "blocks", Kind::array), part.cut.blocks))
      return std::nullopt;
    parts.emplace(name, std::move(part));
  }
  return parts;
}
