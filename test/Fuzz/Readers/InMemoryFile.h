// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of given bytes that is only in memory, for readers that take paths.

#ifndef TE_TEST_FUZZ_READERS_INMEMORYFILE_H
#define TE_TEST_FUZZ_READERS_INMEMORYFILE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace fuzz {

class InMemoryFile {
public:
  InMemoryFile(const uint8_t *data, size_t size)
      : descriptor(::memfd_create("input", MFD_CLOEXEC)) {
    while (size) {
      ssize_t written = ::write(descriptor, data, size);
      if (written <= 0)
        break;
      data += written;
      size -= static_cast<size_t>(written);
    }
  }
  InMemoryFile(const InMemoryFile &) = delete;
  InMemoryFile &operator=(const InMemoryFile &) = delete;
  ~InMemoryFile() { ::close(descriptor); }

  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }

private:
  int descriptor;
};

} // namespace fuzz

#endif // TE_TEST_FUZZ_READERS_INMEMORYFILE_H
