// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Bf16Dot.h"

#include <array>

using namespace tert;
using namespace tert::cpu;
using namespace tert::cpu::bf16dot;

#ifdef __x86_64__

#include <immintrin.h>

// For functions rather than the file: what the compiler emits of headers must
// run on every CPU.
#define TERT_BF16DOT                                                           \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512bf16")))

bool bf16dot::isSupported() {
  return __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") &&
         __builtin_cpu_supports("avx512bf16");
}

//===-- FP8 to bf16 -------------------------------------------------------===//

/// The bf16 number of an FP8 code without sign. `infinity` is the first code
/// that is no number, or, if there is no infinity, 0x7f.
static constexpr uint16_t bf16Of(uint32_t code, int mantissaBits, int bias,
                                 uint32_t infinity) {
  if (code >= infinity)
    return code == infinity && infinity != 0x7f ? 0x7f80 : 0x7fc0;
  uint32_t exponent = code >> mantissaBits;
  uint32_t mantissa = code & ((1u << mantissaBits) - 1);
  if (exponent == 0) {
    if (mantissa == 0)
      return 0;
    exponent = 1;
    while (!(mantissa >> mantissaBits)) {
      mantissa <<= 1;
      --exponent; // wraps, as the sum with the bias does
    }
    mantissa &= (1u << mantissaBits) - 1;
  }
  return uint16_t((exponent + 127 - uint32_t(bias)) << 7 |
                  mantissa << (7 - mantissaBits));
}

namespace {
/// The bytes of the bf16 numbers of all codes without sign.
struct alignas(64) Table {
  std::array<uint8_t, 128> low{}, high{};
};
} // namespace

static constexpr Table makeTable(int mantissaBits, int bias,
                                 uint32_t infinity) {
  Table table;
  for (uint32_t code = 0; code < 128; ++code) {
    const uint16_t bits = bf16Of(code, mantissaBits, bias, infinity);
    table.low[code] = uint8_t(bits);
    table.high[code] = uint8_t(bits >> 8);
  }
  return table;
}

static constexpr Table e4m3 = makeTable(3, 7, 0x7f),
                       e5m2 = makeTable(2, 15, 0x7c);

namespace {
/// 64 bf16 numbers, in order.
struct Numbers {
  __m512i first, second;
};

/// Reads rows of a matrix as bf16 numbers.
struct Reader {
  TERT_BF16DOT explicit Reader(const Matrix &matrix) : matrix(matrix) {
    const Table &table = matrix.dtype == TERT_F8E5M2 ? e5m2 : e4m3;
    for (int i = 0; i < 2; ++i) {
      low[i] = _mm512_load_si512(table.low.data() + 64 * i);
      high[i] = _mm512_load_si512(table.high.data() + 64 * i);
    }
  }

  /// Up to 64 elements from (row, col) on; the others are zero.
  TERT_BF16DOT inline Numbers read(int64_t row, int64_t col,
                                   int64_t count) const {
    const __mmask64 mask = count >= 64 ? ~0ull : (1ull << count) - 1;
    if (matrix.dtype == TERT_BF16) {
      const Bf16 *from = matrix.row<Bf16>(row) + col;
      return {_mm512_maskz_loadu_epi16(__mmask32(mask), from),
              _mm512_maskz_loadu_epi16(__mmask32(mask >> 32), from + 32)};
    }
    const __m512i x =
        _mm512_maskz_loadu_epi8(mask, matrix.row<uint8_t>(row) + col);
    const __m512i sign = _mm512_and_si512(x, _mm512_set1_epi8(char(0x80)));
    const __m512i lower = _mm512_permutex2var_epi8(low[0], x, low[1]);
    const __m512i upper =
        _mm512_or_si512(_mm512_permutex2var_epi8(high[0], x, high[1]), sign);
    return inOrder(_mm512_unpacklo_epi8(lower, upper),
                   _mm512_unpackhi_epi8(lower, upper));
  }

  /// Interleaving works on 16 bytes at a time; puts these in order.
  TERT_BF16DOT static inline Numbers inOrder(__m512i lower, __m512i upper) {
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                  second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    return {_mm512_permutex2var_epi64(lower, first, upper),
            _mm512_permutex2var_epi64(lower, second, upper)};
  }

  const Matrix &matrix;
  /// The table's bytes.
  __m512i low[2], high[2];
};

/// 64 pairs, of which each has a register's lane.
struct Pairs {
  __m512i lanes[4];
};
} // namespace

