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

/// What an output goes to. Links are followed.
enum class OutputKind {
  File,   ///< a regular file, or nothing yet: written beside and renamed
  Stream, ///< a pipe or a character device, such as /dev/null: written through
  Refused ///< a folder, a socket, a disk
};

/// `path` with links followed, also to where nothing is yet, and what is there.
struct OutputPlace {
  std::string path;
  OutputKind kind = OutputKind::File;
  /// Of OutputKind::Refused: "it is a folder".
  std::string why;
};
OutputPlace findOutputPlace(const std::string &path);

/// A file that appears under its name only when it is whole: written to
/// "<path>.tmp" in the same folder, synced, renamed, and the folder synced.
/// Without commit() the temporary file is removed and what had the name before
/// stays as it was. A link stays a link, to a new file. Pipes and character
/// devices are written through, which nothing can take back.
///
/// Several processes may write one path at once; the last to commit wins. The
/// temporary file is locked while it is written, so that those of others are
/// told apart from leftovers of killed processes, which are removed.
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
  /// Overwrites bytes written before. Not for streams.
  Error writeAt(uint64_t offset, const void *data, size_t bytes);
  Error commit();

  /// Gives both files their names. At no moment, whenever the process ends,
  /// does an old `principal` stand beside a new `companion` or a new one beside
  /// an old: the old principal goes first, the new one comes last.
  static Error commitTogether(AtomicFile &principal, AtomicFile &companion);
  /// The same where the new principal has no companion: the file `companion` of
  /// the old one is removed.
  static Error commitAlone(AtomicFile &principal, const std::string &companion);

  /// Where `path` is written unless another process does so at the same time.
  static std::string temporaryName(const std::string &path) {
    return path + ".tmp";
  }

private:
  AtomicFile(OutputPlace place, std::string temporary, int descriptor)
      : path(std::move(place.path)), temporary(std::move(temporary)),
        kind(place.kind), descriptor(descriptor) {}
  Error failure(const char *action) const;
  /// Syncs: all that can still fail before the name is given.
  Error finish();
  Error rename();
  Error removeOld();

  /// Of the file, behind all links.
  std::string path;
  /// Where it is until it is whole; locked while `descriptor` is open.
  std::string temporary;
  OutputKind kind;
  int descriptor;
  /// The file that had the name is gone.
  bool removed = false;
};

/// Writes a small file whole.
Error writeFile(const std::string &path, std::string_view content);

} // namespace tert::session

#endif // TERT_SESSION_FILE_H
