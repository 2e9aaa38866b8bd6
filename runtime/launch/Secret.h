// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By what the ranks of a job know each other: a secret, and codes of messages
// that nobody makes without it (HMAC-SHA256, RFC 2104, of libcrypto).

#ifndef TERT_LAUNCH_SECRET_H
#define TERT_LAUNCH_SECRET_H

#include "session/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tert::launch {

using session::Error;
using session::Expected;

/// What messages are authenticated with.
using Key = std::array<unsigned char, 32>;

/// The key that a secret gives for one purpose; those of two purposes tell
/// nothing of each other.
Key keyOf(std::string_view secret, std::string_view purpose);

/// So many bytes that nobody guesses, from the system.
std::string randomBytes(size_t count);

/// The codes of messages that go one way over a connection, in their order:
/// one that is left out, repeated or of another connection has another code.
class Seal {
public:
  static constexpr size_t bytes = 16;

  explicit Seal(const Key &key) : key(key) {}
  /// Of the next message.
  std::string next(std::string_view message);

private:
  Key key;
  uint64_t number = 0;
};

/// In a time that does not tell where they differ.
bool areEqual(std::string_view one, std::string_view other);

/// What a file holds whose owner alone may read it. Refused: files that others
/// may read or write, of less than 16 bytes or more than 4 KiB.
Expected<std::string> readSecret(const std::string &path);

/// That of the file .te-run/secret in the user's home, which is made when it is
/// first asked for. Processes that do so at once all get the same.
Expected<std::string> secretOfUser();

/// The same for another home.
Expected<std::string> secretIn(const std::string &home);

} // namespace tert::launch

#endif // TERT_LAUNCH_SECRET_H
