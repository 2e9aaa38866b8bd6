// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Artifact.h"

#include "program/Targets.h"
#include "session/File.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <filesystem>
#include <link.h>

using namespace tert;
using namespace tert::session;

void Artifact::Close::operator()(void *handle) const { ::dlclose(handle); }

/// The dynamic loader maps segments without asking how long the file is, and a
/// truncated library then kills the process. So the extents are checked first.
static Error checkImage(const MappedFile &file) {
  auto fail = [&](const std::string &why) {
    return Error("'" + file.path() + "' is not a whole artifact: " + why +
                 "; compile it again with te-compile");
  };
  ElfW(Ehdr) header;
  if (file.size() < sizeof(header) ||
      std::memcmp(file.data(), ELFMAG, SELFMAG) != 0)
    return fail("it is not a shared library");
  std::memcpy(&header, file.data(), sizeof(header));
  uint64_t table = uint64_t(header.e_phnum) * sizeof(ElfW(Phdr));
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN ||
      header.e_phentsize != sizeof(ElfW(Phdr)))
    return fail("it is not a shared library for this machine");
  if (header.e_phoff > file.size() || table > file.size() - header.e_phoff)
    return fail("it is cut short");
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    std::memcpy(&segment, file.data() + header.e_phoff + i * sizeof(segment),
                sizeof(segment));
    if (segment.p_type == PT_LOAD &&
        (segment.p_offset > file.size() ||
         segment.p_filesz > file.size() - segment.p_offset))
      return fail("it is cut short");
  }
  return Error::success();
}

/// A text that a library exports, bounded by the size of its symbol.
static std::optional<std::string> exportedText(void *library,
                                               const char *symbol) {
  auto *text = static_cast<const char *>(::dlsym(library, symbol));
  if (!text)
    return std::nullopt;
  Dl_info info = {};
  void *extra = nullptr;
  if (!::dladdr1(text, &info, &extra, RTLD_DL_SYMENT) || !extra)
    return std::string(text);
  uint64_t size = static_cast<const ElfW(Sym) *>(extra)->st_size;
  return std::string(text, size ? ::strnlen(text, size) : std::strlen(text));
}

/// "cpu, sm_90"
static std::string targetNames() {
  std::string names;
  for (const Target &target : targets)
    names += (names.empty() ? "" : ", ") + std::string(target.name);
  return names;
}

Expected<Artifact> Artifact::open(const std::string &path) {
  {
    Expected<MappedFile> file = MappedFile::open(path);
    if (!file)
      return file.takeError();
    if (Error error = checkImage(*file))
      return error;
  }
  Artifact artifact;
  artifact.file = path;
  // Without a slash the loader would search its own folders.
  std::error_code code;
  std::string absolute = std::filesystem::absolute(path, code).string();
  artifact.library.reset(::dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!artifact.library) {
    const char *why = ::dlerror();
    return Error("cannot load '" + path + "': " + (why ? why : "unknown") +
                 "; if it was compiled by another version of te-compile, "
                 "compile it again");
  }
  void *library = artifact.library.get();

  auto *version = static_cast<const int32_t *>(
      ::dlsym(library, TERT_ARTIFACT_ABI_VERSION_SYMBOL));
  std::optional<std::string> text =
      exportedText(library, TERT_ARTIFACT_DESCRIPTION_SYMBOL);
  if (!version || !text)
    return Error("'" + path +
                 "' is a shared library, but not one that te-compile wrote");
  if (*version != TERT_ABI_VERSION)
    return Error("'" + path + "' was compiled for version " +
                 std::to_string(*version) +
                 " of the runtime's interface; this runtime has version " +
                 std::to_string(TERT_ABI_VERSION) +
                 ". Compile it again with the te-compile of this runtime");
  Expected<Description> description = parseDescription(*text);
  if (!description)
    return Error("'" + path + "': " + description.takeError().message() +
                 ". Compile it again with the te-compile of this runtime");
  if (!findTarget(description->target))
    return Error("'" + path + "' was compiled for '" + description->target +
                 "', which this runtime has no backend for; it runs programs "
                 "for " +
                 targetNames());
  artifact.about = std::move(*description);
  for (const EntryDescription &entry : artifact.about.entries) {
    auto function =
        reinterpret_cast<tert_entry>(::dlsym(library, entry.symbol.c_str()));
    if (!function)
      return Error("'" + path + "' lacks the function '" + entry.symbol +
                   "' of its entry '" + entry.name +
                   "'; compile it again with te-compile");
    artifact.functions.push_back(function);
  }
  return artifact;
}

std::string Artifact::weightsPath() const {
  return std::filesystem::path(file).replace_extension(".safetensors").string();
}

std::string Artifact::defaultDevice() const {
  return std::string(findTarget(about.target)->device);
}

Error Artifact::checkDevice(const std::string &device) const {
  std::string backend = device.substr(0, device.find(':'));
  const Target *target = findTarget(about.target);
  if (backend == target->backend)
    return Error::success();
  const Target *other = findTargetOf(backend);
  return Error(
      "'" + file + "' was compiled for " + about.target +
      " and does not run on the device '" + device + "'. Choose --device " +
      defaultDevice() +
      (other ? ", or compile it again with --target " + std::string(other->name)
             : ""));
}
