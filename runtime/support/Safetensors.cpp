// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Safetensors.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

using namespace tert::session;

namespace {
/// Limit of the reference implementation.
constexpr uint64_t maxHeaderBytes = 100'000'000;
constexpr size_t lengthBytes = 8;

struct HeaderTensor {
  std::optional<DType> dtype;
  std::optional<Shape> shape;
  std::vector<uint64_t> offsets;
  bool haveOffsets = false;
};

/// Reads the header as a stream of events, which preserves duplicates and
/// limits the depth, as a tree of values would not.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
public:
  std::map<std::string, HeaderTensor> tensors;
  std::map<std::string, std::string> metadata;
  std::string failure;

  bool null() override { return fail("holds a null"); }
  bool boolean(bool) override { return fail("holds a boolean"); }
  bool number_float(double, const std::string &text) override {
    return fail("holds the number " + text + " where a size belongs");
  }
  bool binary(binary_t &) override { return fail("holds binary data"); }
  bool number_integer(int64_t value) override {
    return fail("holds the negative size " + std::to_string(value) +
                " in tensor '" + name + "'");
  }

  bool number_unsigned(uint64_t value) override {
    if (state == State::Shape) {
      if (value > static_cast<uint64_t>(INT64_MAX))
        return fail("holds the size " + std::to_string(value) + " in tensor '" +
                    name + "', more than any memory");
      tensor->shape->push_back(static_cast<int64_t>(value));
      return true;
    }
    if (state == State::Offsets) {
      tensor->offsets.push_back(value);
      return true;
    }
    return fail("holds a number where none belongs");
  }

  bool string(std::string &value) override {
    if (state == State::Metadata) {
      if (!metadata.emplace(field, std::move(value)).second)
        return fail("names the metadata '" + field + "' twice");
      return true;
    }
    if (state != State::Tensor || field != "dtype")
      return fail("holds a text where none belongs");
    tensor->dtype = parseDType(value);
    if (!tensor->dtype)
      return fail("gives tensor '" + name + "' the dtype '" + value +
                  "', which is not known here");
    return true;
  }

  bool start_object(size_t) override {
    if (state == State::Start) {
      state = State::Top;
      return true;
    }
    if (state == State::Top) {
      if (name == "__metadata__") {
        state = State::Metadata;
        return haveMetadata ? fail("holds __metadata__ twice")
                            : (haveMetadata = true);
      }
      auto [it, inserted] = tensors.try_emplace(name);
      if (!inserted)
        return fail("names tensor '" + name + "' twice");
      tensor = &it->second;
      state = State::Tensor;
      return true;
    }
    return fail("holds an object where none belongs");
  }

  bool key(std::string &value) override {
    if (state == State::Top)
      name = value;
    else
      field = value;
    return true;
  }

  bool end_object() override {
    if (state == State::Tensor &&
        (!tensor->dtype || !tensor->shape || !tensor->haveOffsets))
      return fail("gives tensor '" + name +
                  "' without dtype, shape or data_offsets");
    state = state == State::Top ? State::End : State::Top;
    return true;
  }

  bool start_array(size_t) override {
    if (state == State::Tensor && field == "shape" && !tensor->shape) {
      tensor->shape.emplace();
      state = State::Shape;
      return true;
    }
    if (state == State::Tensor && field == "data_offsets" &&
        !tensor->haveOffsets) {
      tensor->haveOffsets = true;
      state = State::Offsets;
      return true;
    }
    return fail("holds an array where none belongs");
  }

  bool end_array() override {
    if (state == State::Offsets && tensor->offsets.size() != 2)
      return fail("gives tensor '" + name + "' data_offsets that are not two");
    state = State::Tensor;
    return true;
  }

  bool parse_error(size_t position, const std::string &,
                   const nlohmann::detail::exception &) override {
    return fail("is not valid JSON at byte " +
                std::to_string(position + lengthBytes));
  }

private:
  bool fail(std::string text) {
    if (failure.empty())
      failure = std::move(text);
    return false;
  }

