// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Support/ReadFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir::te;
using llvm::Error;
using llvm::Expected;
using llvm::MemoryBuffer;
using llvm::StringRef;

static Error refuse(StringRef what, const llvm::Twine &why) {
  return llvm::createStringError("cannot read " + what + ": " + why);
}

static std::string tooLarge(uint64_t mostBytes) {
  return "it has more than " + std::to_string(mostBytes) + " bytes";
}

Expected<std::unique_ptr<MemoryBuffer>> mlir::te::readFile(StringRef path,
                                                           uint64_t mostBytes) {
  const std::string name = path.str(), what = "'" + name + "'";
  // A name with a null byte would be truncated to another file's name.
  if (path.contains('\0'))
    return refuse(what, "a file's name has no zero bytes");
  // Without O_NONBLOCK, opening a pipe without a writer would block.
  int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return refuse(what, std::strerror(errno));
  auto fail = [&](const llvm::Twine &why) {
    ::close(descriptor);
    return refuse(what, why);
  };
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0)
    return fail(std::strerror(errno));
  if (S_ISDIR(status.st_mode))
    return fail("it is a folder, not a file");
  if (S_ISFIFO(status.st_mode))
    return fail("it is a pipe, not a file; save what comes out of it, or give "
                "a model on standard input");
  if (!S_ISREG(status.st_mode))
    return fail("it is a device or a socket, not a file");
  const auto size = static_cast<uint64_t>(status.st_size);
  if (size > mostBytes)
    return fail(tooLarge(mostBytes));
  auto buffer = MemoryBuffer::getOpenFile(descriptor, name, size);
  ::close(descriptor);
  if (!buffer)
    return refuse(what, buffer.getError().message());
  return std::move(*buffer);
}

Expected<std::unique_ptr<MemoryBuffer>>
mlir::te::readStandardInput(uint64_t mostBytes) {
  constexpr StringRef what = "standard input";
  constexpr size_t piece = size_t(1) << 16;
  llvm::SmallVector<char, 0> text;
  while (true) {
    const size_t before = text.size();
    text.resize_for_overwrite(before + piece);
    const ssize_t got = ::read(STDIN_FILENO, text.data() + before, piece);
    text.truncate(before + std::max<ssize_t>(got, 0));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return refuse(what, std::strerror(errno));
    if (got == 0)
      return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(text),
                                                             StringRef("-"));
    if (text.size() > mostBytes)
      return refuse(what, tooLarge(mostBytes));
  }
}
