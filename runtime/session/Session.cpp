// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Session.h"

#include <algorithm>
#include <cstring>

using namespace tert::session;

/// Alignment of each state, in bytes.
static constexpr size_t stateAlignment = 256;

Expected<DeviceBuffer> DeviceBuffer::allocate(tert_context *context,
                                              size_t bytes,
                                              const std::string &purpose,
                                              Of of) {
  DeviceBuffer buffer;
  buffer.context = context;
  buffer.bytes = bytes;
  buffer.isHost = of == Of::Host;
  auto *allocateMemory = buffer.isHost ? tert_allocate_host : tert_allocate;
  if (bytes == 0 || allocateMemory(context, bytes, &buffer.memory) == TERT_OK)
    return buffer;
  buffer.memory = nullptr;
  return Error("cannot allocate " + std::to_string(bytes) + " bytes for " +
               purpose + ": " + tert_last_error(context));
}

DeviceBuffer::~DeviceBuffer() {
  if (memory)
    (isHost ? tert_release_host : tert_release)(context, memory);
}

Expected<std::unique_ptr<Session>>
Session::create(Artifact artifact, const SessionOptions &options) {
  std::string deviceName =
      options.device.empty() ? artifact.defaultDevice() : options.device;
  if (Error error = artifact.checkDevice(deviceName))
    return error;
  const Mesh &mesh = artifact.description().mesh;
  if (options.rank < 0 || options.rank >= mesh.ranks())
    return Error("'" + artifact.path() + "' is for " +
                 std::to_string(mesh.ranks()) + " ranks, and has no rank " +
                 std::to_string(options.rank));
  std::unique_ptr<Session> session(new Session(std::move(artifact), options));
  tert_options deviceOptions = {};
  deviceOptions.num_threads = options.numThreads;
  deviceOptions.nondeterministic = options.nondeterministic;
  tert_context *context = nullptr;
  char message[1024] = "";
  if (tert_open(deviceName.c_str(), &deviceOptions, &context, message,
                sizeof(message)) != TERT_OK)
    return Error("cannot open the device '" + deviceName + "': " + message);
  session->device.reset(context);
  if (tert_status status = tert_device_read_info(context, &session->atStart))
    return session->failure(status, "cannot ask about the device's memory");
  if (Error error = session->checkFits(nullptr))
    return error;
  tert_set_synchronous(context, options.synchronous);
  session->prepared.resize(session->description().states.size());
  if (const EntryDescription *entry =
          session->description().findEntry("prepare"))
    for (const ArgumentDescription &argument : entry->arguments)
      if (argument.role == ArgumentDescription::Role::State)
        session->prepared[argument.state] =
            !session->description().states[argument.state].isPrepared();
  size_t onDevice = 0, onHost = 0;
  for (const StateDescription &state : session->description().states) {
    size_t &bytes = state.isOnHost ? onHost : onDevice;
    session->stateOffsets.push_back(bytes);
    bytes += (state.type.bytes() + stateAlignment - 1) / stateAlignment *
             stateAlignment;
  }
  if (Error error = DeviceBuffer::allocate(context, onDevice, "the states")
                        .moveTo(session->states))
    return error;
  if (Error error =
          DeviceBuffer::allocate(context, onHost, "the states on the host",
                                 DeviceBuffer::Of::Host)
              .moveTo(session->hostStates))
    return error;
  return session;
}

Error Session::failure(tert_status status, const std::string &action) const {
  const char *message = tert_last_error(context());
  return Error(action + ": " +
               (message && *message
                    ? std::string(message)
                    : "the runtime reports status " + std::to_string(status)));
}

Error Session::readState(size_t index, void *host, size_t bytes,
                         size_t offset) const {
  if (description().states[index].isOnHost) {
    std::memcpy(host, stateAddress(index, offset), bytes);
    return Error::success();
  }
  tert_status status =
      tert_copy_to_host(context(), host, stateAddress(index, offset), bytes);
  return status == TERT_OK
             ? Error::success()
             : failure(status, "cannot read state '" +
                                   description().states[index].name + "'");
}

