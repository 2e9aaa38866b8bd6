// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of libtert-xla.so: compiled programs as custom calls of XLA.
//
//   1. An entry of a loaded artifact gets a name: tert_xla_add_entry.
//   2. The handlers are registered with XLA, for its platforms cpu and CUDA.
//   3. A custom call with the attribute entry = "name" calls it. On a GPU it
//      runs on XLA's stream, without waiting.
#ifndef TERT_XLA_HANDLER_H
#define TERT_XLA_HANDLER_H

#include "tert/artifact.h"
#include "xla/CallFrame.h"
#include "xla/Programs.h"

extern "C" {

/// XLA_FFI_Handler: null, or an error that XLA destroys.
tert::xla::Failure *tert_xla_call_cpu(tert::xla::CallFrame *frame);
tert::xla::Failure *tert_xla_call_cuda(tert::xla::CallFrame *frame);

/// `device` is "cpu" or "cuda", `arguments` those of the entry in its order.
/// Calls have one more result, the last, of u8[arenaBytes + 256], unless
/// arenaBytes is 0. The artifact must stay loaded. A name is for one entry.
void tert_xla_add_entry(const char *name, tert_entry function,
                        const char *device, size_t arenaBytes, size_t count,
                        const tert::xla::Argument *arguments);

/// Waits for all calls on all devices. Errors in data, such as a token id
/// outside of its table, are found here on a GPU; `message` has the first one,
/// NUL-terminated and truncated.
tert_status tert_xla_synchronize(char *message, size_t size);
}

#endif // TERT_XLA_HANDLER_H
