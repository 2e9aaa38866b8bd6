// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a safetensors file holds: every view lies inside, and is read.

#include "InMemoryFile.h"
#include "support/Safetensors.h"

using namespace tert::session;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::InMemoryFile input(data, size);
  Expected<SafetensorsFile> file = SafetensorsFile::open(input.path());
  if (!file) {
    if (file.takeError().message().empty())
      __builtin_trap();
    return 0;
  }
  size_t bytes = 0;
  volatile char last = 0;
  for (const auto &[name, tensor] : file->tensors()) {
    bytes += tensor.bytes;
    if (tensor.bytes)
      last = tensor.data[0], last = tensor.data[tensor.bytes - 1];
  }
  if (bytes != file->payloadSize())
    __builtin_trap();
  (void)last;
  (void)file->matchesChecksum();
  return 0;
}
