// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Authentication of a job's ranks: a secret, and message authentication codes
// (HMAC-SHA256, RFC 2104, of libcrypto).

#ifndef TERT_LAUNCH_SECRET_H
#define TERT_LAUNCH_SECRET_H

#include "support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tert::launch {

using session::Error;
using session::Expected;

/// Key of message authentication codes.
using Key = std::array<unsigned char, 32>;

/// Derives the key for one purpose from a secret; keys of different purposes
/// are independent.
Key keyOf(std::string_view secret, std::string_view purpose);

/// Cryptographically secure random bytes, from the system.
std::string randomBytes(size_t count);

/// Codes of the messages in one direction of a connection, in order: a message
/// that is dropped, repeated or of another connection has a wrong code.
class FrameAuthenticator {
public:
  static constexpr size_t bytes = 16;

  explicit FrameAuthenticator(const Key &key) : key(key) {}
  /// Code of the next message.
  std::string next(std::string_view message);

private:
  Key key;
  uint64_t number = 0;
};

/// Compares in constant time.
bool areEqual(std::string_view one, std::string_view other);

/// Contents of a file that only its owner may access. Refuses files that others
/// may read or write, and files of less than 16 bytes or more than 4 KiB.
Expected<std::string> readSecret(const std::string &path);

/// The secret in .te-run/secret in the user's home directory, created on first
/// use. Concurrent processes all get the same one.
Expected<std::string> secretOfUser();

/// The same secret for another home directory.
Expected<std::string> secretIn(const std::string &home);

} // namespace tert::launch

#endif // TERT_LAUNCH_SECRET_H
