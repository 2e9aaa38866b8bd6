// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files: read through a mapping, and written atomically.

#ifndef TERT_SUPPORT_FILE_H
#define TERT_SUPPORT_FILE_H

#include "support/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tert::session {

/// The bytes of a regular file, mapped read-only.
class MappedFile {
public:
  static Expected<MappedFile> open(const std::string &path);

  const char *data() const { return bytes.get(); }
  size_t size() const { return bytes.get_deleter().length; }
  const std::string &path() const { return name; }

private:
  MappedFile(std::string path, const char *address, size_t length)
      : name(std::move(path)), bytes(address, Unmap{length}) {}

  struct Unmap {
    void operator()(const char *address) const;
    size_t length;
  };
  std::string name;
  std::unique_ptr<const char, Unmap> bytes;
};

/// Kind of an output's destination. Links are followed.
enum class OutputKind {
  File,   ///< a regular file, or nothing yet: written to a temporary file and
          ///< renamed
  Stream, ///< a pipe or a character device, such as /dev/null: written through
  Refused ///< a folder, a socket, a disk
};

/// `path` with links followed, even to a file that does not exist yet, and its
/// kind.
struct OutputTarget {
  std::string path;
  OutputKind kind = OutputKind::File;
  /// For OutputKind::Refused: "it is a folder".
  std::string why;
};
OutputTarget findOutputTarget(const std::string &path);

/// A file that appears under its name only when complete: written to
/// "<path>.tmp" in the same folder, synced, renamed, and the folder synced.
/// Without commit() the temporary file is removed and the existing file kept. A
/// link stays a link, to a new file. Pipes and character devices are written
/// directly, which cannot be undone.
///
/// Several processes may write one path concurrently; the last one to commit
/// wins. The temporary file is locked while it is written, which distinguishes
/// it from leftovers of killed processes, which are removed.
class AtomicFile {
public:
  /// `size`: bytes that will be written, reserved in advance if the file system
  /// supports it, so that a full disk is detected before the work; 0 if
  /// unknown.
  static Expected<AtomicFile> create(const std::string &path,
                                     uint64_t size = 0);

  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;
  AtomicFile(const AtomicFile &) = delete;
  ~AtomicFile();

  Error write(const void *data, size_t bytes);
  /// Overwrites bytes written before. Not for streams.
  Error writeAt(uint64_t offset, const void *data, size_t bytes);
  Error commit();

  /// Renames both files. Even if the process is killed, an old `principal`
  /// never coexists with a new `companion`, or a new one with an old: the old
  /// principal is removed first, the new one renamed last.
  static Error commitTogether(AtomicFile &principal, AtomicFile &companion);
  /// For a new principal without a companion: the file `companion` of the old
  /// one is removed.
  static Error commitAlone(AtomicFile &principal, const std::string &companion);

  /// The temporary name for `path`, unless another process uses it.
  static std::string temporaryName(const std::string &path) {
    return path + ".tmp";
  }

private:
  AtomicFile(OutputTarget place, std::string temporary, int descriptor)
      : path(std::move(place.path)), temporary(std::move(temporary)),
        kind(place.kind), descriptor(descriptor) {}
  Error failure(const char *action) const;
  /// Syncs the file: all steps before the rename that can fail.
  Error finish();
  Error rename();
  Error removeOld();

  /// Target of all links.
  std::string path;
  /// Name until it is complete; locked while `descriptor` is open.
  std::string temporary;
  OutputKind kind;
  int descriptor;
  /// The existing file has been removed.
  bool removed = false;
};

/// Writes a small file atomically.
Error writeFile(const std::string &path, std::string_view content);

} // namespace tert::session

#endif // TERT_SUPPORT_FILE_H
