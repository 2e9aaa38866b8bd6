// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs packed graphs on a device and compares what they return.
//
//   te-fuzz-replay DEVICE FOLDER     "cuda:0", and where te-fuzz --pack wrote

#include "Packed.h"

#include "../Runtime/Fp8Value.h"
#include "tert/artifact.h"
#include "tert/context.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>

using namespace te_fuzz;

static size_t sizeOf(int32_t dtype) {
  switch (dtype) {
  case TERT_F32:
  case TERT_I32:
    return 4;
  case TERT_BF16:
    return 2;
  case TERT_I64:
    return 8;
  default:
    return 1;
  }
}

/// Element i as a number.
static double elementOf(const PackedBuffer &buffer,
                        const std::vector<char> &bytes, size_t i) {
  const char *at = bytes.data() + i * sizeOf(buffer.dtype);
  if (buffer.dtype == TERT_I64) {
    int64_t value;
    std::memcpy(&value, at, 8);
    return double(value);
  }
  if (buffer.dtype == TERT_I32) {
    int32_t value;
    std::memcpy(&value, at, 4);
    return value;
  }
  if (buffer.dtype == TERT_F8E4M3 || buffer.dtype == TERT_F8E5M2)
    return tert_test::fp8Value(buffer.dtype, static_cast<uint8_t>(*at));
  uint32_t bits = 0;
  std::memcpy(&bits, at, sizeOf(buffer.dtype));
  if (buffer.dtype == TERT_BF16)
    bits <<= 16;
  else if (buffer.dtype != TERT_F32)
    return bits;
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

namespace {

struct Counts {
  long programs = 0, failed = 0, elements = 0;
};

/// Memory on the device, given back in the end.
struct DeviceBuffers {
  explicit DeviceBuffers(tert_context *device) : device(device) {}
  ~DeviceBuffers() {
    for (void *memory : addresses)
      tert_release(device, memory);
  }
  tert_context *device;
  std::vector<void *> addresses;
};

} // namespace

/// What is wrong with a program's results, or nothing.
static std::string run(tert_context *device, const PackedProgram &program,
                       tert_entry entry, Counts &counts) {
  DeviceBuffers memory(device);
  for (const PackedBuffer &buffer : program.buffers) {
    std::vector<char> bytes(std::max<size_t>(buffer.bytes, 1), char(0xff));
    std::copy(buffer.initial.begin(), buffer.initial.end(), bytes.begin());
    void *address = nullptr;
    if (tert_allocate(device, bytes.size(), &address))
      return tert_last_error(device);
    memory.addresses.push_back(address);
    if (tert_copy_to_device(device, address, bytes.data(), bytes.size()))
      return tert_last_error(device);
  }
  if (entry(device, memory.addresses.data()) || tert_synchronize(device))
    return tert_last_error(device);
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const PackedBuffer &buffer = program.buffers[b];
    if (buffer.expected.empty())
      continue;
    std::vector<char> bytes(buffer.bytes);
    if (tert_copy_to_host(device, bytes.data(), memory.addresses[b],
                          bytes.size()))
      return tert_last_error(device);
    for (size_t i = 0; i < buffer.expected.size(); ++i) {
      if (buffer.bound[i] == kAnything)
        continue;
      ++counts.elements;
      double got = elementOf(buffer, bytes, i);
      double bound = std::ldexp(1.0, buffer.bound[i]);
      if (!(std::abs(got - buffer.expected[i]) <= bound)) {
        char text[200];
        std::snprintf(text, sizeof(text),
                      "is %.9g instead of %.9g at element %zu, whose bound is "
                      "%.2g",
                      got, double(buffer.expected[i]), i, bound);
        return "'" + buffer.key + "' " + text;
      }
    }
  }
  return "";
}

static bool runFile(tert_context *device, const std::filesystem::path &path,
                    Counts &counts) {
  std::vector<PackedProgram> programs;
  std::ifstream file(path, std::ios::binary);
  if (!read(file, programs)) {
    std::fprintf(stderr, "te-fuzz-replay: error: '%s' is damaged\n",
                 path.c_str());
    return false;
  }
  std::filesystem::path library = path;
  library.replace_extension(".so");
  void *handle =
      dlopen(std::filesystem::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    std::fprintf(stderr, "te-fuzz-replay: error: %s\n", dlerror());
    return false;
  }
  for (const PackedProgram &program : programs) {
    auto entry = reinterpret_cast<tert_entry>(
        dlsym(handle, ("tert_entry_" + program.symbol).c_str()));
    std::string wrong =
        entry ? run(device, program, entry, counts) : "has no entry";
    ++counts.programs;
    if (wrong.empty())
      continue;
    ++counts.failed;
    std::printf("FAILED %s of %s: %s\n", program.symbol.c_str(),
                path.filename().c_str(), wrong.c_str());
  }
  // The device may still know kernels of the library: it stays.
  return true;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: te-fuzz-replay DEVICE FOLDER\n");
    return 2;
  }
  char message[256] = "";
  tert_context *device = nullptr;
  tert_options options = {};
  if (tert_open(argv[1], &options, &device, message, sizeof(message))) {
    std::fprintf(stderr, "te-fuzz-replay: error: %s\n", message);
    return 2;
  }
  std::vector<std::filesystem::path> paths;
  for (const auto &file : std::filesystem::directory_iterator(argv[2]))
    if (file.path().extension() == ".graphs")
      paths.push_back(file.path());
  std::sort(paths.begin(), paths.end());
  Counts counts;
  bool isGood = true;
  for (const std::filesystem::path &path : paths)
    isGood &= runFile(device, path, counts);
  std::printf("%ld graphs on %s, %ld numbers compared, %ld graphs failed\n",
              counts.programs, argv[1], counts.elements, counts.failed);
  tert_close(device);
  return isGood && counts.programs > 0 && counts.failed == 0 ? 0 : 1;
}
