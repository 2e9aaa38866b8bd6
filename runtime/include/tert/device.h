/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a device is: its memory, and how fast it goes.
 */
#ifndef TERT_DEVICE_H
#define TERT_DEVICE_H

#include "tert/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tert_device_info {
  char name[128];        /* "NVIDIA H200", "cpu, 8 threads" */
  uint64_t memory_bytes; /* of the device; 0 where that is not known */
  uint64_t free_bytes;   /* what can still be allocated; 0 likewise */
  /* Memory of this context: what tert_allocate has given out at most at one
   * time, and what ops keep for temporary results. */
  uint64_t peak_bytes;
  uint64_t temporary_bytes;
  /* The fastest that matrix products (by operand type) and copies were seen to
   * go on such a device; 0 where that is not known. */
  double fp8_flops, bf16_flops, f32_flops; /* per second */
  double bytes_per_second;                 /* read and written together */
} tert_device_info;

tert_status tert_device_read_info(tert_context *context,
                                  tert_device_info *info);

#ifdef __cplusplus
}
#endif
#endif /* TERT_DEVICE_H */
