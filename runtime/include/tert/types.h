/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Types shared by every backend of the runtime, by compiled artifacts and by
 * the compiler's lowering. Plain C: generated code builds these structures.
 */
#ifndef TERT_TYPES_H
#define TERT_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum rank of a tensor in runtime calls. */
#define TERT_MAX_RANK 6

/* Maximum number of matrices of tert_quantize_joined. */
#define TERT_MAX_JOINED 4

/* Version of everything under runtime/include/tert that generated code relies
 * on. An artifact records the version it was compiled with; a runtime opens
 * only artifacts of its own version. */
#define TERT_ABI_VERSION 10

/* Result of every call. tert_last_error() returns the message of the last
 * failure on a context. */
typedef int32_t tert_status;
enum {
  TERT_OK = 0,
  TERT_INVALID_ARGUMENT = 1, /* a shape, dtype or value that the op does not
                                take */
  TERT_OUT_OF_MEMORY = 2,
  TERT_UNSUPPORTED = 3,  /* valid, but not on this backend */
  TERT_DEVICE_ERROR = 4, /* the backend's library or device failed */
  TERT_INVALID_DATA = 5, /* damaged or foreign file, token id out of range */
  TERT_PEER_ERROR = 6 /* another rank of the job is gone, late, or disagrees */
};

typedef enum tert_dtype {
  TERT_F32 = 0,
  TERT_BF16 = 1,
  TERT_F8E4M3 = 2, /* OCP E4M3FN: max 448, one NaN per sign, no infinity */
  TERT_F8E5M2 = 3, /* OCP E5M2: max 57344, infinities and NaNs */
  TERT_I64 = 4,
  TERT_I32 = 5,
  TERT_U8 = 6,
  TERT_F8E8M0 = 7 /* OCP E8M0: a scale, 2^(code - 127); 0xff is NaN */
} tert_dtype;

/* The static part of a tensor: element type, sizes and strides (in elements,
 * outermost first). Entries at and beyond `rank` are ignored. */
typedef struct tert_layout {
  int32_t dtype; /* tert_dtype */
  int32_t rank;
  int64_t sizes[TERT_MAX_RANK];
  int64_t strides[TERT_MAX_RANK];
} tert_layout;

/* A tensor is a layout (usually a constant of the program, shared by many
 * tensors) and the address of its first element in the backend's memory. */
typedef struct tert_tensor {
  void *data;
  const tert_layout *layout;
} tert_tensor;

/* An FP8 copy of a matrix with the scales of its codes: a value is its code
 * times its scale_inv. Scales are f32, and scale_inv may be f8E8M0 on CPUs: a
 * scalar for the whole matrix, or [r, c] for blocks of it, of
 * tert_scale_block(rows, r) rows and tert_scale_block(cols, c) columns;
 * [rows, 1] has a scale for each row. One of their strides is 1. An op that
 * writes the copy with a given scale does not write scale_inv, which is null
 * then. */
typedef struct tert_scaled {
  const tert_tensor *data;
  const tert_tensor *scale_inv;
} tert_scaled;

/* How many neighbouring elements share one of `count` scales along a dimension
 * of `size`: all of them if count is 1, else the power of two that makes
 * `count` blocks, the last of which may be smaller; 0 if there is none. Without
 * elements there may be no scales either. */
static inline int64_t tert_scale_block(int64_t size, int64_t count) {
  int64_t block = 1;
  if (count == 1 || (size == 0 && count == 0))
    return size > 0 ? size : 1;
  while (block < size && (size + block - 1) / block > count)
    block *= 2;
  return size > 0 && (size + block - 1) / block == count ? block : 0;
}

/* The same where the dimension may be rounded up to a multiple of 16, as those
 * of FP8 copies are: scales belong to either. */
static inline int64_t tert_padded_scale_block(int64_t size, int64_t count) {
  const int64_t block = tert_scale_block(size, count);
  return block ? block : tert_scale_block((size + 15) / 16 * 16, count);
}

