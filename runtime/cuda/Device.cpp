// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Device.h"

#include "cuda/Error.h"

#include <cstdlib>
#include <sstream>

using namespace tert;
using namespace tert::cuda;

[[noreturn]] static void unsupported(const std::string &message) {
  throw Error(TERT_UNSUPPORTED, message);
}

/// CUDA encodes versions as 1000 * major + 10 * minor.
static std::string versionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

/// Number of GPUs; at least one.
static int countDevices() {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  if (driver == 0)
    unsupported("there is no NVIDIA driver on this machine; install one for "
                "CUDA " +
                versionText(CUDART_VERSION) + " or run on the device 'cpu'");
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver)
    unsupported("the NVIDIA driver supports CUDA " + versionText(driver) +
                ", but this runtime was built with CUDA " +
                versionText(CUDART_VERSION) +
                "; update the driver or build with an older toolkit");
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
    unsupported("the NVIDIA driver sees no GPU; `nvidia-smi` lists what it "
                "sees. The device 'cpu' needs none");
  check(status, "looking for GPUs");
  return count;
}

/// True if code for "90a-real" and the like runs on a GPU. Code of "90a" runs
/// on exactly that one, other machine code also on later minor versions, and
/// PTX
/// ("-virtual", or neither) on every later one.
static bool runsOn(const std::string &architecture, int major, int minor) {
  const int built = std::atoi(architecture.c_str());
  const size_t suffix = architecture.find_first_not_of("0123456789");
  const int device = 10 * major + minor;
  if (suffix != architecture.npos && architecture[suffix] == 'a')
    return device == built;
  const bool isReal = architecture.find("-real") != architecture.npos;
  return device >= built && (!isReal || device / 10 == built / 10);
}

void Device::requireKernels(const std::string &architectures) const {
  std::istringstream list(architectures);
  for (std::string architecture; std::getline(list, architecture, ',');)
    if (runsOn(architecture, major, minor))
      return;
  unsupported(
      "GPU " + std::to_string(ordinal) + ", " + name +
      ", has compute capability " + std::to_string(major) + "." +
      std::to_string(minor) + ", but this runtime's kernels are built for " +
      architectures + "; build it with -DTE_CUDA_ARCHITECTURES=" +
      std::to_string(10 * major + minor) + "-real, or run on the device 'cpu'");
}

Device Device::open(int ordinal) {
  int count = countDevices();
  if (ordinal < 0 || ordinal >= count)
    unsupported("there is no GPU " + std::to_string(ordinal) +
                "; this machine has " + std::to_string(count) +
                ", numbered from 0");
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, ordinal), "asking for the GPU");
  Device device;
  device.ordinal = ordinal;
  device.name = properties.name;
  device.major = properties.major;
  device.minor = properties.minor;
  device.multiprocessors = properties.multiProcessorCount;
  device.maxSharedBytes = static_cast<int>(properties.sharedMemPerBlockOptin);
  device.l2Bytes = static_cast<size_t>(properties.l2CacheSize);
  device.memoryBytes = properties.totalGlobalMem;
  device.requireKernels(TERT_CUDA_ARCHITECTURES);
  return device;
}

int OnGpu::enter(int ordinal) {
  int previous = 0;
  check(cudaGetDevice(&previous), "asking for the thread's GPU");
  if (previous != ordinal)
    check(cudaSetDevice(ordinal), "choosing the GPU");
  return previous;
}

void OnGpu::leave(int ordinal, int previous) noexcept {
  if (previous != ordinal)
    cudaSetDevice(previous);
}

OnGpu::OnGpu(int ordinal) : ordinal(ordinal), previous(enter(ordinal)) {}

OnGpu::~OnGpu() { leave(ordinal, previous); }
