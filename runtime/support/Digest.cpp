// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Digest.h"

#include "support/Hash.h"

#include <new>

// Inlined into this file: nothing to link or to install.
#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace tert::session;

static XXH3_state_t *stateOf(void *state) {
  return static_cast<XXH3_state_t *>(state);
}

void Digest::Release::operator()(void *state) const {
  XXH3_freeState(stateOf(state));
}

Digest::Digest() : state(XXH3_createState()) {
  if (!state)
    throw std::bad_alloc();
  XXH3_128bits_reset(stateOf(state.get()));
}

void Digest::add(const void *data, size_t bytes) {
  if (bytes)
    XXH3_128bits_update(stateOf(state.get()), data, bytes);
}

std::string Digest::text() const {
  XXH128_hash_t hash = XXH3_128bits_digest(stateOf(state.get()));
  return hexadecimal(hash.high64) + hexadecimal(hash.low64);
}
