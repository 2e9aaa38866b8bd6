// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Secret.h"

#include "launch/Socket.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <pwd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace tert::launch;

namespace {
constexpr size_t minDirectBytes = 16, mostBytes = 4096;
constexpr const char *howToMake =
    "make one that only you can read, ( umask 077; openssl rand -hex 32 > FILE "
    "), put it on all hosts, and give every rank --secret FILE";

Key hmac(const void *key, size_t bytes, std::string_view message) {
  Key code = {};
  unsigned int size = 0;
  // Without a working hash, nothing may be treated as authentic.
  if (!::HMAC(::EVP_sha256(), key, static_cast<int>(bytes),
              reinterpret_cast<const unsigned char *>(message.data()),
              message.size(), code.data(), &size) ||
      size != code.size())
    std::abort();
  return code;
}

Error systemError(const std::string &what) {
  return Error("cannot " + what + ": " + std::strerror(errno));
}
} // namespace

Key tert::launch::keyOf(std::string_view secret, std::string_view purpose) {
  return hmac(secret.data(), secret.size(), purpose);
}

std::string tert::launch::randomBytes(size_t count) {
  std::string bytes(count, '\0');
  for (size_t have = 0; have < count;) {
    ssize_t got = ::getrandom(bytes.data() + have, count - have, 0);
    if (got < 0 && errno != EINTR)
      std::abort();
    have += got > 0 ? static_cast<size_t>(got) : 0;
  }
  return bytes;
}

std::string FrameAuthenticator::next(std::string_view message) {
  std::string numbered(sizeof(number), '\0');
  for (size_t i = 0; i < sizeof(number); ++i)
    numbered[i] = static_cast<char>(number >> (8 * i) & 0xff);
  ++number;
  numbered += message;
  const Key code = hmac(key.data(), key.size(), numbered);
  return std::string(reinterpret_cast<const char *>(code.data()), bytes);
}

bool tert::launch::areEqual(std::string_view one, std::string_view other) {
  return one.size() == other.size() &&
         ::CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

Expected<std::string> tert::launch::readSecret(const std::string &path) {
  // O_NONBLOCK, so that a named pipe fails the test below instead of blocking.
  Socket file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (!file || ::fstat(file.get(), &status) != 0)
    return systemError("read the job's secret in '" + path + "'");
  const std::string name = "the job's secret in '" + path + "'";
  if (!S_ISREG(status.st_mode))
    return Error("cannot read " + name + ": it is not a regular file");
  if (status.st_mode & (S_IRWXG | S_IRWXO))
    return Error(name +
                 " is open to others, who could join your jobs: chmod "
                 "600 '" +
                 path + "', or make a new one if somebody may have read it");
  std::string text(mostBytes + 1, '\0');
  ssize_t bytes = ::read(file.get(), text.data(), text.size());
  if (bytes < 0)
    return systemError("read " + name);
  text.resize(static_cast<size_t>(bytes));
  if (text.size() < minDirectBytes || text.size() > mostBytes)
    return Error(name + " has " +
                 (text.size() > mostBytes ? "more than 4096"
                                          : std::to_string(text.size())) +
                 " bytes, and 16 to 4096 would be one; " + howToMake);
  return text;
}

Expected<std::string> tert::launch::secretIn(const std::string &home) {
  const std::string folder = home + "/.te-run", path = folder + "/secret";
  if (::access(path.c_str(), F_OK) == 0)
    return readSecret(path);
  auto fail = [&] {
    return Error(systemError("make the file '" + path + "'").message() +
                 ". Ranks know each other by a secret: " + howToMake);
  };
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return fail();
  std::string draft = path + ".XXXXXX";
  Socket file(::mkostemp(draft.data(), O_CLOEXEC)); // Created with mode 600.
  if (!file)
    return fail();
  std::string text;
  for (unsigned char byte : randomBytes(32)) {
    constexpr const char *digits = "0123456789abcdef";
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  text += '\n';
  bool written = ::write(file.get(), text.data(), text.size()) ==
                     static_cast<ssize_t>(text.size()) &&
                 ::fsync(file.get()) == 0;
  // Atomic: the first process creates the complete file, for all others.
  written =
      written && (::link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST);
  Error failure = written ? Error::success() : fail();
  ::unlink(draft.c_str());
  if (failure)
    return failure;
  return readSecret(path);
}

Expected<std::string> tert::launch::secretOfUser() {
  std::vector<char> buffer(16384);
  passwd entry = {}, *found = nullptr;
  ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found);
  if (!found || !found->pw_dir || *found->pw_dir != '/')
    return Error(std::string("this user has no home with a secret by which "
                             "ranks know each other: ") +
                 howToMake);
  return secretIn(found->pw_dir);
}