/// Pairs of the elements of rows `row` and `row + 1`, the latter zero without
/// `hasSecond`.
TERT_BF16DOT static inline Pairs readPairs(const Reader &reader, int64_t row,
                                           bool hasSecond, int64_t col,
                                           int64_t count) {
  const Numbers one = reader.read(row, col, count);
  const Numbers other =
      hasSecond ? reader.read(row + 1, col, count) : Numbers{};
  const Numbers lower =
      Reader::inOrder(_mm512_unpacklo_epi16(one.first, other.first),
                      _mm512_unpackhi_epi16(one.first, other.first));
  const Numbers upper =
      Reader::inOrder(_mm512_unpacklo_epi16(one.second, other.second),
                      _mm512_unpackhi_epi16(one.second, other.second));
  return {{lower.first, lower.second, upper.first, upper.second}};
}

/// Transposes 16 x 16 lanes of 32 bits.
TERT_BF16DOT static inline void transpose(__m512i (&x)[16]) {
  __m512i y[16];
  for (int i = 0; i < 16; i += 2) {
    y[i] = _mm512_unpacklo_epi32(x[i], x[i + 1]);
    y[i + 1] = _mm512_unpackhi_epi32(x[i], x[i + 1]);
  }
  for (int i = 0; i < 16; i += 4)
    for (int j = 0; j < 2; ++j) {
      x[i + 2 * j] = _mm512_unpacklo_epi64(y[i + j], y[i + j + 2]);
      x[i + 2 * j + 1] = _mm512_unpackhi_epi64(y[i + j], y[i + j + 2]);
    }
  // Blocks of 128 bits: x[4 * i + j] has column j of each block of rows i.
  for (int j = 0; j < 4; ++j) {
    y[j] = _mm512_shuffle_i32x4(x[j], x[4 + j], 0x88);
    y[4 + j] = _mm512_shuffle_i32x4(x[j], x[4 + j], 0xdd);
    y[8 + j] = _mm512_shuffle_i32x4(x[8 + j], x[12 + j], 0x88);
    y[12 + j] = _mm512_shuffle_i32x4(x[8 + j], x[12 + j], 0xdd);
  }
  for (int j = 0; j < 4; ++j) {
    x[j] = _mm512_shuffle_i32x4(y[j], y[8 + j], 0x88);
    x[4 + j] = _mm512_shuffle_i32x4(y[4 + j], y[12 + j], 0x88);
    x[8 + j] = _mm512_shuffle_i32x4(y[j], y[8 + j], 0xdd);
    x[12 + j] = _mm512_shuffle_i32x4(y[4 + j], y[12 + j], 0xdd);
  }
}

//===-- Operands ----------------------------------------------------------===//

/// The first n of 16 lanes.
static inline __mmask16 firstLanes(int64_t n) {
  return n >= 16 ? 0xffff : n <= 0 ? 0 : (1u << n) - 1;
}

TERT_BF16DOT void bf16dot::loadRows(const Factor &a, int64_t row, int64_t rows,
                                    int64_t k, int64_t depth, Pair *pairs,
                                    int64_t stride) {
  const Reader reader(a.matrix);
  const int64_t used = (depth + 1) / 2;
  if (!a.transposed) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < depth; j += 64) {
        const Numbers numbers = reader.read(row + i, k + j, depth - j);
        Pair *to = pairs + i * stride + j / 2;
        _mm512_mask_storeu_epi32(to, firstLanes(used - j / 2), numbers.first);
        _mm512_mask_storeu_epi32(to + 16, firstLanes(used - j / 2 - 16),
                                 numbers.second);
      }
    return;
  }
  for (int64_t i = 0; i < rows; i += 64)
    for (int64_t j = 0; j < used; j += 16) {
      __m512i lanes[4][16] = {};
      for (int64_t pair = 0; pair < 16 && j + pair < used; ++pair) {
        const int64_t at = 2 * (j + pair);
        const Pairs read =
            readPairs(reader, k + at, at + 1 < depth, row + i, rows - i);
        for (int part = 0; part < 4; ++part)
          lanes[part][pair] = read.lanes[part];
      }
      for (int64_t part = 0; part < 4 && i + 16 * part < rows; ++part) {
        transpose(lanes[part]);
        for (int64_t lane = 0; lane < 16 && i + 16 * part + lane < rows; ++lane)
          _mm512_mask_storeu_epi32(pairs + (i + 16 * part + lane) * stride + j,
                                   firstLanes(used - j), lanes[part][lane]);
      }
    }
}

