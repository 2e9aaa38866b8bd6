// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <system_error>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

using namespace tert::cpu;

// Time that a thread looks for work before it sleeps. Longer than the gap
// between two ops of a program, short enough to leave an idle machine idle.
static constexpr std::chrono::microseconds spinTime(50);

static void pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits for `ready` without sleeping. Returns false on timeout.
template <typename Ready> static bool spinFor(const Ready &ready) {
  auto end = std::chrono::steady_clock::now() + spinTime;
  do {
    for (int i = 0; i < 64; ++i) {
      if (ready())
        return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return ready();
}

static uint32_t unclaimed(uint64_t ticket) {
  return static_cast<uint32_t>(ticket);
}

ThreadPool::ThreadPool(int numThreads) {
  if (numThreads <= 0)
    numThreads =
        static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  workers.reserve(numThreads - 1);
  try {
    for (int worker = 1; worker < numThreads; ++worker)
      workers.emplace_back([this, worker] { work(worker); });
  } catch (const std::system_error &) {
    // Fewer threads than requested: results are the same.
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  workAvailable.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::run(int64_t count, Body loopBody, const void *fn) {
  // Generations leave 32 bits for the number of tasks.
  if (count > std::numeric_limits<uint32_t>::max()) {
    for (int64_t task = 0; task < count; ++task)
      loopBody(fn, task, 0);
    return;
  }
  runLoop(static_cast<uint32_t>(count), loopBody, fn);
}

void ThreadPool::runLoop(uint32_t count, Body loopBody, const void *fn) {
  numDone.store(0, std::memory_order_relaxed);
  numTasks.store(count, std::memory_order_relaxed);
  body.store(loopBody, std::memory_order_relaxed);
  function.store(fn, std::memory_order_relaxed);
  uint64_t generation = (ticket.load(std::memory_order_relaxed) >> 32) + 1;
  ticket.store(generation << 32 | count);
  if (numSleeping.load() > 0) {
    // Taking the lock orders this after the check by a thread that is about to
    // sleep.
    {
      std::lock_guard<std::mutex> lock(mutex);
    }
    workAvailable.notify_all();
  }

  while (claimAndRun(/*worker=*/0)) {
  }
  waitForTasks(count);
  if (firstException)
    std::rethrow_exception(std::exchange(firstException, nullptr));
}

bool ThreadPool::claimAndRun(int worker) {
  uint64_t current = ticket.load();
  uint32_t count;
  Body loopBody;
  const void *fn;
  do {
    if (unclaimed(current) == 0)
      return false;
    // These belong to the generation of `current` if the compare-exchange
    // succeeds: that loop cannot have ended while one of its tasks was
    // unclaimed.
    count = numTasks.load(std::memory_order_relaxed);
    loopBody = body.load(std::memory_order_relaxed);
    fn = function.load(std::memory_order_relaxed);
  } while (!ticket.compare_exchange_weak(current, current - 1));

  try {
    loopBody(fn, count - unclaimed(current), worker);
  } catch (...) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!firstException)
      firstException = std::current_exception();
  }
  if (numDone.fetch_add(1) + 1 == count && callerSleeping.load()) {
    {
      std::lock_guard<std::mutex> lock(mutex);
    }
    tasksDone.notify_one();
  }
  return true;
}

void ThreadPool::waitForTasks(uint32_t count) {
  auto done = [&] { return numDone.load() == count; };
  if (spinFor(done))
    return;
  std::unique_lock<std::mutex> lock(mutex);
  callerSleeping = true;
  tasksDone.wait(lock, done);
  callerSleeping = false;
}

void ThreadPool::waitForWork() {
  auto ready = [&] { return unclaimed(ticket.load()) > 0 || stopping.load(); };
  if (spinFor(ready))
    return;
  std::unique_lock<std::mutex> lock(mutex);
  ++numSleeping;
  workAvailable.wait(lock, ready);
  --numSleeping;
}

void ThreadPool::work(int worker) {
  while (!stopping.load())
    if (!claimAndRun(worker))
      waitForWork();
}
