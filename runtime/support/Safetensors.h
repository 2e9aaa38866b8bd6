// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The safetensors container (https://github.com/huggingface/safetensors): an
// 8-byte little-endian header length, a JSON header, the tensors' bytes.

#ifndef TERT_SUPPORT_SAFETENSORS_H
#define TERT_SUPPORT_SAFETENSORS_H

#include "support/DType.h"
#include "support/Digest.h"
#include "support/File.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tert::session {

/// Suffix of such files.
constexpr char safetensorsSuffix[] = ".safetensors";

/// One tensor of an open file: row-major, little-endian, possibly unaligned.
struct TensorView {
  DType dtype;
  Shape shape;
  const char *data;
  size_t bytes;
};

/// An open file. For any input, opening gives a file whose views all lie within
/// the mapping, or an error that names the defect: the header's length, its
/// JSON, a duplicate name, an unknown dtype, a negative or overflowing size,
/// offsets that disagree with dtype and shape, tensors that overlap or leave
/// gaps, missing or surplus bytes at the end.
class SafetensorsFile {
public:
  static Expected<SafetensorsFile> open(const std::string &path);

  /// By name; null if the file has no such tensor.
  const TensorView *find(const std::string &name) const;
  const std::map<std::string, TensorView> &tensors() const { return table; }
  const std::map<std::string, std::string> &metadata() const { return notes; }
  const std::string &path() const { return file.path(); }
  /// Everything before the tensors: length and JSON.
  std::string_view header() const { return {file.data(), payloadOffset}; }
  /// The bytes of all tensors, in file order.
  const char *payload() const { return file.data() + payloadOffset; }
  size_t payloadSize() const { return file.size() - payloadOffset; }
  /// The checksum stored by SafetensorsWriter; empty if there is none.
  std::string storedChecksum() const;
  /// Reads the entire file; true also without a checksum.
  bool matchesChecksum() const;

private:
  explicit SafetensorsFile(MappedFile file) : file(std::move(file)) {}
  MappedFile file;
  size_t payloadOffset = 0;
  std::map<std::string, TensorView> table;
  std::map<std::string, std::string> notes;
};

/// Writes a file tensor by tensor, through AtomicFile.
class SafetensorsWriter {
public:
  /// The metadata key of the digest of header and tensors, computed with zeros
  /// in its place. If its value is Digest::placeholder(), commit() fills it in.
  static constexpr char checksumKey[] = "checksum";
  struct Entry {
    std::string name;
    DType dtype;
    Shape shape;
  };

  /// Tensors are laid out with the widest element type first, so that each is
  /// aligned to its element; `order` returns the order in which to append them.
  static Expected<SafetensorsWriter>
  create(const std::string &path, const std::vector<Entry> &entries,
         const std::map<std::string, std::string> &metadata);

  /// Indices into `entries`.
  const std::vector<size_t> &order() const { return sequence; }
  /// Length and JSON, as written by create().
  const std::string &header() const { return text; }
  /// Appends the bytes of the next tensor of order(), at once or piecewise.
  Error append(const void *data, size_t bytes);
  /// Replaces the value of a metadata key by one of equal length, for values
  /// that are known only at the end.
  Error patchMetadata(const std::string &key, const std::string &value);
  Error commit();
  /// The complete file, to be committed together with another.
  Expected<AtomicFile> finish() &&;
  /// Call after all tensors: the digest; empty if none was requested.
  std::string checksum() const { return digest ? digest->text() : ""; }

private:
  SafetensorsWriter(AtomicFile file) : file(std::move(file)) {}
  Error complete();
  AtomicFile file;
  std::optional<Digest> digest;
  std::string text;
  std::vector<size_t> sequence;
  uint64_t remaining = 0;
};

} // namespace tert::session

#endif // TERT_SUPPORT_SAFETENSORS_H
