// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between ranks and their coordinator: frames of a kind (u32), a size
// (u32), the payload, and, except for a connection's first frame, an
// authentication code (launch/Secret.h). Numbers are little-endian; texts are
// preceded by their length (u32).

#ifndef TERT_LAUNCH_MESSAGE_H
#define TERT_LAUNCH_MESSAGE_H

#include "launch/Secret.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tert::launch {

/// Ranks and coordinators of different versions cannot communicate.
constexpr uint64_t protocolVersion = 2;

/// The comments describe the payloads; `->` is from a rank, `<-` to it.
enum class Kind : uint32_t {
  /// <-> random number, protocol version. The first message, without a code.
  /// The value is unlikely in other data.
  Challenge = 0x54524554,
  Hello = 1, ///< -> introduction; of a rank: rank, size, pid, host, version.
  Welcome,   ///< <- nothing: the rank is accepted.
  Refused,   ///< <- reason; empty and without a code for a wrong key.
  Alive,     ///< -> phase, step, milliseconds in it; <- nothing.
  Set,       ///< -> key, value.
  Get,       ///< -> request, key; answered once the key exists.
  Gather,    ///< -> request, key, value; answered with the values of all ranks,
             ///< once all have sent theirs.
  Value,     ///< <- request, value or values.
  Failed,    ///< -> reason, and 1 if a collective failed.
  Leave,     ///< -> nothing: the rank has finished.
  Goodbye,   ///< <- nothing: all ranks have finished.
  End,       ///< <- the rank that caused the end, reason.
  WantStop,  ///< -> nothing: the rank was asked to stop.
  Halt,      ///< <- nothing: begin no step until the decision.
  Begun,     ///< -> number of steps that the rank has begun, in reply.
  StopAt     ///< <- number of steps after which all ranks stop.
};

struct Message {
  Kind kind = Kind::Alive;
  std::string payload;
};

/// Maximum size of a frame: before and after authentication of the other side.
constexpr size_t maxHelloBytes = 4096;
constexpr size_t mostBytes = size_t(64) << 20;

/// Makes foreign text safe for a terminal: characters that are neither
/// printable UTF-8 nor line ends become \x1b and the like.
std::string printable(std::string_view text);

/// Writes a payload.
class Packer {
public:
  Packer &number(uint64_t value);
  Packer &text(std::string_view value);
  Packer &texts(const std::vector<std::string> &values);
  std::string frame(Kind kind) const;

private:
  std::string bytes;
};

/// Reads an untrusted payload. After a missing value, everything is 0 or empty,
/// and isWhole() is false.
class Unpacker {
public:
  explicit Unpacker(std::string_view bytes) : bytes(bytes) {}
  uint64_t number();
  std::string text();
  std::vector<std::string> texts();
  /// True if the payload was complete and had no further bytes.
  bool isWhole() const { return whole && bytes.empty(); }

private:
  std::string_view take(uint64_t count);
  std::string_view bytes;
  bool whole = true;
};

/// Splits received bytes into frames.
class Inbox {
public:
  /// Received bytes are appended here.
  std::string bytes;
  /// Codes of the frames from here on; none if they have no codes.
  std::optional<FrameAuthenticator> seal;

  /// The next complete frame, if there is one. Sets isBad() for a frame of more
  /// than `most` bytes or with a wrong code.
  std::optional<Message> next(size_t most);
  bool isBad() const { return bad; }
  /// Bytes missing from the next frame, as far as known.
  size_t missing() const;

private:
  size_t codeBytes() const { return seal ? FrameAuthenticator::bytes : 0; }
  size_t begin = 0; ///< Bytes before it have been consumed.
  bool bad = false;
};

} // namespace tert::launch

#endif // TERT_LAUNCH_MESSAGE_H