/* Quantized outputs of an op's float32 result v [M,N]. Each is optional (null
 * `data`, null `amax`), and so is the struct (a null pointer). rowwise[i,j] =
 * sat(v[i,j] * scale), columnwise is its physical transpose, amax = max |v| of
 * the unscaled v (a NaN in v makes amax NaN, an infinity makes it infinity).
 * They are computed from the f32 result, not from its bf16 rounding. rowwise is
 * [M',N'], columnwise [N',M'], where M' >= M and N' >= N; elements beyond [M,N]
 * are written as zero. sat() rounds to nearest even, saturates to the largest
 * finite value, keeps NaN and maps infinities to the largest finite value of
 * their sign. */
typedef struct tert_quantized {
  /* f32, read; required by the copies. A scalar, or, where an op takes it, the
   * scales of blocks of its only copy. Null for an op that makes scales itself:
   * it writes the scale_inv of each copy. */
  const tert_tensor *scale;
  tert_scaled rowwise, columnwise;
  const tert_tensor *amax; /* f32 scalar, written */
} tert_quantized;

/* One call site of a program, for error messages and profiles. `index` is
 * unique within an artifact and dense from 0, so that a backend can keep a plan
 * per site. */
typedef struct tert_site {
  const char *op;       /* for example "tert.layer_norm" */
  const char *location; /* module path and source position, for display */
  int32_t index;
  /* A range of the entry's arena (tert_set_arena), in bytes, that is unused
   * during the call: the backend may use it as temporary memory. */
  int64_t spare_offset, spare_bytes;
} tert_site;

/* Enumerations that generated code passes as int32_t. The te dialect's
 * enumerations have the same values (checked where the compiler lowers). */
typedef enum tert_activation_kind {
  TERT_GELU_ERF = 0,
  TERT_GELU_TANH = 1,
  TERT_QUICK_GELU = 2, /* x * sigmoid(1.702 x) */
  TERT_RELU = 3,
  TERT_SQUARED_RELU = 4,
  TERT_SILU = 5,
  TERT_SIGMOID = 6,
  TERT_TANH = 7
} tert_activation_kind;

typedef enum tert_attention_layout {
  TERT_BSHD = 0, /* [batch, sequence, heads, head dim] */
  TERT_BHSD = 1,
  TERT_SBHD = 2
} tert_attention_layout;

typedef enum tert_reduction { TERT_MEAN = 0, TERT_SUM = 1 } tert_reduction;

typedef enum tert_collective_kind {
  TERT_ALL_REDUCE = 0,
  TERT_REDUCE_SCATTER = 1,
  TERT_ALL_GATHER = 2,
  TERT_ALL_TO_ALL = 3
} tert_collective_kind;
typedef enum tert_amax_algo {
  TERT_AMAX_MAX = 0,
  TERT_AMAX_MOST_RECENT = 1
} tert_amax_algo;

typedef enum tert_accumulate {
  TERT_ACCUMULATE_FAST = 0,
  TERT_ACCUMULATE_SPLIT = 1
} tert_accumulate;

/* Constant data of the program. Constants of the same size and hash (XXH3, 64
 * bits) have the same bytes. */
typedef struct tert_constant {
  const void *data;
  uint64_t bytes;
  uint64_t hash;
} tert_constant;

/* A kernel that the compiler generated for operands of fixed layouts. A program
 * for CPUs has `body`, a program for GPUs has `image`; the other is null. */
typedef struct tert_kernel {
  const char *name;
  /* Runs one of `tasks` independent pieces of the work; `operands` are the
   * addresses of the inputs, then of the outputs. */
  void (*body)(void *const *operands, int64_t task);
  /* `body` for processors of level x86-64-v3 (AVX2, FMA); may be null. */
  void (*body_v3)(void *const *operands, int64_t task);
  int64_t tasks;
  /* PTX, NUL-terminated, with a function `name` whose parameters are the
   * operands' addresses; shared by the program's kernels. image_id identifies
   * an image by its contents. */
  const char *image;
  uint64_t image_id;
  int32_t blocks;  /* per launch */
  int32_t threads; /* per block */
  /* Required alignment in bytes of each operand's address. Null: none. */
  const int32_t *alignments;
} tert_kernel;

#ifdef __cplusplus
}
#endif
#endif /* TERT_TYPES_H */
