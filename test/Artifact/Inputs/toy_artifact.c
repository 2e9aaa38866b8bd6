/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An artifact written by hand: what te-compile would write for a bigram model,
 * in plain C, so that the tools can be tested without the compiler. Its
 * description comes from toy_description.json.in, through toy_description.h.
 *
 *   logits[b,s,:] = weight[input_ids[b,s],:]
 *   loss          = mean cross-entropy of input_ids[b,s+1]
 *   exp_avg       = 0.9 * exp_avg + grad;  weight -= learning_rate * exp_avg
 *   eval: the loss, and how many labels it is the mean of; those that are 0
 *         do not count
 *   vjp: y = 2 x, a state that counts the calls, and the amax of x in slot 0
 *   echo: its inputs
 *
 * With TOY_RANKS, the loss and the gradients are those of all ranks' batches.
 * With TOY_TP and TOY_FLAT, ranks hold parts of the table and of its moments:
 * the columns are cut along the mesh's second axis, what is left as it lies
 * along the first. They gather the table, and each updates its part.
 *
 * Amaxes of three slots enter windows of TOY_HISTORY rows. A step with a
 * non-finite gradient updates nothing; after TOY_BREAK_STEP updates every
 * gradient is NaN, and update TOY_OVERFLOW_STEP makes the table infinite.
 */
#include "tert/artifact.h"
#include "tert/ops.h"
#include "toy_description.h"

#include <math.h>
#include <string.h>

enum {
  V = TOY_VOCABULARY,
  B = TOY_BATCH,
  S = 16,
  L = TOY_HISTORY,
  SLOTS = 3,
  RANKS = TOY_RANKS,
  TP = TOY_TP,
  FLAT = TOY_FLAT,
  PARTS = TP * FLAT,
  COLUMNS = (V + TP - 1) / TP,
  PART = (V * COLUMNS + FLAT - 1) / FLAT
};

const int32_t tert_artifact_abi_version = TOY_ABI;

/* Rows of the table; fails for an id outside the vocabulary. */
static tert_status gather(tert_context *context, const void *ids,
                          const void *weight, void *logits) {
  static const tert_site site = {"tert.embedding", "bigram (toy.py:7)", 0};
  static const tert_layout idLayout = {TERT_I64, 1, {B * S}, {1}};
  static const tert_layout table = {TERT_F32, 2, {V, V}, {V, 1}};
  static const tert_layout rows = {TERT_F32, 2, {B * S, V}, {V, 1}};
  tert_tensor i = {(void *)ids, &idLayout};
  tert_tensor w = {(void *)weight, &table};
  tert_tensor y = {logits, &rows};
  return tert_embedding(context, &site, &i, &w, &y);
}

/* Which element of the table is number i of a part; -1 beyond its end. */
static int elementOf(int part, int i) {
  i += part / TP * PART;
  int column = part % TP * COLUMNS + i % COLUMNS;
  return i < V * COLUMNS && column < V ? i / COLUMNS * V + column : -1;
}

/* The axes along which there are parts. */
static int32_t axesOfParts(void) {
  return (FLAT > 1 ? 1 : 0) + (TP > 1 ? 2 : 0);
}

/* The table, gathered from its parts into `room`. */
static tert_status gatherTable(tert_context *context, float *room,
                               const float **weight) {
  static const tert_site site = {"tert.all_gather", "bigram (toy.py:8)", 2};
  static const tert_layout one = {TERT_F32, 1, {PART}, {1}};
  static const tert_layout all = {TERT_F32, 1, {PARTS * PART}, {1}};
  if (PARTS == 1)
    return TERT_OK;
  float *table = room, *gathered = room + V * V;
  tert_tensor x = {(void *)*weight, &one}, y = {gathered, &all};
  tert_status status = tert_collective(context, &site, 1, &x, 1, &y,
                                       TERT_ALL_GATHER, 0, axesOfParts());
  for (int part = 0; part < PARTS; ++part)
    for (int i = 0; i < PART; ++i)
      if (elementOf(part, i) >= 0)
        table[elementOf(part, i)] = gathered[part * PART + i];
  *weight = table;
  return status;
}

