// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Artifact/SharedLibrary.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;

/// The linker to use, or nothing.
static std::optional<std::string> findLinker() {
  for (StringRef name : {"ld.lld-22", "ld.lld", "ld"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return std::nullopt;
}

LogicalResult mlir::te::linkSharedLibrary(ModuleOp module,
                                          llvm::ArrayRef<char> object,
                                          llvm::StringRef path) {
  std::optional<std::string> linker = findLinker();
  if (!linker)
    return module.emitError("found no linker: install lld (ld.lld) or binutils "
                            "(ld), or ask for --emit=obj");

  llvm::SmallString<128> objectPath;
  int fd;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("te-compile", "o", fd, objectPath))
    return module.emitError()
           << "cannot make a temporary file: " << error.message();
  llvm::scope_exit removeObject([&] { llvm::sys::fs::remove(objectPath); });
  {
    llvm::raw_fd_ostream os(fd, /*shouldClose=*/true);
    os.write(object.data(), object.size());
    os.close();
    if (os.has_error()) {
      std::string message = os.error().message();
      os.clear_error();
      return module.emitError()
             << "cannot write " << objectPath << ": " << message;
    }
  }

  // Linked beside the target and renamed, so that nobody sees half a library.
  llvm::SmallString<128> temporary(path);
  temporary += ".partial";
  llvm::scope_exit removeTemporary([&] { llvm::sys::fs::remove(temporary); });
  std::string soname = llvm::sys::path::filename(path).str();
  StringRef args[] = {*linker,       "-shared",        "-o",   temporary,
                      objectPath,    "-soname",        soname, "-z",
                      "noexecstack", "--build-id=sha1"};
  // What the linker says becomes a part of the error.
  llvm::SmallString<128> messages;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("te-compile", "txt", messages))
    return module.emitError()
           << "cannot make a temporary file: " << error.message();
  llvm::scope_exit removeMessages([&] { llvm::sys::fs::remove(messages); });
  std::string reason;
  int code = llvm::sys::ExecuteAndWait(
      *linker, args, std::nullopt,
      {std::nullopt, StringRef(messages), StringRef(messages)}, 0, 0, &reason);
  if (code != 0) {
    if (auto said = llvm::MemoryBuffer::getFile(messages))
      reason += (*said)->getBuffer().rtrim();
    return module.emitError() << *linker << " could not link " << path
                              << (reason.empty() ? "" : ": ") << reason;
  }
  if (std::error_code error = llvm::sys::fs::rename(temporary, path))
    return module.emitError()
           << "cannot write " << path << ": " << error.message();
  return success();
}
