// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "xla/Programs.h"

#include <stdexcept>

using namespace tert::xla;

Programs &Programs::get() {
  // Calls may still run while the process ends.
  static Programs &programs = *new Programs;
  return programs;
}

void Programs::add(std::string name, Entry entry) {
  std::lock_guard<std::mutex> lock(mutex);
  entries.emplace(std::move(name), std::move(entry));
}

const Entry *Programs::find(std::string_view name) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = entries.find(name);
  return found == entries.end() ? nullptr : &found->second;
}

Device &Programs::open(const std::string &name) {
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Device> &device = devices[name];
  if (!device) {
    auto opened = std::make_unique<Device>();
    char message[1024] = "";
    if (tert_open(name.c_str(), nullptr, &opened->context, message,
                  sizeof message) != TERT_OK)
      throw std::runtime_error(message);
    device = std::move(opened);
  }
  return *device;
}

std::string Programs::synchronize() {
  std::lock_guard<std::mutex> lock(mutex);
  std::string message;
  for (auto &[name, device] : devices) {
    if (!device)
      continue;
    std::lock_guard<std::mutex> call(device->mutex);
    if (tert_synchronize(device->context) != TERT_OK && message.empty())
      message = tert_last_error(device->context);
  }
  return message;
}
