// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "artifact/Artifact.h"

#include "artifact/ArtifactSeal.h"
#include "program/Targets.h"
#include "support/File.h"

#include <cstring>
#include <dlfcn.h>
#include <filesystem>

using namespace tert;
using namespace tert::session;

void Artifact::Close::operator()(void *handle) const { ::dlclose(handle); }

/// "cpu, sm_90"
static std::string targetNames() {
  std::string names;
  for (const Target &target : targets)
    names += (names.empty() ? "" : ", ") + std::string(target.name);
  return names;
}

Expected<ArtifactFile> ArtifactFile::read(const std::string &path) {
  Expected<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.takeError();
  Expected<SealedProgram> program =
      checkSealedProgram({mapped->data(), mapped->size()}, path);
  if (!program)
    return program.takeError();
  Expected<Description> description = parseDescription(program->description);
  if (!description)
    return Error("'" + path + "': " + description.takeError().message() +
                 ". Compile it again with the te-compile of this runtime");
  if (!findTarget(description->target))
    return Error("'" + path + "' was compiled for '" + description->target +
                 "', which this runtime has no backend for; it runs programs "
                 "for " +
                 targetNames());
  ArtifactFile file;
  file.path = path;
  file.description = std::move(*description);
  file.text = program->description;
  file.seal = std::move(program->seal);
  file.weights = std::move(program->weights);
  return file;
}

/// Returns whether the loader used the file that was checked: the path may name
/// another file by now, or be loaded already.
static bool isLoaded(void *library, const ArtifactFile &file) {
  const void *text = ::dlsym(library, TERT_ARTIFACT_DESCRIPTION_SYMBOL);
  const void *seal = ::dlsym(library, TERT_ARTIFACT_SEAL_SYMBOL);
  return text && seal &&
         std::memcmp(seal, file.seal.data(), file.seal.size()) == 0;
}

Expected<Artifact> Artifact::open(const std::string &path) {
  Expected<ArtifactFile> read = ArtifactFile::read(path);
  if (!read)
    return read.takeError();
  Artifact artifact;
  artifact.file = std::move(*read);
  // Without a slash the loader would search its own directories.
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
  if (!isLoaded(library, artifact.file))
    return Error("'" + path +
                 "' was replaced while it was being loaded; try again");
  auto *version = static_cast<const int32_t *>(
      ::dlsym(library, TERT_ARTIFACT_ABI_VERSION_SYMBOL));
  if (!version || *version != TERT_ABI_VERSION)
    return Error("'" + path + "' was compiled for version " +
                 std::to_string(version ? *version : 0) +
                 " of the runtime's interface; this runtime has version " +
                 std::to_string(TERT_ABI_VERSION) +
                 ". Compile it again with the te-compile of this runtime");
  for (const EntryDescription &entry : artifact.description().entries) {
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

std::string Artifact::weightsPath() const { return weightsPathOf(path()); }

std::string Artifact::defaultDevice() const {
  return std::string(findTarget(description().target)->device);
}

Error Artifact::checkDevice(const std::string &device) const {
  std::string backend = device.substr(0, device.find(':'));
  const Target *target = findTarget(description().target);
  if (backend == target->backend)
    return Error::success();
  const Target *other = findTargetOf(backend);
  return Error(
      "'" + path() + "' was compiled for " + description().target +
      " and does not run on the device '" + device + "'. Choose --device " +
      defaultDevice() +
      (other ? ", or compile it again with --target " + std::string(other->name)
             : ""));
}
