// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPUs of tests that do not touch CUDA themselves, for they fork.
#ifndef TE_TEST_INTEGRATION_CUDA_OPENGPU_H
#define TE_TEST_INTEGRATION_CUDA_OPENGPU_H

#include "tert/context.h"

#include <sys/wait.h>
#include <unistd.h>

namespace test {

/// Whether a process of its own can.
inline bool canOpen(const char *device) {
  const pid_t process = ::fork();
  if (process == 0) {
    tert_context *context = nullptr;
    char message[256];
    tert_open(device, nullptr, &context, message, sizeof(message));
    ::_exit(context ? 0 : 1);
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace test

#endif // TE_TEST_INTEGRATION_CUDA_OPENGPU_H
