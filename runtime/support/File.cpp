// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/File.h"

#include "support/InputFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace tert::session;

static std::string reason() { return std::strerror(errno); }

Expected<MappedFile> MappedFile::open(const std::string &path) {
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeError();
  auto size = static_cast<size_t>(file->size());
  void *address = nullptr;
  if (size) {
    address =
        ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file->descriptor(), 0);
    if (address == MAP_FAILED)
      return Error("cannot read '" + path + "': " + reason());
  }
  return MappedFile(path, static_cast<const char *>(address), size);
}

void MappedFile::Unmap::operator()(const char *address) const {
  ::munmap(const_cast<char *>(address), length);
}

OutputTarget tert::session::findOutputTarget(const std::string &path) {
  OutputTarget place{path, OutputKind::File, ""};
  struct stat status = {};
  // Checks the final target of all links, including those of /proc to files
  // without a name.
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)) {
      place.kind = OutputKind::Stream;
      return place;
    }
    place.kind = OutputKind::Refused;
    place.why = S_ISDIR(status.st_mode)    ? "it is a folder"
                : S_ISSOCK(status.st_mode) ? "it is a socket"
                                           : "it is a disk";
    return place;
  }
  // Linux follows at most as many links.
  for (int links = 0; links < 40; ++links) {
    if (::lstat(place.path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode))
      return place;
    std::error_code code;
    auto target = std::filesystem::read_symlink(place.path, code);
    if (code)
      break;
    place.path =
        (std::filesystem::path(place.path).parent_path() / target).string();
  }
  place.kind = OutputKind::Refused;
  place.why = "it is a link that leads nowhere";
  return place;
}

/// True if the name refers to the open file.
static bool isNamed(int descriptor, const std::string &name) {
  struct stat open = {}, named = {};
  return ::fstat(descriptor, &open) == 0 &&
         ::lstat(name.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

/// Removes the temporary file of a process that ended without removing it; a
/// link is removed, not followed. False if the name is in use.
static bool removeStaleTemporary(const std::string &name) {
  struct stat status = {};
  if (::lstat(name.c_str(), &status) != 0)
    return errno == ENOENT;
  if (!S_ISREG(status.st_mode))
    return ::unlink(name.c_str()) == 0;
  int descriptor =
      ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0)
    return errno == ENOENT;
  bool isFree = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  // Only the holder of the lock removes or renames the file, so the name still
  // refers to it if it does now.
  if (isFree && isNamed(descriptor, name))
    isFree = ::unlink(name.c_str()) == 0;
  ::close(descriptor);
  return isFree;
}

/// Creates and locks a file next to `path`, and returns its name; -1 and errno
/// on failure.
static int createTemporary(const std::string &path, std::string &name) {
  constexpr int maxWriters = 1000, maxAttempts = 100;
  for (int writer = 0; writer < maxWriters; ++writer) {
    name = AtomicFile::temporaryName(
        writer ? path + "." + std::to_string(writer) : path);
    for (int attempt = 0; attempt < maxAttempts; ++attempt) {
      int descriptor =
          ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor < 0) {
        if (errno != EEXIST)
          return -1;
        if (!removeStaleTemporary(name))
          break;
        continue;
      }
      // Until the lock is held, another process may take it for a leftover.
      // File systems without locks support one process at a time.
      if ((::flock(descriptor, LOCK_EX | LOCK_NB) == 0 ||
           errno != EWOULDBLOCK) &&
          isNamed(descriptor, name))
        return descriptor;
      ::close(descriptor);
    }
  }
  errno = EEXIST;
  return -1;
}

Expected<AtomicFile> AtomicFile::create(const std::string &path,
                                        uint64_t size) {
  OutputTarget place = findOutputTarget(path);
  if (place.kind == OutputKind::Refused)
    return Error("cannot write '" + path + "': " + place.why +
                 "; give the path of a file");
  std::string temporary;
  int descriptor =
      place.kind == OutputKind::Stream
          ? ::open(place.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY)
          : createTemporary(place.path, temporary);
  if (descriptor < 0)
    return Error("cannot write '" + path + "': " + reason() +
                 "; give a path in an existing folder that you may write to");
  AtomicFile file(std::move(place), std::move(temporary), descriptor);
  if (file.kind == OutputKind::File && size &&
      ::fallocate(descriptor, 0, 0, static_cast<off_t>(size)) != 0 &&
      (errno == ENOSPC || errno == EFBIG || errno == EDQUOT))
    return file.failure("reserve space for");
  return file;
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)),
      temporary(std::exchange(other.temporary, std::string())),
      kind(other.kind), descriptor(std::exchange(other.descriptor, -1)),
      removed(other.removed) {}

