/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An entry of an artifact, recorded once and replayed without the host issuing
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

/* Records `entry` over `buffers` without running it. The entry must have run
 * once before on this context with buffers of these sizes: that run builds
 * plans and allocates temporary memory, which is impossible while recording.
 * Every launch reads and writes the memory at the recorded addresses, so values
 * that change between steps (data, learning rate) are written there between
 * launches. `buffers` itself (the array) and all memory it names must live as
 * long as the graph. On failure *graph is null. */
tert_status tert_graph_capture(tert_context *context, tert_entry entry,
                               void *const *buffers, tert_graph **graph);

/* Enqueues one run and returns without waiting for it. Its errors are returned
 * by tert_synchronize or tert_copy_to_host. While the context profiles
 * (tert_profile_start), the entry is recorded again with its ops timed
 * individually. */
tert_status tert_graph_launch(tert_graph *graph);

/* Call before tert_close of its context. Null is allowed. */
void tert_graph_release(tert_graph *graph);

#ifdef __cplusplus
}
#endif
#endif /* TERT_GRAPH_H */
