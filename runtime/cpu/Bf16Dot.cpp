// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Bf16Dot.h"

#include <algorithm>
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

static constexpr Table e4m3 = makeTable(3, 7, 0x7f), e5m2 = makeTable(2, 15, 0x7c);

namespace {
struct Tables {
  __m512i low[2], high[2];
};
/// 64 codes as bf16 numbers, in order.
struct Numbers {
  __m512i first, second;
};
} // namespace

TERT_BF16DOT static inline Tables tablesOf(tert_dtype dtype) {
  const Table &table = dtype == TERT_F8E5M2 ? e5m2 : e4m3;
  return {{_mm512_load_si512(table.low.data()),
           _mm512_load_si512(table.low.data() + 64)},
          {_mm512_load_si512(table.high.data()),
           _mm512_load_si512(table.high.data() + 64)}};
}

/// Up to 64 codes; the others are zero.
TERT_BF16DOT static inline Numbers decode(const Tables &tables,
                                          const uint8_t *codes, int64_t count) {
  const __mmask64 mask = count >= 64 ? ~0ull : (1ull << count) - 1;
  const __m512i x = _mm512_maskz_loadu_epi8(mask, codes);
  const __m512i sign = _mm512_and_si512(x, _mm512_set1_epi8(char(0x80)));
  const __m512i low =
      _mm512_permutex2var_epi8(tables.low[0], x, tables.low[1]);
  const __m512i high = _mm512_or_si512(
      _mm512_permutex2var_epi8(tables.high[0], x, tables.high[1]), sign);
  // Bytes are interleaved within 16 bytes; then these get their order.
  const __m512i lower = _mm512_unpacklo_epi8(low, high),
                upper = _mm512_unpackhi_epi8(low, high);
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  return {_mm512_permutex2var_epi64(lower, first, upper),
          _mm512_permutex2var_epi64(lower, second, upper)};
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

TERT_BF16DOT void bf16dot::loadRows(const Matrix &a, int64_t row, int64_t rows,
                                    int64_t k, int64_t depth, Pair *pairs,
                                    int64_t stride) {
  const Tables tables = tablesOf(a.dtype);
  const int64_t used = (depth + 1) / 2;
  for (int64_t i = 0; i < rows; ++i) {
    const uint8_t *codes = a.row<uint8_t>(row + i) + k;
    Pair *to = pairs + i * stride;
    for (int64_t j = 0; j < depth; j += 64) {
      const Numbers numbers = decode(tables, codes + j, depth - j);
      const int64_t left = used - j / 2;
      const __mmask16 first = left >= 16 ? 0xffff : (1u << left) - 1,
                      second = left >= 32   ? 0xffff
                               : left <= 16 ? 0
                                            : (1u << (left - 16)) - 1;
      _mm512_mask_storeu_epi32(to + j / 2, first, numbers.first);
      _mm512_mask_storeu_epi32(to + j / 2 + 16, second, numbers.second);
    }
  }
}

TERT_BF16DOT void bf16dot::loadColumns(const Matrix &b, int64_t row,
                                       int64_t rows, int64_t k, int64_t depth,
                                       Pair *pairs) {
  const Tables tables = tablesOf(b.dtype);
  const int64_t used = (depth + 1) / 2;
  for (int64_t col = 0; col < 64; col += 16)
    for (int64_t j = 0; j < depth; j += 64) {
      __m512i first[16], second[16];
      for (int64_t i = 0; i < 16; ++i) {
        first[i] = second[i] = _mm512_setzero_si512();
        if (col + i < rows) {
          const Numbers numbers =
              decode(tables, b.row<uint8_t>(row + col + i) + k + j, depth - j);
          first[i] = numbers.first;
          second[i] = numbers.second;
        }
      }
      transpose(first);
      transpose(second);
      for (int64_t i = 0; i < 16; ++i) {
        const int64_t at = j / 2 + i;
        if (at < used)
          _mm512_storeu_si512(pairs + at * 64 + col, first[i]);
        if (at + 16 < used)
          _mm512_storeu_si512(pairs + (at + 16) * 64 + col, second[i]);
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
  for (int64_t k = 0; k < pairs; ++k, b += 64) {
    __m512i right[vectors];
    for (int j = 0; j < vectors; ++j)
      right[j] = _mm512_loadu_si512(b + 16 * j);
    for (int i = 0; i < rows; ++i) {
      const __m512i left = _mm512_set1_epi32(int(a[i * aStride + k]));
      for (int j = 0; j < vectors; ++j)
        sums[i][j] = _mm512_dpbf16_ps(sums[i][j], (__m512bh)left,
                                      (__m512bh)right[j]);
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < vectors; ++j)
      _mm512_storeu_ps(c + i * ldc + 16 * j, sums[i][j]);
}

template <int vectors>
TERT_BF16DOT static void multiplyColumns(int64_t rows, int64_t pairs,
                                         const Pair *a, int64_t aStride,
                                         const Pair *b, float *c, int64_t ldc,
                                         bool accumulate) {
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
  if (columns == 64)
    return multiplyColumns<4>(rows, pairs, a, aStride, b, c, ldc, accumulate);
  for (int64_t j = 0; j < columns; j += 16)
    multiplyColumns<1>(rows, pairs, a, aStride, b + j, c + j, ldc, accumulate);
}

#else

bool bf16dot::isSupported() { return false; }
void bf16dot::loadRows(const Matrix &, int64_t, int64_t, int64_t, int64_t,
                       Pair *, int64_t) {}
void bf16dot::loadColumns(const Matrix &, int64_t, int64_t, int64_t, int64_t,
                          Pair *) {}
void bf16dot::multiplyTile(int64_t, int64_t, int64_t, const Pair *, int64_t,
                           const Pair *, float *, int64_t, bool) {}

#endif