AtomicFile::~AtomicFile() {
  // While the lock is still held.
  if (!temporary.empty())
    ::unlink(temporary.c_str());
  if (descriptor >= 0)
    ::close(descriptor);
}

Error AtomicFile::failure(const char *action) const {
  std::string message =
      "cannot " + std::string(action) + " '" + path + "': " + reason();
  if (errno == ENOSPC || errno == EDQUOT)
    message += "; free some space or write elsewhere";
  else if (errno == EFBIG)
    message += "; raise the file size limit (ulimit -f) or write elsewhere";
  if (kind == OutputKind::File)
    message += removed ? " (what was there before is removed)"
                       : " (what was there before is unchanged)";
  return Error(message);
}

Error AtomicFile::write(const void *data, size_t bytes) {
  const auto *next = static_cast<const char *>(data);
  while (bytes) {
    ssize_t written = ::write(descriptor, next, bytes);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return failure("write");
    next += written;
    bytes -= static_cast<size_t>(written);
  }
  return Error::success();
}

Error AtomicFile::writeAt(uint64_t offset, const void *data, size_t bytes) {
  const auto *next = static_cast<const char *>(data);
  while (bytes) {
    ssize_t written =
        ::pwrite(descriptor, next, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return failure("write");
    next += written;
    offset += static_cast<uint64_t>(written);
    bytes -= static_cast<size_t>(written);
  }
  return Error::success();
}

Error AtomicFile::finish() {
  // Also reports delayed write errors of network file systems.
  if (kind == OutputKind::File && ::fsync(descriptor) != 0)
    return failure("write");
  return Error::success();
}

/// Opens the folder of a file; -1 if it is writable but not readable.
static int openFolder(const std::string &path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  return ::open(folder.empty() ? "." : folder.c_str(),
                O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/// Makes the names in a file's folder durable.
static Error syncFolder(const std::string &path) {
  int handle = openFolder(path);
  if (handle < 0)
    return Error::success();
  bool synced = ::fsync(handle) == 0 || errno == EINVAL || errno == EROFS;
  ::close(handle);
  return synced
             ? Error::success()
             : Error("cannot sync the folder of '" + path + "': " + reason());
}

Error AtomicFile::rename() {
  if (kind == OutputKind::File) {
    if (::rename(temporary.c_str(), path.c_str()) != 0)
      return failure("write");
    temporary.clear();
  }
  if (::close(std::exchange(descriptor, -1)) != 0)
    return failure("write");
  return kind == OutputKind::File ? syncFolder(path) : Error::success();
}

Error AtomicFile::commit() {
  if (Error error = finish())
    return error;
  return rename();
}

Error AtomicFile::removeOld() {
  if (kind != OutputKind::File)
    return Error::success();
  removed = ::unlink(path.c_str()) == 0;
  if (!removed && errno != ENOENT)
    return failure("replace");
  return syncFolder(path);
}

namespace {
/// Blocks other processes that commit pairs in the folder of `path`.
class FolderPairLock {
public:
  explicit FolderPairLock(const std::string &path) : folder(openFolder(path)) {
    // Renaming two files takes milliseconds. A foreign process that holds the
    // folder's lock causes a delay, and no more.
    constexpr int maxWaits = 1000;
    for (int wait = 0;
         folder >= 0 && wait < maxWaits &&
         ::flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
         ++wait)
      ::usleep(10000);
  }
  FolderPairLock(const FolderPairLock &) = delete;
  FolderPairLock &operator=(const FolderPairLock &) = delete;
  ~FolderPairLock() {
    if (folder >= 0)
      ::close(folder);
  }

private:
  int folder;
};
} // namespace

Error AtomicFile::commitTogether(AtomicFile &principal, AtomicFile &companion) {
  if (Error error = principal.finish())
    return error;
  if (Error error = companion.finish())
    return error;
  FolderPairLock lock(principal.path);
  if (Error error = principal.removeOld())
    return error;
  if (Error error = companion.rename())
    return principal.removed ? Error(error.message() + "; '" + principal.path +
                                     "', its companion, is removed")
                             : Error(error.message());
  return principal.rename();
}

Error AtomicFile::commitAlone(AtomicFile &principal,
                              const std::string &companion) {
  if (Error error = principal.finish())
    return error;
  FolderPairLock lock(principal.path);
  std::error_code code;
  if (std::filesystem::exists(companion, code)) {
    if (Error error = principal.removeOld())
      return error;
    if (!std::filesystem::remove(companion, code) && code)
      return Error("cannot remove '" + companion + "': " + code.message());
  }
  return principal.rename();
}

Error tert::session::writeFile(const std::string &path,
                               std::string_view content) {
  Expected<AtomicFile> file = AtomicFile::create(path, content.size());
  if (!file)
    return file.takeError();
  if (Error error = file->write(content.data(), content.size()))
    return error;
  return file->commit();
}
