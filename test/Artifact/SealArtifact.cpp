// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// seal-artifact FILE: seals a program that a C compiler linked, as te-compile
// seals its own.

#include "artifact/ArtifactSeal.h"
#include "support/File.h"

#include <cstdio>

using namespace tert::session;

static Error seal(const std::string &path) {
  std::string image;
  {
    Expected<MappedFile> file = MappedFile::open(path);
    if (!file)
      return file.takeError();
    image.assign(file->data(), file->size());
  }
  if (Error error = sealProgram(image, ""))
    return error;
  return writeFile(path, image);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  if (Error error = seal(argv[1])) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.message().c_str());
    return 1;
  }
  return 0;
}
