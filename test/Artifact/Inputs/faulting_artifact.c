/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The hand-written artifact (toy_artifact.c) for a GPU, gone wrong: its forward
 * pass reads from where the device has no memory.
 */
#include "tert/artifact.h"
#include "tert/ops.h"
#include "toy_description.h"

const int32_t tert_artifact_abi_version = TOY_ABI;

tert_status tert_entry_forward(tert_context *context, void *const *buffers) {
  enum { V = TOY_VOCABULARY, ROWS = 4 * 16 };
  static const tert_site site = {"tert.copy", "bigram (toy.py:7)", 0};
  static const tert_layout rows = {TERT_F32, 2, {ROWS, V}, {V, 1}};
  tert_tensor nowhere = {(void *)0x10000, &rows};
  tert_tensor logits = {buffers[2], &rows};
  return tert_copy(context, &site, &nowhere, &logits);
}

tert_status tert_entry_init(tert_context *context, void *const *buffers) {
  return TERT_OK;
}
tert_status tert_entry_vjp(tert_context *context, void *const *buffers) {
  return TERT_OK;
}
tert_status tert_entry_echo(tert_context *context, void *const *buffers) {
  return TERT_OK;
}
tert_status tert_entry_eval(tert_context *context, void *const *buffers) {
  return TERT_OK;
}
tert_status tert_entry_train(tert_context *context, void *const *buffers) {
  return TERT_OK;
}