Error Session::writeState(size_t index, const void *host, size_t bytes,
                          size_t offset) {
  mustPrepare |= prepared[index];
  tert_status status = TERT_OK;
  if (description().states[index].isOnHost) {
    // An earlier run of `prepare` may still read it.
    status = tert_synchronize(context());
    if (status == TERT_OK)
      std::memcpy(stateAddress(index, offset), host, bytes);
  } else {
    status = tert_copy_to_device(context(), stateAddress(index, offset), host,
                                 bytes);
  }
  return status == TERT_OK
             ? Error::success()
             : failure(status, "cannot write state '" +
                                   description().states[index].name + "'");
}

/// Entries that are run for loaded states.
static bool isOfLoading(const EntryDescription &entry) {
  return entry.name == "init" || entry.name == "prepare";
}

Error Session::prepare(const SharedArena &arena) {
  const EntryDescription *entry = description().findEntry("prepare");
  if (!entry || !mustPrepare)
    return Error::success();
  mustPrepare = false;
  Expected<EntryCall> call = EntryCall::create(
      *this, entry->name,
      arena && arena->size() >= entry->arenaBytes ? arena : nullptr);
  if (!call)
    return call.takeError();
  return call->run();
}

Error Session::checkFits(const EntryDescription *entry) const {
  if (!chosen.checkMemory)
    return Error::success();
  MemoryNeed need = memoryNeed(description(), entry);
  need.temporary = atStart.temporary_bytes;
  return session::checkFits(need, atStart,
                            (entry ? "entry '" + entry->name + "' of '" : "'") +
                                program.path() + "'");
}

Expected<SharedArena>
Session::allocateArena(const std::vector<std::string> &entries) const {
  size_t bytes = 0;
  std::string names;
  for (const std::string &name : entries)
    if (const EntryDescription *entry = description().findEntry(name)) {
      // Before any allocation, for a specific message.
      if (Error error = checkFits(entry))
        return error;
      bytes = std::max(bytes, entry->arenaBytes);
      names += (names.empty() ? "'" : ", '") + name + "'";
    }
  Expected<DeviceBuffer> arena =
      DeviceBuffer::allocate(context(), bytes, "the arena of entry " + names);
  if (!arena)
    return arena.takeError();
  return std::make_shared<const DeviceBuffer>(std::move(*arena));
}

Expected<EntryCall> EntryCall::create(Session &session, const std::string &name,
                                      SharedArena arena) {
  using Role = ArgumentDescription::Role;
  const Description &description = session.description();
  const EntryDescription *entry = description.findEntry(name);
  if (!entry)
    return Error("'" + session.path() + "' has no entry '" + name +
                 "'; it has: " + description.entryNames() +
                 ". te-compile --entry chooses them");
  if (Error error = session.checkFits(entry))
    return error;
  if (!isOfLoading(*entry))
    if (Error error = session.prepare(arena))
      return error;
  size_t index = static_cast<size_t>(entry - description.entries.data());
  EntryCall call(session, *entry, session.artifact().entry(index));
  if (!arena) {
    if (Error error = session.allocateArena({name}).moveTo(arena))
      return error;
  } else if (arena->size() < entry->arenaBytes) {
    return Error("the shared arena has " + std::to_string(arena->size()) +
                 " bytes, fewer than the " + std::to_string(entry->arenaBytes) +
                 " of entry '" + name + "'");
  }
  for (const ArgumentDescription &argument : entry->arguments) {
    DeviceBuffer buffer;
    if (argument.arenaOffset) {
      call.addresses.push_back(static_cast<char *>(arena->get()) +
                               *argument.arenaOffset);
      continue;
    }
    if (argument.role != Role::State) {
      if (Error error =
              DeviceBuffer::allocate(session.context(), argument.type.bytes(),
                                     "argument '" + argument.name + "'")
                  .moveTo(buffer))
        return error;
    }
    call.addresses.push_back(argument.role == Role::State
                                 ? session.stateAddress(argument.state)
                                 : buffer.get());
    call.buffers.push_back(std::move(buffer));
    if (argument.role == Role::Scalar && argument.defaultValue)
      if (Error error = call.setScalar(argument, *argument.defaultValue))
        return error;
  }
  call.addresses.push_back(arena->get());
  call.arena = std::move(arena);
  return call;
}

