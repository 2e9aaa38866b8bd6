// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever an ELF file holds: its sections lie inside, and no bytes but those
// that were sealed pass.

#include "artifact/ArtifactSeal.h"
#include "artifact/ElfImage.h"

#include <cstddef>
#include <cstdint>

using namespace tert::session;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view image(reinterpret_cast<const char *>(data), size);
  for (const char *name : {".tert.description", ".tert.seal", ".dynstr", ""})
    if (auto section = findSection(image, name))
      if (section->data() < image.data() ||
          section->size() > size_t(image.end() - section->data()))
        __builtin_trap();
  (void)isProgramImage(image);
  Expected<SealedProgram> program = checkSealedProgram(image, "input.so");
  if (!program && program.takeError().message().empty())
    __builtin_trap();
  // What is sealed anew is read again.
  std::string copy(image);
  if (findImageProblem(copy).empty() && !sealProgram(copy, "") &&
      findSection(copy, ".tert.description") &&
      !checkSealedProgram(copy, "input.so"))
    __builtin_trap();
  return 0;
}
