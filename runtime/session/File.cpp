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

Expected<AtomicFile> AtomicFile::create(const std::string &path,
                                        uint64_t size) {
  // A leftover of a killed run is replaced, never followed if it is a link.
  std::string temporary = temporaryName(path);
  ::unlink(temporary.c_str());
  int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return Error("cannot write '" + path + "': " + reason() +
                 "; give a path in an existing folder that you may write to");
  AtomicFile file(path, descriptor);
  if (size && ::fallocate(descriptor, 0, 0, static_cast<off_t>(size)) != 0 &&
      (errno == ENOSPC || errno == EFBIG || errno == EDQUOT))
    return file.failure("reserve space for");
  return file;
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)), descriptor(other.descriptor) {
  other.descriptor = -1;
}

AtomicFile::~AtomicFile() {
  if (descriptor < 0)
    return;
  ::close(descriptor);
  ::unlink(temporaryName(path).c_str());
}

Error AtomicFile::failure(const char *action) const {
  std::string message =
      "cannot " + std::string(action) + " '" + path + "': " + reason();
  if (errno == ENOSPC || errno == EDQUOT)
    message += "; free some space or write elsewhere";
  else if (errno == EFBIG)
    message += "; raise the file size limit (ulimit -f) or write elsewhere";
  return Error(message + " (what was there before is unchanged)");
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

Error AtomicFile::commit() {
  if (::fsync(descriptor) != 0)
    return failure("write");
  int closing = descriptor;
  descriptor = -1;
  std::string temporary = temporaryName(path);
  // close() may report a delayed write error (network file systems).
  if (::close(closing) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
    Error error = failure("write");
    ::unlink(temporary.c_str());
    return error;
  }
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

Error tert::session::writeFile(const std::string &path,
                               std::string_view content) {
  Expected<AtomicFile> file = AtomicFile::create(path, content.size());
  if (!file)
    return file.takeError();
  if (Error error = file->write(content.data(), content.size()))
    return error;
  return file->commit();
}
