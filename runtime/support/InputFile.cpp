// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/InputFile.h"

#include "support/Checksum.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace tert::session;

Expected<InputFile> InputFile::open(const std::string &path) {
  auto fail = [&](const std::string &why) {
    return Error("cannot read '" + path + "': " + why);
  };
  // O_NONBLOCK, so that a named pipe fails the test below instead of blocking.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return fail(std::strerror(errno));
  InputFile file(path, descriptor, 0);
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0)
    return fail(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return fail(S_ISDIR(status.st_mode) ? "it is a folder, not a file"
                                        : "it is not a regular file");
  file.length = static_cast<uint64_t>(status.st_size);
  return file;
}

Error InputFile::read(uint64_t offset, void *to, size_t bytes) const {
  auto *next = static_cast<char *>(to);
  while (bytes) {
    ssize_t got =
        ::pread(handle.get(), next, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return Error("cannot read '" + name + "' at byte " +
                   std::to_string(offset) + ": " + std::strerror(errno));
    if (got == 0)
      return Error("'" + name + "' ends at byte " + std::to_string(offset) +
                   ", and had " + std::to_string(length) +
                   " bytes when it was opened: it was truncated while it was "
                   "in use. Restore it, and continue from a checkpoint");
    next += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<size_t>(got);
  }
  return Error::success();
}

void InputFile::prepare(uint64_t offset, size_t bytes) const {
  // A hint: whether it is followed changes nothing but the time.
  (void)::posix_fadvise(handle.get(), static_cast<off_t>(offset),
                        static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
}

Expected<std::string> tert::session::digestOf(const std::string &path) {
  constexpr uint64_t maxReplicated = uint64_t(256) << 20,
                     edge = uint64_t(1) << 20, piece = uint64_t(64) << 10,
                     pieces = 1000;
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeError();
  Checksum checksum;
  std::vector<char> buffer(edge);
  auto add = [&](uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end; at += buffer.size()) {
      size_t bytes = std::min<uint64_t>(buffer.size(), end - at);
      if (Error error = file->read(at, buffer.data(), bytes))
        return error;
      checksum.add(buffer.data(), bytes);
    }
    return Error::success();
  };
  uint64_t size = file->size();
  if (size <= maxReplicated) {
    if (Error error = add(0, size))
      return error;
  } else {
    if (Error error = add(0, edge))
      return error;
    uint64_t step = (size - 2 * edge) / pieces;
    for (uint64_t i = 0; i < pieces; ++i)
      if (Error error = add(edge + i * step, edge + i * step + piece))
        return error;
    if (Error error = add(size - edge, size))
      return error;
  }
  return std::to_string(size) + " bytes, " + checksum.finish();
}
