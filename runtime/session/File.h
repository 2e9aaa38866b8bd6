// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files: read through a mapping, written so that a reader sees either the old
// file or the new one, never a part.

#ifndef TERT_SESSION_FILE_H
#define TERT_SESSION_FILE_H

#include "session/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tert::session {

/// The bytes of a regular file, mapped read-only.
class MappedFile {
public:
  static Expected<MappedFile> open(const std::string &path);

  MappedFile(MappedFile &&other) noexcept;
  MappedFile &operator=(MappedFile &&other) noexcept;
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile();

  const char *data() const { return address; }
  size_t size() const { return length; }
  const std::string &path() const { return name; }

private:
  MappedFile(std::string path, const char *address, size_t length)
      : name(std::move(path)), address(address), length(length) {}
  std::string name;
  const char *address;
  size_t length;
};

/// A file that appears under its name only when it is whole: written to
/// "<path>.tmp" in the same folder, synced, renamed, and the folder synced.
/// Without commit() the temporary file is removed and what had the name before
/// stays as it was.
class AtomicFile {
public:
  /// `size`: bytes that will be written, reserved at once where the file system
  /// can, so that a full disk shows before the work; 0 when not known.
  static Expected<AtomicFile> create(const std::string &path,
                                     uint64_t size = 0);

  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;
  AtomicFile(const AtomicFile &) = delete;
  ~AtomicFile();

  Error write(const void *data, size_t bytes);
  /// Overwrites bytes written before.
  Error writeAt(uint64_t offset, const void *data, size_t bytes);
  Error commit();

  static std::string temporaryName(const std::string &path) {
    return path + ".tmp";
  }

private:
  AtomicFile(std::string path, int descriptor)
      : path(std::move(path)), descriptor(descriptor) {}
  Error failure(const char *action) const;
  std::string path;
  int descriptor;
};

/// Writes a small file whole.
Error writeFile(const std::string &path, std::string_view content);

} // namespace tert::session

#endif // TERT_SESSION_FILE_H
