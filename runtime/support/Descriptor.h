// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file descriptor and its owner.

#ifndef TERT_SUPPORT_DESCRIPTOR_H
#define TERT_SUPPORT_DESCRIPTOR_H

#include <unistd.h>
#include <utility>

namespace tert::session {

/// An open descriptor, or none.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor &&other) noexcept
      : number(std::exchange(other.number, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~Descriptor() { close(); }

  explicit operator bool() const { return number >= 0; }
  int get() const { return number; }
  void close() {
    if (number >= 0)
      ::close(std::exchange(number, -1));
  }

private:
  int number = -1;
};

} // namespace tert::session

#endif // TERT_SUPPORT_DESCRIPTOR_H
