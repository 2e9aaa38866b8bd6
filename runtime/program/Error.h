// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exception with a status and a message, converted to a status code at the C
// boundary. Nothing throws across that boundary.
#ifndef TERT_PROGRAM_ERROR_H
#define TERT_PROGRAM_ERROR_H

#include "tert/types.h"

#include <stdexcept>
#include <string>

namespace tert {

class Error : public std::runtime_error {
public:
  Error(tert_status status, const std::string &message)
      : std::runtime_error(message), status(status) {}

  /// `message` begins with the op and the location that it concerns, which
  /// differ from those of the failing call.
  static Error located(tert_status status, const std::string &message) {
    Error error(status, message);
    error.hasSite = true;
    return error;
  }

  tert_status getStatus() const { return status; }
  bool namesSite() const { return hasSite; }

private:
  tert_status status;
  bool hasSite = false;
};

} // namespace tert

#endif // TERT_PROGRAM_ERROR_H
