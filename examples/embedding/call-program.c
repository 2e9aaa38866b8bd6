/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls the entry "forward" of a compiled layer.mlir: y = FACTOR x w^T, with
 * memory of its own.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tert/artifact.h>

enum { rows = 64, inner = 128, columns = 32 };

/* The bytes of memory that the only entry needs for temporaries. */
static size_t readArenaBytes(const char *description) {
  const char *key = "\"arena_bytes\":";
  const char *at = strstr(description, key);
  return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s PROGRAM.so FACTOR\n", argv[0]);
    return 2;
  }
  void *library = dlopen(argv[1], RTLD_NOW);
  const int32_t *version =
      library ? dlsym(library, TERT_ARTIFACT_ABI_VERSION_SYMBOL) : NULL;
  if (!version || *version != TERT_ABI_VERSION) {
    fprintf(stderr, "%s: no program for this runtime\n", argv[1]);
    return 1;
  }
  tert_entry forward = (tert_entry)dlsym(library, "tert_entry_forward");
  const char *description = dlsym(library, TERT_ARTIFACT_DESCRIPTION_SYMBOL);
  if (!forward || !description) {
    fprintf(stderr, "%s: no entry forward\n", argv[1]);
    return 1;
  }
  tert_context *context = NULL;
  char message[256];
  if (tert_open("cpu", NULL, &context, message, sizeof message) != TERT_OK) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }

  float *x = malloc(sizeof(float) * rows * inner);
  float *w = malloc(sizeof(float) * columns * inner);
  float *y = malloc(sizeof(float) * rows * columns);
  size_t bytes = readArenaBytes(description);
  void *arena = bytes ? aligned_alloc(256, (bytes + 255) / 256 * 256) : NULL;
  for (int i = 0; i < rows * inner; ++i)
    x[i] = (float)(i % 7 - 3);
  for (int i = 0; i < columns * inner; ++i)
    w[i] = (float)(i % 5 - 2);

  /* The arguments in the order of the description (te-run info lists them),
   * then the arena. */
  void *buffers[] = {x, w, y, arena};
  int status = forward(context, buffers);
  if (status == TERT_OK)
    status = tert_synchronize(context);
  if (status != TERT_OK)
    fprintf(stderr, "%s\n", tert_last_error(context));
  for (int i = 0; status == TERT_OK && i < rows * columns; ++i) {
    double sum = 0;
    for (int k = 0; k < inner; ++k)
      sum += (double)x[i / columns * inner + k] * w[i % columns * inner + k];
    if (fabs(y[i] - atof(argv[2]) * sum) > 1e-3) {
      fprintf(stderr, "y[%d] is %g\n", i, y[i]);
      status = 1;
    }
  }
  if (status == TERT_OK)
    printf("y[0] is %g, and all of y is right\n", y[0]);
  free(arena);
  free(y);
  free(w);
  free(x);
  tert_close(context);
  dlclose(library);
  return status != TERT_OK;
}
