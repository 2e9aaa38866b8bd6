// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/Communicator.h"

#include "program/Backend.h"
#include "program/Contiguous.h"

using namespace tert;

/// Copies `count` consecutive elements.
static void copyElements(Backend &backend, const tert_site &site,
                         tert_dtype dtype, int64_t count, void *from,
                         void *to) {
  if (count == 0 || from == to)
    return;
  const tert_layout layout = vectorLayout(dtype, count);
  backend.copy(site, {from, &layout}, {to, &layout});
}

void AloneCommunicator::run(const tert_site &site,
                            const Collective &collective) {
  const TensorList &x = collective.x, &y = collective.y;
  for (int32_t k = 0; k < x.size(); ++k)
    copyElements(backend, site, dtypeOf(x[k]), numElements(x[k]), x[k].data,
                 y[k].data);
}

void AloneCommunicator::reduceNorm(const tert_site &site, Backend &,
                                   const TensorList &parts,
                                   const tert_tensor &norm) {
  backend.globalNorm(site, parts.size(), parts.begin(), norm);
}

void AloneCommunicator::reduceScalars(const tert_site &site,
                                      const TensorList &maxima,
                                      const TensorList &sums,
                                      const tert_tensor *max,
                                      const tert_tensor *sum) {
  for (int32_t i = 0; i < maxima.size(); ++i)
    copyElements(backend, site, TERT_F32, 1, maxima[i].data,
                 static_cast<float *>(max->data) + i);
  for (int32_t i = 0; i < sums.size(); ++i)
    copyElements(backend, site, TERT_F32, 1, sums[i].data,
                 static_cast<float *>(sum->data) + i);
}
