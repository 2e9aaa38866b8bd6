// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that XLA calls, and those that tell of the programs they call.

#include "xla/Handler.h"

#include "xla/Programs.h"

#include <cstring>
#include <stdexcept>

using namespace tert::xla;

/// Bytes of an element of xla::PrimitiveType, of the types that programs have.
static int64_t getElementBytes(int32_t dtype) {
  switch (dtype) {
  case 6:  // u8
  case 19: // f8e5m2
  case 20: // f8e4m3fn
  case 33: // f8e8m0fnu
    return 1;
  case 16: // bf16
    return 2;
  case 4:  // s32
  case 11: // f32
    return 4;
  case 5: // s64
    return 8;
  default:
    return 0;
  }
}

static void *getAddress(const Values &values, int32_t place, int64_t bytes) {
  if (place < 0 || place >= values.count || values.types[place] != bufferValue)
    throw std::invalid_argument("the call has too few operands or results");
  const auto *buffer = static_cast<const Buffer *>(values.values[place]);
  int64_t found = getElementBytes(buffer->dtype);
  for (int64_t i = 0; i < buffer->rank; ++i)
    found *= buffer->sizes[i];
  if (found != bytes)
    throw std::invalid_argument("an operand or result has " +
                                std::to_string(found) + " bytes, not " +
                                std::to_string(bytes));
  return buffer->data;
}

/// The addresses of the entry's arguments, and of the arena.
static std::vector<void *> getAddresses(const Entry &entry,
                                        const CallFrame &frame) {
  std::vector<void *> addresses;
  addresses.reserve(entry.arguments.size() + 1);
  for (const Argument &argument : entry.arguments) {
    void *operand = nullptr, *result = nullptr;
    if (argument.operand >= 0)
      operand = getAddress(frame.arguments, argument.operand, argument.bytes);
    if (argument.result >= 0)
      result = getAddress(frame.results, argument.result, argument.bytes);
    if (operand && result && operand != result)
      throw std::invalid_argument("a state is not updated in place");
    addresses.push_back(result ? result : operand);
  }
  void *arena = nullptr;
  if (entry.arenaBytes) {
    size_t space = entry.arenaBytes + arenaSlack;
    arena =
        getAddress(frame.results, static_cast<int32_t>(frame.results.count - 1),
                   static_cast<int64_t>(space));
    arena = std::align(arenaAlignment, entry.arenaBytes, arena, space);
  }
  addresses.push_back(arena);
  return addresses;
}

static const Entry &findEntry(const Attributes &attributes,
                              const char *device) {
  std::string_view name;
  for (int64_t i = 0; i < attributes.count; ++i) {
    const Text &key = *attributes.names[i];
    if (attributes.types[i] == stringAttribute &&
        std::string_view(key.data, key.size) == "entry") {
      const auto *value = static_cast<const Text *>(attributes.values[i]);
      name = std::string_view(value->data, value->size);
    }
  }
  const Entry *entry = Programs::get().find(name);
  if (!entry)
    throw std::invalid_argument(
        "this process has not loaded the program of this call, " +
        std::string(name) +
        ": call the function of temlir.jax.compile, or its lower(), before "
        "what was compiled with it elsewhere");
  if (entry->device != device)
    throw std::invalid_argument(
        "a program for " + entry->device + " is called on " + device +
        ": choose the platform with temlir.jax.compile(..., platform=)");
  return *entry;
}

/// The device's name, and its stream in `stream`; a failure of XLA's own if it
/// cannot say.
static Failure *getDevice(const CallFrame &frame, const char *kind,
                          std::string &name, void *&stream) {
  name = kind;
  if (name != "cuda")
    return nullptr;
  const Api &api = *frame.api;
  if (api.structSize < sizeof(Api))
    throw std::invalid_argument(
        "this version of JAX does not say on which GPU a call runs; programs "
        "for GPUs need a newer one");
  GetStream getStream = {sizeof(GetStream), nullptr, frame.context, nullptr};
  if (Failure *failure = api.getStream(&getStream))
    return failure;
  GetOrdinal getOrdinal = {offsetof(GetOrdinal, ordinal) + sizeof(int32_t),
                           nullptr, frame.context, 0};
  if (Failure *failure = api.getOrdinal(&getOrdinal))
    return failure;
  stream = getStream.stream;
  name += ":" + std::to_string(getOrdinal.ordinal);
  return nullptr;
}

static Failure *call(const CallFrame &frame, const char *kind) {
  const Entry &entry = findEntry(frame.attributes, kind);
  std::vector<void *> addresses = getAddresses(entry, frame);
  std::string name;
  void *stream = nullptr;
  if (Failure *failure = getDevice(frame, kind, name, stream))
    return failure;
  Device &device = Programs::get().open(name);
  std::lock_guard<std::mutex> lock(device.mutex);
  tert_status status = tert_set_stream(device.context, stream);
  if (status == TERT_OK)
    status = entry.function(device.context, addresses.data());
  if (status != TERT_OK)
    throw std::runtime_error(tert_last_error(device.context));
  return nullptr;
}

static Failure *fail(const Api &api, int32_t code, const char *message) {
  CreateFailure create = {offsetof(CreateFailure, code) + sizeof(int32_t),
                          nullptr, message, code};
  return api.createFailure(&create);
}

/// Whether XLA asks what version of its interface this handler is made for.
static bool answer(const CallFrame &frame) {
  Extension *extension = frame.extensions;
  if (!extension || extension->type != metadataExtension)
    return false;
  Metadata &metadata =
      *reinterpret_cast<MetadataExtension *>(extension)->metadata;
  // What is used here is the same in all versions 0, so the answer is the one
  // that is asked for.
  metadata.version.major = 0;
  metadata.version.minor = frame.api ? frame.api->version.minor : 1;
  metadata.traits = 0;
  return true;
}

static Failure *handle(CallFrame *frame, const char *kind) {
  if (answer(*frame))
    return nullptr;
  try {
    return call(*frame, kind);
  } catch (const std::invalid_argument &error) {
    return fail(*frame->api, invalidArgument, error.what());
  } catch (const std::exception &error) {
    return fail(*frame->api, internalError, error.what());
  }
}

Failure *tert_xla_call_cpu(CallFrame *frame) { return handle(frame, "cpu"); }

Failure *tert_xla_call_cuda(CallFrame *frame) { return handle(frame, "cuda"); }

void tert_xla_add_entry(const char *name, tert_entry function,
                        const char *device, size_t arenaBytes, size_t count,
                        const Argument *arguments) {
  Programs::get().add(
      name, {function, device, arenaBytes, {arguments, arguments + count}});
}

tert_status tert_xla_synchronize(char *message, size_t size) {
  std::string text = Programs::get().synchronize();
  if (size) {
    size_t length = std::min(text.size(), size - 1);
    std::memcpy(message, text.data(), length);
    message[length] = 0;
  }
  return text.empty() ? TERT_OK : TERT_DEVICE_ERROR;
}
