// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled graphs with what to run them on and what to expect, as a file: for
// machines without the compiler. No LLVM here.

#ifndef TE_TEST_FUZZ_PACKED_H
#define TE_TEST_FUZZ_PACKED_H

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace te_fuzz {

/// One argument of an entry.
struct PackedBuffer {
  std::string key;             ///< "te.input x0"
  int32_t dtype = 0;           ///< tert_dtype
  uint64_t bytes = 0;          ///< of the whole buffer
  std::vector<char> initial;   ///< empty: nothing is put there
  std::vector<float> expected; ///< empty: nobody looks at it afterwards
  /// Per element, 2^e is how far it may be off; kAnything: not judged.
  std::vector<int8_t> bound;
};
inline constexpr int8_t kAnything = 127;

struct PackedProgram {
  std::string symbol; ///< of the entry in the library beside the file
  std::vector<PackedBuffer> buffers;
};

void write(std::ostream &os, const std::vector<PackedProgram> &programs);
/// False if the file is damaged.
bool read(std::istream &is, std::vector<PackedProgram> &programs);

} // namespace te_fuzz

#endif // TE_TEST_FUZZ_PACKED_H
