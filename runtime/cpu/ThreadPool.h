// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent threads for short loops: a step of a small model runs hundreds of
// parallel loops of a fraction of a millisecond each.
#ifndef TERT_CPU_THREADPOOL_H
#define TERT_CPU_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tert::cpu {

class ThreadPool {
public:
  /// Uses `numThreads` threads including the caller's; 0 means as many as the
  /// process may use.
  explicit ThreadPool(int numThreads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  int getNumThreads() const { return static_cast<int>(workers.size()) + 1; }

  /// Calls fn(task, worker) for every task in [0, numTasks), in any order, and
  /// returns when all are done. 0 <= worker < getNumThreads() selects the
  /// scratch memory. A result must depend on `task` alone, never on `worker` or
  /// on the number of threads: choose the tasks from the shapes, and combine
  /// partial results in the order of the tasks. The first exception of a task
  /// is rethrown here. Call it from one thread at a time, and not from inside a
  /// task.
  template <typename Fn> void parallelFor(int64_t numTasks, const Fn &fn) {
    if (numTasks <= 1 || workers.empty()) {
      for (int64_t task = 0; task < numTasks; ++task)
        fn(task, 0);
      return;
    }
    run(numTasks, &invoke<Fn>, &fn);
  }

private:
  using Body = void (*)(const void *fn, int64_t task, int worker);

  template <typename Fn>
  static void invoke(const void *fn, int64_t task, int worker) {
    (*static_cast<const Fn *>(fn))(task, worker);
  }

  void run(int64_t numTasks, Body body, const void *fn);
  void runLoop(uint32_t numTasks, Body body, const void *fn);
  bool claimAndRun(int worker);
  void work(int worker);
  void waitForWork();
  void waitForTasks(uint32_t numTasks);

  // The loop in progress. The high half of `ticket` is the loop's generation,
  // the low half the number of unclaimed tasks. The other three are written
  // before `ticket` and stay until all tasks are done.
  std::atomic<uint64_t> ticket{0};
  std::atomic<uint32_t> numTasks{0};
  std::atomic<Body> body{nullptr};
  std::atomic<const void *> function{nullptr};

  alignas(64) std::atomic<uint32_t> numDone{0};

  alignas(64) std::mutex mutex;
  std::condition_variable workAvailable;
  std::condition_variable tasksDone;
  std::atomic<int> numSleeping{0};
  std::atomic<bool> callerSleeping{false};
  std::atomic<bool> stopping{false};
  std::exception_ptr firstException;
  std::vector<std::thread> workers;
};

} // namespace tert::cpu

#endif // TERT_CPU_THREADPOOL_H
