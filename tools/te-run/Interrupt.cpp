// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interrupt.h"

#include <atomic>
#include <cerrno>
#include <unistd.h>

using namespace tert::run;

// A signal handler receives nothing but the signal's number, so what it says
// has to be here. (Blocking the signals and waiting for them in a thread needs
// no variable, but libraries start threads of their own before main, which
// would then take the signals and die of them.)
static std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free);

static void handle(int signal) {
  int error = errno;
  if (received.fetch_add(1) > 0) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  } else {
    static const char text[] =
        "\nte-run: finishing the step; press Ctrl-C again to stop at once\n";
    [[maybe_unused]] ssize_t written =
        ::write(STDERR_FILENO, text, sizeof(text) - 1);
  }
  errno = error;
}

Interrupt::Interrupt() {
  received = 0;
  struct sigaction action = {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previousInterrupt);
  sigaction(SIGTERM, &action, &previousTerminate);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &previousInterrupt, nullptr);
  sigaction(SIGTERM, &previousTerminate, nullptr);
}

bool Interrupt::requested() const { return received > 0; }
