// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/File.h"

#include "session/InputFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

MappedFile::MappedFile(MappedFile &&other) noexcept
    : name(std::move(other.name)), address(other.address),
      length(other.length) {
  other.address = nullptr;
  other.length = 0;
}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(name, other.name);
  std::swap(address, other.address);
  std::swap(length, other.length);
  return *this;
}

MappedFile::~MappedFile() {
  if (address)
    ::munmap(const_cast<char *>(address), length);
}

OutputPlace tert::session::findOutputPlace(const std::string &path) {
  OutputPlace place{path, OutputKind::File, ""};
  struct stat status = {};
  // What is there decides, behind all links, also those of /proc, which lead
  // to what has no name.
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
  // As many links as Linux follows.
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

Expected<AtomicFile> AtomicFile::create(const std::string &path,
                                        uint64_t size) {
  OutputPlace place = findOutputPlace(path);
  if (place.kind == OutputKind::Refused)
    return Error("cannot write '" + path + "': " + place.why +
                 "; give the path of a file");
  auto fail = [&] {
    return Error("cannot write '" + path + "': " + reason() +
                 "; give a path in an existing folder that you may write to");
  };
  if (place.kind == OutputKind::Stream) {
    int descriptor =
        ::open(place.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
      return fail();
    return AtomicFile(std::move(place), descriptor);
  }
  // A leftover of a killed run is replaced, never followed if it is a link.
  std::string temporary = temporaryName(place.path);
  ::unlink(temporary.c_str());
  int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return fail();
  AtomicFile file(std::move(place), descriptor);
  if (size && ::fallocate(descriptor, 0, 0, static_cast<off_t>(size)) != 0 &&
      (errno == ENOSPC || errno == EFBIG || errno == EDQUOT))
    return file.failure("reserve space for");
  return file;
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)), kind(other.kind),
      descriptor(other.descriptor), finished(other.finished) {
  other.descriptor = -1;
  other.finished = false;
}

AtomicFile::~AtomicFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if ((descriptor >= 0 || finished) && kind == OutputKind::File)
    ::unlink(temporaryName(path).c_str());
}

Error AtomicFile::failure(const char *action) const {
  std::string message =
      "cannot " + std::string(action) + " '" + path + "': " + reason();
  if (errno == ENOSPC || errno == EDQUOT)
    message += "; free some space or write elsewhere";
  else if (errno == EFBIG)
    message += "; raise the file size limit (ulimit -f) or write elsewhere";
  if (kind == OutputKind::File)
    message += " (what was there before is unchanged)";
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
  if (kind == OutputKind::File && ::fsync(descriptor) != 0)
    return failure("write");
  int closing = descriptor;
  descriptor = -1;
  finished = true;
  // close() may report a delayed write error (network file systems).
  return ::close(closing) == 0 ? Error::success() : failure("write");
}

/// Makes the names in a file's folder last.
static Error syncFolder(const std::string &path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  int handle = ::open(folder.empty() ? "." : folder.c_str(),
                      O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0)
    return Error::success(); // A folder that may be written but not read.
  bool synced = ::fsync(handle) == 0 || errno == EINVAL || errno == EROFS;
  ::close(handle);
  return synced
             ? Error::success()
             : Error("cannot sync the folder of '" + path + "': " + reason());
}

Error AtomicFile::rename() {
  if (kind != OutputKind::File)
    return Error::success();
  if (::rename(temporaryName(path).c_str(), path.c_str()) != 0)
    return failure("write");
  finished = false;
  return syncFolder(path);
}

Error AtomicFile::commit() {
  if (Error error = finish())
    return error;
  return rename();
}

Error AtomicFile::removeOld() {
  if (kind != OutputKind::File)
    return Error::success();
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    return failure("replace");
  return syncFolder(path);
}

Error AtomicFile::commitTogether(AtomicFile &principal, AtomicFile &companion) {
  if (Error error = principal.finish())
    return error;
  if (Error error = companion.finish())
    return error;
  if (Error error = principal.removeOld())
    return error;
  if (Error error = companion.rename())
    return error;
  return principal.rename();
}

Error AtomicFile::commitAlone(AtomicFile &principal,
                              const std::string &companion) {
  if (Error error = principal.finish())
    return error;
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