Error EntryCall::setInput(const ArgumentDescription &argument,
                          const void *host) {
  tert_status status =
      tert_copy_to_device(session->context(), addresses[indexOf(argument)],
                          host, argument.type.bytes());
  return status == TERT_OK
             ? Error::success()
             : session->failure(status, "cannot set '" + argument.name + "'");
}

Error EntryCall::setScalar(const ArgumentDescription &argument, double value) {
  const DType dtype = toFileDType(argument.type.dtype);
  unsigned char element[8];
  if (argument.type.bytes() != sizeOf(dtype))
    return Error("the scalar '" + argument.name + "' has the shape " +
                 toString(argument.type.shape) + "; expects a single number");
  if (Error error = storeNumber(dtype, value, element))
    return Error("cannot set the scalar '" + argument.name +
                 "': " + error.message());
  return setInput(argument, element);
}

Expected<bool> EntryCall::setScalar(const std::string &name, double value) {
  const ArgumentDescription *argument =
      entry->find(ArgumentDescription::Role::Scalar, name);
  if (!argument)
    return false;
  if (Error error = setScalar(*argument, value))
    return error;
  return true;
}

Expected<bool> EntryCall::setInteger(const std::string &name, int64_t value) {
  const ArgumentDescription *argument =
      entry->find(ArgumentDescription::Role::Scalar, name);
  if (!argument)
    return false;
  if (argument->type.dtype != TERT_I64)
    return Error("the scalar '" + name + "' is " + toString(argument->type) +
                 ", not an i64 number");
  if (Error error = setInput(*argument, &value))
    return error;
  return true;
}

Error EntryCall::enqueue() {
  if (!isOfLoading(*entry))
    if (Error error = session->prepare(arena))
      return error;
  tert_context *context = session->context();
  tert_status status = TERT_OK;
  bool synchronous = session->options().synchronous;
  if (ranOnce && !graph && !synchronous) {
    tert_graph *recorded = nullptr;
    status = tert_graph_capture(context, function, addresses.data(), &recorded);
    graph.reset(recorded);
  }
  if (status == TERT_OK && graph) {
    status = tert_graph_launch(graph.get());
  } else if (status == TERT_OK) {
    tert_set_synchronous(context, true);
    status = function(context, addresses.data());
    tert_set_synchronous(context, synchronous);
  }
  ranOnce = status == TERT_OK;
  return status == TERT_OK
             ? Error::success()
             : failure(status, "entry '" + entry->name + "' failed");
}

Error EntryCall::failure(tert_status status, const std::string &action) const {
  Error error = session->failure(status, action);
  if (status != TERT_DEVICE_ERROR || !graph)
    return error;
  return Error(
      error.message() +
      ". Ops of a recorded step cannot be distinguished: run again with "
      "--synchronous to learn which one it was");
}

Error EntryCall::run() {
  if (Error error = enqueue())
    return error;
  return wait();
}

Error EntryCall::wait() {
  tert_status status = tert_synchronize(session->context());
  return status == TERT_OK
             ? Error::success()
             : failure(status, "entry '" + entry->name + "' failed");
}

Error EntryCall::readOutput(const ArgumentDescription &argument,
                            void *host) const {
  tert_status status =
      tert_copy_to_host(session->context(), host, addresses[indexOf(argument)],
                        argument.type.bytes());
  return status == TERT_OK
             ? Error::success()
             : failure(status, "cannot read '" + argument.name + "'");
}

Expected<float> EntryCall::readScalar(const std::string &name) const {
  const ArgumentDescription *argument =
      entry->find(ArgumentDescription::Role::Output, name);
  if (!argument || argument->type.dtype != TERT_F32 ||
      argument->type.elements() != 1)
    return Error("entry '" + entry->name + "' has no f32 scalar output '" +
                 name + "'");
  float value = 0.0f;
  if (Error error = readOutput(*argument, &value))
    return error;
  return value;
}
