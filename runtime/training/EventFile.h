// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Metrics as TensorBoard reads them.

#ifndef TERT_TRAINING_EVENTFILE_H
#define TERT_TRAINING_EVENTFILE_H

#include "support/Error.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tert::training {

/// CRC-32C (Castagnoli; RFC 3720) of bytes.
uint32_t crc32c(std::string_view bytes);

/// A file of TensorFlow's records (tensorflow/core/lib/io/record_writer.h),
/// each a serialized Event (tensorflow/core/util/event.proto): u64 length, its
/// masked CRC-32C, the event, its masked CRC-32C, all little-endian.
class EventFile {
public:
  struct Scalar {
    std::string tag;
    float value;
  };
  /// Creates `folder`, and in it events.out.tfevents.TIME.te-run, or one with
  /// another number behind it where that is there.
  static session::Expected<EventFile> create(const std::string &folder);

  /// Adds an event with values of a step; `time` is in seconds since 1970.
  session::Error add(uint64_t step, double time,
                     const std::vector<Scalar> &scalars);

private:
  explicit EventFile(std::string path) : path(std::move(path)) {}
  session::Error write(const std::string &event);
  struct Close {
    void operator()(std::FILE *file) const { std::fclose(file); }
  };
  std::string path;
  std::unique_ptr<std::FILE, Close> file;
};

} // namespace tert::training

#endif // TERT_TRAINING_EVENTFILE_H
