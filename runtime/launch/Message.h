// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks and their coordinator say to each other over a connection: frames
// of a kind (u32), a size (u32), so many bytes, and, but for the first frame of
// a connection, a code that proves who made it (launch/Secret.h). Numbers are
// little-endian, texts have their length (u32) before them.

#ifndef TERT_LAUNCH_MESSAGE_H
#define TERT_LAUNCH_MESSAGE_H

#include "launch/Secret.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tert::launch {

/// Ranks and coordinators that differ in it do not understand each other.
constexpr uint64_t protocolVersion = 2;

/// The payload of each is in its comment; `->` from a rank, `<-` to it.
enum class Kind : uint32_t {
  /// <-> a random number, protocol. The first of a connection, without a code,
  /// and no number by chance.
  Challenge = 0x54524554,
  Hello = 1, ///< -> who it is; of a rank: rank, size, pid, host, version.
  Welcome,   ///< <- nothing: the rank is known.
  Refused,   ///< <- why; without a code, and empty, to who has another key.
  Alive,     ///< -> phase, step, milliseconds in it; <- nothing.
  Set,       ///< -> key, value.
  Get,       ///< -> request, key; answered when the key is there.
  Gather,    ///< -> request, key, value; answered when all ranks have said
             ///< theirs, with all values by rank.
  Value,     ///< <- request, value or values.
  Failed,    ///< -> why, and 1 if it was an exchange with others.
  Leave,     ///< -> the rank has done its work.
  Goodbye,   ///< <- all ranks have.
  End,       ///< <- the rank that ends the job, why.
  WantStop,  ///< -> the rank was asked to stop.
  Halt,      ///< <- begin no step until the decision.
  Begun,     ///< -> how many steps the rank has begun, in answer.
  StopAt     ///< <- the number of steps after which all stop.
};

struct Message {
  Kind kind = Kind::Alive;
  std::string payload;
};

/// The most that a frame may hold: before and after the other side has proven
/// who it is.
constexpr size_t mostBytesOfHello = 4096;
constexpr size_t mostBytes = size_t(64) << 20;

/// A text from elsewhere for a terminal: what are no printable characters of
/// UTF-8, nor ends of lines, as \\x1b.
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

/// Reads a payload that anybody may have written. After something that is not
/// there, everything is 0 or empty, and isWhole() false.
class Unpacker {
public:
  explicit Unpacker(std::string_view bytes) : bytes(bytes) {}
  uint64_t number();
  std::string text();
  std::vector<std::string> texts();
  /// Whether everything was there, and nothing else.
  bool isWhole() const { return whole && bytes.empty(); }

private:
  std::string_view take(uint64_t count);
  std::string_view bytes;
  bool whole = true;
};

/// Cuts what a connection brings into frames.
class Inbox {
public:
  /// Where a connection's bytes go.
  std::string bytes;
  /// Of the frames from here on; none: they have no codes.
  std::optional<Seal> seal;

  /// The next whole frame, if there is one. Sets isBad() for a frame of more
  /// than `most` bytes, and for one whose code is another.
  std::optional<Message> next(size_t most);
  bool isBad() const { return bad; }
  /// How many bytes the next frame lacks, as far as is known.
  size_t missing() const;

private:
  size_t codeBytes() const { return seal ? Seal::bytes : 0; }
  size_t begin = 0; ///< Bytes before have been taken.
  bool bad = false;
};

} // namespace tert::launch

#endif // TERT_LAUNCH_MESSAGE_H
