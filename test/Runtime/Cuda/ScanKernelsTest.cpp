// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans and their gradients, against the CPU's.

#include "KernelTest.h"
#include "ScanReference.h"

using namespace tert_test;

TEST_F(KernelTest, Scan) {
  for (int32_t dtype : {TERT_F32, TERT_BF16})
    for (bool hasInitial : {false, true}) {
      std::vector<ScanCase> cases = {
          {2, 12, 5, 1, 1, 4, false, false, hasInitial, dtype, 3},
          {3, 70, 300, 1, 1, 32, false, false, hasInitial, dtype},
          {0, 3, 4, 2, 1, 2, true, true, hasInitial, dtype}};
      for (bool hasRates : {false, true}) {
        // Every number of lanes; chunks that are no multiple of what threads
        // hold; groups; several parts, and several segments of partial sums.
        for (int64_t size : {1, 3, 4, 7, 16, 20, 64, 128, 200})
          cases.push_back(
              {2, 37, 150, size, 2, 12, hasRates, true, hasInitial, dtype, 1});
        cases.push_back(
            {4, 500, 1536, 16, 1, 32, hasRates, true, hasInitial, dtype});
        cases.push_back(
            {1, 33, 8, 16, 1, 100, hasRates, true, hasInitial, dtype});
        cases.push_back(
            {1, 192, 600, 200, 2, 12, hasRates, true, hasInitial, dtype});
      }
      for (const ScanCase &c : cases) {
        SCOPED_TRACE(c.name());
        ScanTensors t(c);
        auto given = [](bool is, const tert_tensor *tensor) {
          return is ? tensor : nullptr;
        };
        runBoth({t.decay, t.x, t.rates, t.keys, t.queries, t.initial, t.y,
                 t.states, t.final},
                [&](tert_context *context, const Arguments &a) {
                  return tert_scan(
                      context, nullptr, a[0], a[1], given(c.hasRates, a[2]),
                      given(c.hasKeys, a[3]), given(c.hasKeys, a[4]),
                      given(c.hasInitial, a[5]), a[6], a[7], a[8], c.chunk);
                });
        if (c.batch == 0)
          continue;
        // bf16's last place where a sum lies close to a tie.
        const double bound = dtype == TERT_F32 ? 5e-6 : 4e-4;
        expectClose(6, bound);
        expectClose(7, 5e-6);
        expectClose(8, 5e-6);
        const Tensor states = onCpu[7];
        runBoth({t.dy, t.decay, t.x, states, t.rates, t.keys, t.queries,
                 t.dfinal, t.ddecay, t.dx, t.drates, t.dkeys, t.dqueries,
                 t.dinitial},
                [&](tert_context *context, const Arguments &a) {
                  return tert_scan_grad(
                      context, nullptr, a[0], a[1], a[2], a[3],
                      given(c.hasRates, a[4]), given(c.hasKeys, a[5]),
                      given(c.hasKeys, a[6]), given(c.hasInitial, a[7]), a[8],
                      a[9], given(c.hasRates, a[10]), given(c.hasKeys, a[11]),
                      given(c.hasKeys, a[12]), a[13], c.chunk);
                });
        expectClose(8, c.hasRates ? bound : 1e-5);
        expectClose(9, bound);
        if (c.hasRates)
          expectClose(10, 1e-5);
        if (c.hasKeys) {
          expectClose(11, bound);
          expectClose(12, bound);
        }
        expectClose(13, 1e-5);
      }
    }
}
