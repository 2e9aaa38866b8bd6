// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/FolderLock.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

using namespace tert::session;

/// The holder's description: "process 1234 on host".
static std::string holderOf(int descriptor) {
  char text[300];
  ssize_t length = ::pread(descriptor, text, sizeof(text), 0);
  std::string holder(text, static_cast<size_t>(std::max<ssize_t>(length, 0)));
  holder.erase(std::min(holder.find('\n'), holder.size()));
  return holder;
}

static void writeHolder(int descriptor) {
  char host[256] = "";
  ::gethostname(host, sizeof(host) - 1);
  std::string text =
      "process " + std::to_string(::getpid()) + " on " + host + "\n";
  // Ignores failures: the text only improves a message.
  if (::ftruncate(descriptor, 0) == 0) [[maybe_unused]]
    ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
}

Expected<FolderLock> FolderLock::open(const std::string &folder) {
  std::string path = (std::filesystem::path(folder) / ".lock").string();
  int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0)
    return Error("cannot write '" + path + "': " + std::strerror(errno) +
                 "; choose a folder that you may write to");
  return FolderLock(descriptor);
}

Expected<FolderLock> FolderLock::wait(const std::string &folder,
                                      const std::function<void()> &waiting) {
  Expected<FolderLock> lock = open(folder);
  if (!lock || ::flock(lock->descriptor.get(), LOCK_EX | LOCK_NB) == 0 ||
      errno != EWOULDBLOCK)
    return lock;
  waiting();
  while (::flock(lock->descriptor.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  return lock;
}

Expected<FolderLock> FolderLock::take(const std::string &folder) {
  Expected<FolderLock> lock = open(folder);
  if (!lock)
    return lock;
  const int descriptor = lock->descriptor.get();
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    writeHolder(descriptor);
    return lock;
  }
  if (errno != EWOULDBLOCK)
    return lock; // The file system does not support locks.
  std::string holder = holderOf(descriptor);
  return Error("'" + folder + "' is in use by another training" +
               (holder.empty() ? "" : " (" + holder + ")") +
               "; wait for it to end, or give this one another folder");
}
