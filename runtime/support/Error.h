// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failures as values. All code that reads user input reports through these two
// types, because an invalid file is an ordinary event, not an exception.

#ifndef TERT_SUPPORT_ERROR_H
#define TERT_SUPPORT_ERROR_H

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tert::session {

/// Success, or a message for the user: what is wrong, where, and what to do.
/// True if it is a failure, so that `if (Error e = f()) return e;` reads
/// naturally.
class [[nodiscard]] Error {
public:
  static Error success() { return Error(); }
  explicit Error(std::string message)
      : failed(true), text(std::move(message)) {}

  explicit operator bool() const { return failed; }
  const std::string &message() const { return text; }

private:
  Error() = default;
  bool failed = false;
  std::string text;
};

/// A value, or the failure that prevented it. True if it has a value.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : storage(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : storage(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return storage.index() == 0; }
  T &operator*() { return std::get<0>(storage); }
  const T &operator*() const { return std::get<0>(storage); }
  T *operator->() { return &std::get<0>(storage); }
  const T *operator->() const { return &std::get<0>(storage); }
  Error takeError() {
    return *this ? Error::success() : std::move(std::get<1>(storage));
  }
  /// Moves the value to `target`, unless this is a failure, which it returns.
  template <typename U> Error moveTo(U &target) {
    if (*this)
      target = std::move(**this);
    return takeError();
  }
  Error moveTo(std::optional<T> &target) {
    if (*this)
      target.emplace(std::move(**this));
    return takeError();
  }

private:
  std::variant<T, Error> storage;
};

} // namespace tert::session

#endif // TERT_SUPPORT_ERROR_H
