// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program/CallSignature.h"

#include "program/Tensor.h"

using namespace tert;

CallSignature tert::callOf(const tert_site &site, const TensorList &tensors) {
  // FNV-1a.
  CallSignature call = {site, 0, 0xcbf29ce484222325};
  for (const tert_tensor &tensor : tensors) {
    for (auto value : {int64_t(dtypeOf(tensor)), numElements(tensor)})
      call.digest = (call.digest ^ uint64_t(value)) * 0x100000001b3;
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
