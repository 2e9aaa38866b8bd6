// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Artifact/SharedLibrary.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace mlir;

/// The folder `bin` beside that of this library, or empty.
static std::string findOwnTools() {
  Dl_info info;
  if (!::dladdr(reinterpret_cast<void *>(&findOwnTools), &info) ||
      !info.dli_fname)
    return {};
  llvm::SmallString<128> folder = llvm::sys::path::parent_path(info.dli_fname);
  llvm::sys::path::append(folder, "..", "bin");
  return folder.str().str();
}

/// The linker to use, or nullopt. One that a package brings comes first: then
/// nothing has to be installed.
static std::optional<std::string> findLinker() {
  if (auto path = llvm::sys::findProgramByName("ld.lld", {findOwnTools()}))
    return *path;
  for (StringRef name : {"ld.lld-22", "ld.lld", "ld"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return std::nullopt;
}

namespace {
/// A temporary file in the system's directory, removed on destruction.
class TemporaryFile {
public:
  ~TemporaryFile() {
    if (!path.empty())
      llvm::sys::fs::remove(path);
  }
  /// Creates the file with `content`.
  LogicalResult create(ModuleOp module, StringRef suffix,
                       llvm::ArrayRef<char> content = {}) {
    int fd;
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("te-compile", suffix, fd, path))
      return module.emitError()
             << "cannot make a temporary file: " << error.message();
    llvm::raw_fd_ostream os(fd, /*shouldClose=*/true);
    os.write(content.data(), content.size());
    os.close();
    if (!os.has_error())
      return success();
    std::string message = os.error().message();
    os.clear_error();
    return module.emitError()
           << "cannot write the temporary file " << path << ": " << message;
  }
  StringRef getPath() const { return path; }

private:
  llvm::SmallString<128> path;
};
} // namespace

FailureOr<std::string> mlir::te::linkSharedLibrary(ModuleOp module,
                                                   llvm::ArrayRef<char> object,
                                                   llvm::StringRef soname) {
  std::optional<std::string> linker = findLinker();
  if (!linker)
    return module.emitError("found no linker: install lld (ld.lld) or binutils "
                            "(ld), or ask for --emit=obj");

  TemporaryFile input, output, messages;
  if (failed(input.create(module, "o", object)) ||
      failed(output.create(module, "so")) ||
      failed(messages.create(module, "txt")))
    return failure();
  // Linkers read an argument that begins with @ as a file of arguments, so
  // user-given names are never a whole argument.
  std::string sonameArgument = ("-soname=" + soname).str();
  StringRef args[] = {*linker,          "-shared",      "-o", output.getPath(),
                      input.getPath(),  sonameArgument, "-z", "noexecstack",
                      "--build-id=sha1"};
  // The linker's output becomes part of the error.
  std::string reason;
  int code = llvm::sys::ExecuteAndWait(
      *linker, args, std::nullopt,
      {std::nullopt, messages.getPath(), messages.getPath()}, 0, 0, &reason);
  if (code != 0) {
    if (auto said = llvm::MemoryBuffer::getFile(messages.getPath()))
      reason += (*said)->getBuffer().rtrim();
    return module.emitError() << *linker << " could not link " << soname
                              << (reason.empty() ? "" : ": ") << reason;
  }
  auto image = llvm::MemoryBuffer::getFile(output.getPath());
  if (!image)
    return module.emitError() << "cannot read what " << *linker
                              << " wrote: " << image.getError().message();
  return (*image)->getBuffer().str();
}