  enum class State { Start, Top, Metadata, Tensor, Shape, Offsets, End };
  State state = State::Start;
  bool haveMetadata = false;
  std::string name, field;
  HeaderTensor *tensor = nullptr;
};
} // namespace

Expected<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  Expected<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.takeError();
  auto fail = [&](const std::string &why) {
    return Error("'" + path + "' is not a complete safetensors file: " + why);
  };

  SafetensorsFile result(std::move(*mapped));
  const char *data = result.file.data();
  size_t size = result.file.size();
  if (size < lengthBytes)
    return fail("it has " + std::to_string(size) +
                " bytes, fewer than the 8 of the header's length");
  uint64_t headerBytes = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    headerBytes |= static_cast<uint64_t>(static_cast<uint8_t>(data[i]))
                   << (8 * i);
  if (headerBytes > maxHeaderBytes || headerBytes > size - lengthBytes)
    return fail("its header should have " + std::to_string(headerBytes) +
                " bytes, but " + std::to_string(size - lengthBytes) +
                " follow");
  if (headerBytes == 0 || data[lengthBytes] != '{')
    return fail("its header does not start with '{'");

  HeaderReader reader;
  const char *header = data + lengthBytes;
  bool parsed =
      nlohmann::json::sax_parse(header, header + headerBytes, &reader);
  if (!parsed || !reader.failure.empty())
    return fail("its header " + (reader.failure.empty() ? "is not valid JSON"
                                                        : reader.failure));

  result.payloadOffset = lengthBytes + headerBytes;
  uint64_t payload = size - result.payloadOffset;
  struct Extent {
    uint64_t begin, end;
    const std::string *name;
  };
  std::vector<Extent> extents;
  for (auto &[name, tensor] : reader.tensors) {
    uint64_t begin = tensor.offsets[0], end = tensor.offsets[1];
    std::optional<int64_t> bytes = byteCount(*tensor.dtype, *tensor.shape);
    std::string what = "tensor '" + name + "', " +
                       std::string(nameOf(*tensor.dtype)) + " " +
                       toString(*tensor.shape);
    if (!bytes)
      return fail(what + ", has more bytes than any memory");
    if (begin > end || end - begin != static_cast<uint64_t>(*bytes))
      return fail(what + ", needs " + std::to_string(*bytes) +
                  " bytes, but its data_offsets are [" + std::to_string(begin) +
                  ", " + std::to_string(end) + "]");
    if (end > payload)
      return fail(what + ", ends at byte " + std::to_string(end) +
                  " of the data, but the file holds " +
                  std::to_string(payload) + "; it may be truncated");
    extents.push_back({begin, end, &name});
    result.table.emplace(name,
                         TensorView{*tensor.dtype, std::move(*tensor.shape),
                                    data + result.payloadOffset + begin,
                                    static_cast<size_t>(*bytes)});
  }
  std::sort(extents.begin(), extents.end(),
            [](const Extent &a, const Extent &b) {
              return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
            });
  uint64_t covered = 0;
  for (const Extent &extent : extents) {
    if (extent.begin != covered)
      return fail("tensor '" + *extent.name + "' starts at byte " +
                  std::to_string(extent.begin) + " of the data, where " +
                  std::to_string(covered) + " comes next: it " +
                  (extent.begin < covered ? "overlaps the one before"
                                          : "leaves a gap"));
    covered = extent.end;
  }
  if (covered != payload)
    return fail("it has " + std::to_string(payload - covered) +
                " bytes that belong to no tensor");
  result.notes = std::move(reader.metadata);
  return result;
}

