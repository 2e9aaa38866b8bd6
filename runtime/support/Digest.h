// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A digest that detects changes of bytes: XXH3 with 128 bits
// (https://xxhash.com). It does not protect against deliberate changes
// (docs/security.md).

#ifndef TERT_SUPPORT_DIGEST_H
#define TERT_SUPPORT_DIGEST_H

#include <cstddef>
#include <memory>
#include <string>

namespace tert::session {

class Digest {
public:
  /// Number of hexadecimal digits of text().
  static constexpr size_t textLength = 32;
  /// Placeholder of a digest that is not known yet.
  static std::string placeholder() { return std::string(textLength, '0'); }

  Digest();
  void add(const void *data, size_t bytes);
  /// Digest of all bytes added.
  std::string text() const;

private:
  struct Release {
    void operator()(void *state) const;
  };
  std::unique_ptr<void, Release> state;
};

} // namespace tert::session

#endif // TERT_SUPPORT_DIGEST_H