/* Which part this rank holds. */
static tert_status findPart(tert_context *context, int *part) {
  static const tert_site site = {"tert.reduce_scatter", "bigram (toy.py:8)", 3};
  static const tert_layout all = {TERT_F32, 1, {PARTS}, {1}};
  static const tert_layout one = {TERT_F32, 1, {1}, {1}};
  *part = 0;
  if (PARTS == 1)
    return TERT_OK;
  float numbers[PARTS], own = 0;
  for (int i = 0; i < PARTS; ++i)
    numbers[i] = (float)i;
  tert_tensor x = {numbers, &all}, y = {&own, &one};
  tert_status status = tert_collective(context, &site, 1, &x, 1, &y,
                                       TERT_REDUCE_SCATTER, 0, axesOfParts());
  *part = (int)own / PARTS;
  return status;
}

tert_status tert_entry_init(tert_context *context, void *const *buffers) {
  const float *weight = buffers[0];
  float *sum = buffers[1];
  tert_status status = gatherTable(context, buffers[2], &weight);
  if (status != TERT_OK)
    return status;
  *sum = 0;
  for (int i = 0; i < V * V; ++i)
    *sum += weight[i];
  return TERT_OK;
}

tert_status tert_entry_forward(tert_context *context, void *const *buffers) {
  const float *weight = buffers[1];
  tert_status status = gatherTable(context, buffers[3], &weight);
  return status == TERT_OK ? gather(context, buffers[0], weight, buffers[2])
                           : status;
}

tert_status tert_entry_echo(tert_context *context, void *const *buffers) {
  memcpy(buffers[2], buffers[0], 3 * 7 * sizeof(int32_t));
  memcpy(buffers[3], buffers[1], 3 * 7 * sizeof(int64_t));
  return TERT_OK;
}

/* max |x|, where a NaN wins. */
static float largest(float amax, float x) {
  return isnan(amax) || fabsf(x) <= amax ? amax : fabsf(x);
}

/* Shifts a slot's window and keeps a scale like that of delayed scaling. */
static void observe(int slot, float amax, float formatMax, float *scale,
                    float *history, int64_t *nonfinite) {
  if (!isfinite(amax)) {
    ++nonfinite[slot];
    return;
  }
  float most = amax;
  for (int row = 1; row < L; ++row) {
    float next = row + 1 < L ? history[(row + 1) * SLOTS + slot] : amax;
    history[row * SLOTS + slot] = next;
    most = fmaxf(most, next);
  }
  if (most > 0)
    scale[slot] = formatMax / most;
}

tert_status tert_entry_vjp(tert_context *context, void *const *buffers) {
  const float *x = buffers[0], *cotangent = buffers[1];
  int64_t *step = buffers[2];
  float *scale = buffers[3], *history = buffers[4];
  int64_t *nonfinite = buffers[5];
  float *y = buffers[6], *gradient = buffers[7];
  float amax = 0;
  for (int i = 0; i < 6; ++i) {
    y[i] = 2 * x[i];
    gradient[i] = 2 * cotangent[i];
    amax = largest(amax, x[i]);
  }
  observe(0, amax, 448, scale, history, nonfinite);
  ++*step;
  return TERT_OK;
}

tert_status tert_entry_eval(tert_context *context, void *const *buffers) {
  const int64_t *ids = buffers[0];
  float *loss = buffers[2], *counted = buffers[3], *logits = buffers[4];
  const float *weight = buffers[1];
  tert_status status =
      gatherTable(context, logits + B * S * V + V * V, &weight);
  if (status == TERT_OK)
    status = gather(context, ids, weight, logits);
  if (status != TERT_OK)
    return status;
  double total = 0, count = 0;
  for (int b = 0; b < B; ++b)
    for (int s = 0; s + 1 < S; ++s) {
      const float *row = logits + (b * S + s) * V;
      int64_t label = ids[b * S + s + 1];
      double sum = 0;
      for (int v = 0; v < V; ++v)
        sum += exp(row[v]);
      if (label == 0)
        continue;
      total += log(sum) - row[label];
      ++count;
    }
  *loss = (float)(count > 0 ? total / count : 0);
  *counted = (float)count;
  return TERT_OK;
}

