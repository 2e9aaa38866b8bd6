// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interrupt.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace tert::run;

// A signal handler receives only the signal's number, so its result must be
// global. (Blocking the signals and waiting for them in a thread would need no
// variable, but libraries start threads before main, which would receive the
// signals and end the process.)
static std::atomic<int> received{0};
static std::atomic<bool> pipeIsBroken{false};
static std::atomic<bool> isQuiet{false};
static_assert(std::atomic<int>::is_always_lock_free &&
              std::atomic<bool>::is_always_lock_free);

static void say(const char *text) {
  if (isQuiet)
    return;
  [[maybe_unused]] ssize_t written =
      ::write(STDERR_FILENO, text, std::strlen(text));
}

/// Every further line of output raises it again, so it does not count as a
/// second Ctrl-C.
static void handleBrokenPipe(int) {
  int error = errno;
  if (!pipeIsBroken.exchange(true))
    say("\nte-run: the output was closed; finishing the step\n");
  errno = error;
}

static void handle(int signal) {
  int error = errno;
  if (received.fetch_add(1) > 0) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  } else if (signal == SIGHUP) {
    say("\nte-run: the terminal was closed; finishing the step\n");
  } else {
    say("\nte-run: finishing the step; press Ctrl-C again to stop at once\n");
  }
  errno = error;
}

Interrupt::Interrupt(bool quiet) {
  isQuiet = quiet;
  received = 0;
  pipeIsBroken = false;
  for (size_t i = 0; i < std::size(signals); ++i) {
    int signal = signals[i];
    struct sigaction action = {};
    action.sa_handler = signal == SIGPIPE ? handleBrokenPipe : handle;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, &previous[i]);
    if ((signal == SIGHUP || signal == SIGPIPE) &&
        previous[i].sa_handler == SIG_IGN)
      sigaction(signal, &previous[i], nullptr);
  }
}

Interrupt::~Interrupt() {
  for (size_t i = 0; i < std::size(signals); ++i) {
    // Flushing the buffers would raise it once more.
    if (signals[i] == SIGPIPE && pipeIsBroken)
      previous[i].sa_handler = SIG_IGN;
    sigaction(signals[i], &previous[i], nullptr);
  }
}

bool Interrupt::requested() const { return received > 0 || pipeIsBroken; }
