/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Properties of a device: its memory and its speed.
 */
#ifndef TERT_DEVICE_H
#define TERT_DEVICE_H

#include "tert/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tert_device_info {
  char name[128];        /* "NVIDIA H200", "cpu, 8 threads" */
  uint64_t memory_bytes; /* of the device; 0 if unknown */
  uint64_t free_bytes;   /* available to allocate; 0 if unknown */
  /* Memory of this context: the peak of tert_allocate, and memory that ops keep
   * for temporary results. */
  uint64_t peak_bytes;
  uint64_t temporary_bytes;
  /* Highest measured rates of matrix products (by operand type) and copies on
   * such a device; 0 if unknown. */
  double fp8_flops, bf16_flops, f32_flops; /* per second */
  double bytes_per_second;                 /* read and written together */
} tert_device_info;

tert_status tert_device_read_info(tert_context *context,
                                  tert_device_info *info);

#ifdef __cplusplus
}
#endif
#endif /* TERT_DEVICE_H */
