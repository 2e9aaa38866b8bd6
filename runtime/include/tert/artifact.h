/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Symbols exported by a compiled artifact (a shared library).
 */
#ifndef TERT_ARTIFACT_H
#define TERT_ARTIFACT_H

#include "tert/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* int32_t tert_artifact_abi_version: TERT_ABI_VERSION of the compiler. */
#define TERT_ARTIFACT_ABI_VERSION_SYMBOL "tert_artifact_abi_version"

/* const char tert_artifact_description[]: NUL-terminated JSON,
 * docs/artifact.md.
 */
#define TERT_ARTIFACT_DESCRIPTION_SYMBOL "tert_artifact_description"
/* Its section, which contains nothing else, so that it can be read without
 * loading the library.
 */
#define TERT_ARTIFACT_DESCRIPTION_SECTION ".tert.description"

/* const char tert_artifact_seal[72], in its own section: "TERTSEAL", the digest
 * of the library's file without these 32 digits, and the checksum of the
 * weights file (XXH3-128, hexadecimal; zeros: none). Zeros until the library is
 * linked.
 */
#define TERT_ARTIFACT_SEAL_SYMBOL "tert_artifact_seal"
#define TERT_ARTIFACT_SEAL_SECTION ".tert.seal"
#define TERT_ARTIFACT_SEAL_MAGIC "TERTSEAL"
#define TERT_ARTIFACT_SEAL_BYTES 72

/* An entry point; the description names its symbol. `buffers` holds the
 * addresses of the entry's arguments, in the order the description lists them,
 * then the arena (arena_bytes of the description, 256-byte aligned; null when
 * it is 0). States are updated in place. */
typedef tert_status (*tert_entry)(tert_context *context, void *const *buffers);

#ifdef __cplusplus
}
#endif
#endif /* TERT_ARTIFACT_H */
