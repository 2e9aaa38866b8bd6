// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Excludes concurrent processes from a folder.

#ifndef TERT_CHECKPOINT_FOLDERLOCK_H
#define TERT_CHECKPOINT_FOLDERLOCK_H

#include "support/Descriptor.h"
#include "support/Error.h"

#include <functional>
#include <string>

namespace tert::session {

/// Held during its lifetime, and no longer than its process, however that ends:
/// a lock of the file '.lock' in the folder, which itself is kept.
class FolderLock {
public:
  /// Fails at once if another process, which the error names, or another lock
  /// of this one holds it. Succeeds without a lock on a file system that does
  /// not support them.
  static Expected<FolderLock> take(const std::string &folder);
  /// Waits while another process holds it, and then calls `waiting` first.
  static Expected<FolderLock> wait(const std::string &folder,
                                   const std::function<void()> &waiting);

private:
  static Expected<FolderLock> open(const std::string &folder);
  explicit FolderLock(int descriptor) : descriptor(descriptor) {}
  Descriptor descriptor;
};

} // namespace tert::session

#endif // TERT_CHECKPOINT_FOLDERLOCK_H
