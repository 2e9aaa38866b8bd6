// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/CallSignature.h"

#include "program/Tensor.h"
#include "support/Hash.h"

using namespace tert;

CallSignature tert::callOf(const tert_site &site, const TensorList &tensors) {
  CallSignature call = {site, 0, emptyHash};
  for (const tert_tensor &tensor : tensors) {
    for (auto value : {int64_t(dtypeOf(tensor)), numElements(tensor)})
      call.digest = addToHash(call.digest, uint64_t(value));
    call.bytes += uint64_t(bytesIn(tensor));
  }
  return call;
}

void tert::checkSameCall(const Group &group, const Announcement &own,
                         int32_t member, Announcement other) {
  other.terminate();
  if (!own.agreesWith(other))
    throw Error(TERT_PEER_ERROR,
                group.name() + " is in " + own.describe() + ", but " +
                    group.name(member) + " in " + other.describe() +
                    ", along " + group.axes +
                    ": all ranks must run the same program on inputs of the "
                    "same shapes");
}