TERT_BF16DOT void bf16dot::loadColumns(const Factor &b, int64_t col,
                                       int64_t cols, int64_t k, int64_t depth,
                                       Pair *pairs) {
  const Reader reader(b.matrix);
  const int64_t used = (depth + 1) / 2;
  if (!b.transposed) {
    for (int64_t j = 0; j < used; ++j) {
      const Pairs read =
          readPairs(reader, k + 2 * j, 2 * j + 1 < depth, col, cols);
      for (int part = 0; part < 4; ++part)
        _mm512_storeu_si512(pairs + j * panelCols + 16 * part,
                            read.lanes[part]);
    }
    return;
  }
  for (int64_t i = 0; i < panelCols; i += 16)
    for (int64_t j = 0; j < depth; j += 64) {
      __m512i first[16] = {}, second[16] = {};
      for (int64_t lane = 0; lane < 16 && i + lane < cols; ++lane) {
        const Numbers numbers = reader.read(col + i + lane, k + j, depth - j);
        first[lane] = numbers.first;
        second[lane] = numbers.second;
      }
      transpose(first);
      transpose(second);
      for (int64_t pair = 0; pair < 16; ++pair) {
        const int64_t at = j / 2 + pair;
        if (at < used)
          _mm512_storeu_si512(pairs + at * panelCols + i, first[pair]);
        if (at + 16 < used)
          _mm512_storeu_si512(pairs + (at + 16) * panelCols + i, second[pair]);
      }
    }
}

//===-- Products ----------------------------------------------------------===//

/// `rows` rows and 16 * vectors columns, held in registers.
template <int rows, int vectors>
TERT_BF16DOT static inline void
multiplyRows(int64_t pairs, const Pair *a, int64_t aStride, const Pair *b,
             float *c, int64_t ldc, bool accumulate) {
  __m512 sums[rows][vectors];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < vectors; ++j)
      sums[i][j] = accumulate ? _mm512_loadu_ps(c + i * ldc + 16 * j)
                              : _mm512_setzero_ps();
  for (int64_t k = 0; k < pairs; ++k, b += panelCols) {
    __m512i right[vectors];
    for (int j = 0; j < vectors; ++j)
      right[j] = _mm512_loadu_si512(b + 16 * j);
    for (int i = 0; i < rows; ++i) {
      const __m512i left = _mm512_set1_epi32(int(a[i * aStride + k]));
      for (int j = 0; j < vectors; ++j)
        sums[i][j] =
            _mm512_dpbf16_ps(sums[i][j], (__m512bh)left, (__m512bh)right[j]);
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < vectors; ++j)
      _mm512_storeu_ps(c + i * ldc + 16 * j, sums[i][j]);
}

template <int vectors>
TERT_BF16DOT static void
multiplyColumns(int64_t rows, int64_t pairs, const Pair *a, int64_t aStride,
                const Pair *b, float *c, int64_t ldc, bool accumulate) {
  int64_t i = 0;
  for (; i + 6 <= rows; i += 6)
    multiplyRows<6, vectors>(pairs, a + i * aStride, aStride, b, c + i * ldc,
                             ldc, accumulate);
  for (; i + 2 <= rows; i += 2)
    multiplyRows<2, vectors>(pairs, a + i * aStride, aStride, b, c + i * ldc,
                             ldc, accumulate);
  for (; i < rows; ++i)
    multiplyRows<1, vectors>(pairs, a + i * aStride, aStride, b, c + i * ldc,
                             ldc, accumulate);
}

void bf16dot::multiplyTile(int64_t rows, int64_t columns, int64_t pairs,
                           const Pair *a, int64_t aStride, const Pair *b,
                           float *c, int64_t ldc, bool accumulate) {
  if (columns == panelCols)
    return multiplyColumns<4>(rows, pairs, a, aStride, b, c, ldc, accumulate);
  for (int64_t j = 0; j < columns; j += 16)
    multiplyColumns<1>(rows, pairs, a, aStride, b + j, c + j, ldc, accumulate);
}

#else

bool bf16dot::isSupported() { return false; }
void bf16dot::loadRows(const Factor &, int64_t, int64_t, int64_t, int64_t,
                       Pair *, int64_t) {}
void bf16dot::loadColumns(const Factor &, int64_t, int64_t, int64_t, int64_t,
                          Pair *) {}
void bf16dot::multiplyTile(int64_t, int64_t, int64_t, const Pair *, int64_t,
                           const Pair *, float *, int64_t, bool) {}

#endif
