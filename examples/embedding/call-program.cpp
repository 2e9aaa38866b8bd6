// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What call-program.c does, in C++: the gradients of a compiled layer.mlir, by
// its entry "vjp". dw = dy^T x, and dx = dy w.

#include <cmath>
#include <cstdio>
#include <dlfcn.h>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <tert/artifact.h>
#include <vector>

namespace {
constexpr int rows = 64, inner = 128, columns = 32;

struct CloseLibrary {
  void operator()(void *library) const { dlclose(library); }
};
struct CloseContext {
  void operator()(tert_context *context) const { tert_close(context); }
};
using Context = std::unique_ptr<tert_context, CloseContext>;

Context openDevice(const char *name) {
  tert_context *context = nullptr;
  char message[256];
  if (tert_open(name, nullptr, &context, message, sizeof message) != TERT_OK)
    throw std::runtime_error(message);
  return Context(context);
}

/// An arena's alignment.
struct alignas(256) Block {
  char bytes[256];
};

class Program {
public:
  explicit Program(const char *path) : library(dlopen(path, RTLD_NOW)) {
    if (!library)
      throw std::runtime_error(dlerror());
    auto *version =
        static_cast<const int32_t *>(find(TERT_ARTIFACT_ABI_VERSION_SYMBOL));
    if (*version != TERT_ABI_VERSION)
      throw std::runtime_error("a program for another runtime");
    // A program of one entry; others are told apart by a reader of JSON.
    const std::string description =
        static_cast<const char *>(find(TERT_ARTIFACT_DESCRIPTION_SYMBOL));
    const std::string key = "\"arena_bytes\":";
    const size_t at = description.find(key);
    if (at != description.npos)
      arena.resize((std::stoull(description.substr(at + key.size())) + 255) /
                   256);
  }

  /// Arguments are in the order of the description, which te-run info lists.
  void call(tert_context *context, const char *entry,
            std::vector<void *> arguments) {
    arguments.push_back(arena.empty() ? nullptr : arena.data());
    auto function = reinterpret_cast<tert_entry>(
        find((std::string("tert_entry_") + entry).c_str()));
    if (function(context, arguments.data()) != TERT_OK ||
        tert_synchronize(context) != TERT_OK)
      throw std::runtime_error(tert_last_error(context));
  }

private:
  void *find(const char *symbol) const {
    void *address = dlsym(library.get(), symbol);
    if (!address)
      throw std::runtime_error(std::string("no ") + symbol);
    return address;
  }

  std::unique_ptr<void, CloseLibrary> library;
  std::vector<Block> arena;
};

/// Element i of a matrix with `period` different values around 0.
float valueAt(size_t i, int period) {
  return static_cast<float>(static_cast<int>(i % period) - period / 2);
}

void run(const char *path) {
  std::vector<float> x(rows * inner), w(columns * inner), dy(rows * columns);
  std::vector<float> y(dy.size()), dx(x.size()), dw(w.size());
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = valueAt(i, 7);
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = valueAt(i, 5);
  for (size_t i = 0; i < dy.size(); ++i)
    dy[i] = valueAt(i, 3);

  Context context = openDevice("cpu");
  Program program(path);
  program.call(context.get(), "vjp",
               {x.data(), dy.data(), w.data(), y.data(), dw.data(), dx.data()});
  for (int n = 0; n < columns; ++n)
    for (int k = 0; k < inner; ++k) {
      double sum = 0;
      for (int m = 0; m < rows; ++m)
        sum += double(dy[m * columns + n]) * x[m * inner + k];
      if (std::fabs(dw[n * inner + k] - sum) > 1e-3)
        throw std::runtime_error("dw is wrong");
    }
  for (int m = 0; m < rows; ++m)
    for (int k = 0; k < inner; ++k) {
      double sum = 0;
      for (int n = 0; n < columns; ++n)
        sum += double(dy[m * columns + n]) * w[n * inner + k];
      if (std::fabs(dx[m * inner + k] - sum) > 1e-3)
        throw std::runtime_error("dx is wrong");
    }
  std::printf("dw[0] is %g, and both gradients are right\n", dw[0]);
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s PROGRAM.so\n", argv[0]);
    return 2;
  }
  try {
    run(argv[1]);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
