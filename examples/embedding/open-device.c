/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Opens and closes a device from plain C.
 */
#include <stdio.h>
#include <tert/context.h>

int main(void) {
  tert_context *context = NULL;
  char message[256];
  if (tert_open("cpu", NULL, &context, message, sizeof message) != TERT_OK) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  tert_close(context);
  return 0;
}
