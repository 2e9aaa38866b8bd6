// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are read piece by piece. Reading a mapping beyond the end of a
// file that another process has truncated kills the process; here it is an
// error. For data, which is read for days while others may work on it.

#ifndef TERT_SUPPORT_INPUTFILE_H
#define TERT_SUPPORT_INPUTFILE_H

#include "support/Descriptor.h"
#include "support/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tert::session {

/// An open regular file; pipes and devices are refused.
class InputFile {
public:
  static Expected<InputFile> open(const std::string &path);

  const std::string &path() const { return name; }
  /// Size when it was opened.
  uint64_t size() const { return length; }
  int descriptor() const { return handle.get(); }
  /// Fails if the file no longer has all of these bytes.
  Error read(uint64_t offset, void *to, size_t bytes) const;
  /// Lets the system read these bytes ahead, in the background.
  void prepare(uint64_t offset, size_t bytes) const;

private:
  InputFile(std::string path, int descriptor, uint64_t size)
      : name(std::move(path)), handle(descriptor), length(size) {}
  std::string name;
  Descriptor handle;
  uint64_t length;
};

/// "5000 bytes, 1f0c…": the size of a file and a checksum of its bytes; above
/// 256 MiB, of a sample: the first and last MiB, and a thousand pieces of 64
/// KiB evenly between them.
Expected<std::string> digestOf(const std::string &path);

} // namespace tert::session

#endif // TERT_SUPPORT_INPUTFILE_H
