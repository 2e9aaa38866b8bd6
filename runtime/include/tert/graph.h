/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An entry of an artifact, recorded once and repeated without the host issuing
 * its ops again. On CUDA this is a CUDA graph; on a device that cannot record,
 * a launch calls the entry.
 */
#ifndef TERT_GRAPH_H
#define TERT_GRAPH_H

#include "tert/artifact.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tert_graph tert_graph;

/* Records `entry` over `buffers` without running it. Before that the entry must
 * have run once on this context with buffers of these sizes: that run makes
 * plans and temporary memory, which recording cannot. Every launch reads and
 * writes the memory at the recorded addresses, so what changes from step to
 * step (data, learning rate) is written there between launches. `buffers`
 * itself (the array) and all memory it names must live as long as the graph.
 * On failure *graph is null. */
tert_status tert_graph_capture(tert_context *context, tert_entry entry,
                               void *const *buffers, tert_graph **graph);

/* Enqueues one run and returns without waiting for it. What goes wrong in it is
 * reported by tert_synchronize or tert_copy_to_host. While the context profiles
 * (tert_profile_start) the entry is recorded anew with its ops timed one by
 * one. */
tert_status tert_graph_launch(tert_graph *graph);

/* Before tert_close of its context. Null is allowed. */
void tert_graph_release(tert_graph *graph);

#ifdef __cplusplus
}
#endif
#endif /* TERT_GRAPH_H */
