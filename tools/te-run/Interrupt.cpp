// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interrupt.h"

#include "Output.h"

#include <ctime>
#include <pthread.h>

using namespace tert::run;

Interrupt::Interrupt() {
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  waiter = std::thread([this] { wait(); });
}

Interrupt::~Interrupt() {
  stopping = true;
  waiter.join();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void Interrupt::wait() {
  const timespec moment = {0, 50'000'000};
  while (!stopping) {
    int received = sigtimedwait(&signals, nullptr, &moment);
    if (received < 0)
      continue;
    if (flag) {
      // Asked twice: as without this class.
      std::signal(received, SIG_DFL);
      pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
      std::raise(received);
    }
    flag = true;
    std::fprintf(stderr,
                 "%s\nfinishing the step; press Ctrl-C again to stop "
                 "at once\n",
                 isTerminal(stderr) ? "" : "te-run: interrupted");
  }
}