/* Sums of gradients and losses, and the largest amax, of the ranks of the only
 * axis. */
static tert_status exchange(tert_context *context, float *gradient, float *amax,
                            float *loss) {
  static const tert_site site = {"tert.all_reduce", "bigram (toy.py:9)", 1};
  static const tert_layout table = {TERT_F32, 2, {V, V}, {V, 1}};
  static const tert_layout scalar = {TERT_F32, 0, {0}, {0}};
  static const tert_layout one = {TERT_F32, 1, {1}, {1}};
  tert_tensor g = {gradient, &table};
  tert_tensor a = {amax, &scalar}, l = {loss, &scalar};
  float most = 0, sum = 0;
  tert_tensor m = {&most, &one}, s = {&sum, &one};
  tert_status status =
      tert_collective(context, &site, 0, NULL, 1, &g, TERT_ALL_REDUCE, 0, 1);
  if (status == TERT_OK)
    status = tert_reduce_scalars(context, &site, 1, &a, 1, &l, &m, &s, 1);
  *amax = most;
  *loss = sum;
  return status;
}

tert_status tert_entry_train(tert_context *context, void *const *buffers) {
  const int64_t *ids = buffers[0];
  float rate = fmaxf(*(const float *)buffers[1], TOY_LEAST_RATE);
  const float *weight = buffers[2];
  float *own = buffers[2], *average = buffers[3];
  int64_t *step = buffers[4];
  float *scale = buffers[5], *history = buffers[6];
  int64_t *nonfinite = buffers[7];
  float *loss = buffers[8], *norm = buffers[9];
  float *logits = buffers[10], *gradient = logits + B * S * V;

  int part = 0;
  tert_status status = gatherTable(context, gradient + V * V, &weight);
  if (status == TERT_OK)
    status = findPart(context, &part);
  if (status == TERT_OK)
    status = gather(context, ids, weight, logits);
  if (status != TERT_OK)
    return status;
  memset(gradient, 0, sizeof(float) * V * V);
  double total = 0, squares = 0;
  float gradientAmax = 0, weightAmax = 0;
  const float count = RANKS * B * (S - 1);
  for (int b = 0; b < B; ++b)
    for (int s = 0; s + 1 < S; ++s) {
      float *row = logits + (b * S + s) * V;
      int64_t id = ids[b * S + s], label = ids[b * S + s + 1];
      float most = row[0];
      for (int v = 1; v < V; ++v)
        most = fmaxf(most, row[v]);
      double sum = 0;
      for (int v = 0; v < V; ++v)
        sum += exp(row[v] - most);
      double lse = most + log(sum);
      total += lse - row[label];
      for (int v = 0; v < V; ++v) {
        float g = (float)((exp(row[v] - lse) - (v == label)) / count);
        gradient[id * V + v] += g;
        gradientAmax = largest(gradientAmax, g);
      }
    }
  if (RANKS > 1) {
    float sum = (float)total;
    status = exchange(context, gradient, &gradientAmax, &sum);
    if (status != TERT_OK)
      return status;
    total = sum;
  }
  if (*step >= TOY_BREAK_STEP) {
    total = gradient[0] = NAN;
    gradientAmax = INFINITY;
  }
  for (int i = 0; i < V * V; ++i) {
    squares += (double)gradient[i] * gradient[i];
    weightAmax = largest(weightAmax, weight[i]);
  }
  *loss = (float)(total / count);
  *norm = (float)sqrt(squares);
  observe(0, 1.0f, 448, scale, history, nonfinite);
  observe(1, weightAmax, 448, scale, history, nonfinite);
  observe(2, gradientAmax, 57344, scale, history, nonfinite);
  if (!isfinite(*norm))
    return TERT_OK;
  ++*step;
  for (int i = 0; i < PART; ++i) {
    int element = elementOf(part, i);
    if (element < 0)
      continue;
    average[i] = 0.9f * average[i] + gradient[element];
    own[i] -= rate * average[i];
    if (*step == TOY_OVERFLOW_STEP)
      own[i] = INFINITY;
  }
  return TERT_OK;
}