const TensorView *SafetensorsFile::find(const std::string &name) const {
  auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

/// The header's text before a value of the metadata.
static std::string metadataLabel(const std::string &key) {
  return nlohmann::json(key).dump() + ":\"";
}

std::string SafetensorsFile::storedChecksum() const {
  auto it = notes.find(SafetensorsWriter::checksumKey);
  bool isOurs = it != notes.end() && it->second.size() == Digest::textLength;
  return isOurs ? it->second : std::string();
}

bool SafetensorsFile::matchesChecksum() const {
  std::string stored = storedChecksum();
  if (stored.empty())
    return true;
  std::string start(header());
  std::string label = metadataLabel(SafetensorsWriter::checksumKey);
  if (size_t at = start.find(label + stored + "\""); at != std::string::npos)
    start.replace(at + label.size(), stored.size(), Digest::placeholder());
  Digest digest;
  digest.add(start.data(), start.size());
  digest.add(payload(), payloadSize());
  return digest.text() == stored;
}

Expected<SafetensorsWriter>
SafetensorsWriter::create(const std::string &path,
                          const std::vector<Entry> &entries,
                          const std::map<std::string, std::string> &metadata) {
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    size_t sizeA = sizeOf(entries[a].dtype), sizeB = sizeOf(entries[b].dtype);
    return sizeA != sizeB ? sizeA > sizeB : a < b;
  });

  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!metadata.empty())
    json["__metadata__"] = metadata;
  uint64_t offset = 0;
  for (size_t index : order) {
    const Entry &entry = entries[index];
    std::optional<int64_t> bytes = byteCount(entry.dtype, entry.shape);
    if (!bytes || entry.name == "__metadata__" || json.contains(entry.name))
      return Error("cannot write tensor '" + entry.name + "' of shape " +
                   toString(entry.shape) + " to '" + path +
                   "': its size overflows or its name is taken");
    uint64_t end = offset + static_cast<uint64_t>(*bytes);
    json[entry.name] = {{"dtype", nameOf(entry.dtype)},
                        {"shape", entry.shape},
                        {"data_offsets", {offset, end}}};
    offset = end;
  }

  // Bytes that are not UTF-8 (a name from a foreign file) are replaced instead
  // of throwing.
  std::string text =
      json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string header(lengthBytes, '\0');
  for (size_t i = 0; i < lengthBytes; ++i)
    header[i] = static_cast<char>((text.size() >> (8 * i)) & 0xff);
  header += text;

  Expected<AtomicFile> file = AtomicFile::create(path, header.size() + offset);
  if (!file)
    return file.takeError();
  SafetensorsWriter writer(std::move(*file));
  if (Error error = writer.file.write(header.data(), header.size()))
    return error;
  auto checksum = metadata.find(checksumKey);
  if (checksum != metadata.end() && checksum->second == Digest::placeholder()) {
    writer.digest.emplace();
    writer.digest->add(header.data(), header.size());
  }
  writer.text = std::move(header);
  writer.sequence = std::move(order);
  writer.remaining = offset;
  return writer;
}

Error SafetensorsWriter::append(const void *data, size_t bytes) {
  if (bytes > remaining)
    return Error("more bytes appended to a safetensors file than its header "
                 "announces");
  remaining -= bytes;
  if (digest)
    digest->add(data, bytes);
  return file.write(data, bytes);
}

Error SafetensorsWriter::patchMetadata(const std::string &key,
                                       const std::string &value) {
  std::string label = metadataLabel(key);
  size_t position = text.find(label);
  size_t end = position + label.size() + value.size();
  if (position == std::string::npos || end >= text.size() || text[end] != '"')
    return Error("no space for the metadata '" + key + "'");
  return file.writeAt(position + label.size(), value.data(), value.size());
}

Error SafetensorsWriter::complete() {
  if (remaining)
    return Error("a safetensors file was left " + std::to_string(remaining) +
                 " bytes short of its header");
  return digest ? patchMetadata(checksumKey, digest->text()) : Error::success();
}

Error SafetensorsWriter::commit() {
  if (Error error = complete())
    return error;
  return file.commit();
}

Expected<AtomicFile> SafetensorsWriter::finish() && {
  if (Error error = complete())
    return error;
  return std::move(file);
}
