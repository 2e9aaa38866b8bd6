// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causal convolutions and their gradients, against the CPU's.

#include "CausalConvReference.h"
#include "KernelTest.h"

using namespace tert_test;

TEST_F(KernelTest, CausalConv) {
  std::vector<ConvCase> cases;
  for (int32_t dtype : {TERT_F32, TERT_BF16})
    for (bool silu : {false, true}) {
      // Every number of taps; channels that are no multiple of what threads
      // have; rows that are not aligned; runs of tokens that are not whole.
      for (int64_t taps = 1; taps <= 8; ++taps)
        cases.push_back({2, 37, 150, taps, taps % 2 == 0, silu, dtype, 1});
      cases.push_back({3, 2, 128, 4, true, silu, dtype});
      cases.push_back({4, 1000, 1536, 4, true, silu, dtype, 8});
      cases.push_back({2, 0, 8, 4, true, silu, dtype});
      cases.push_back({0, 3, 8, 4, true, silu, dtype});
    }
  for (const ConvCase &c : cases) {
    SCOPED_TRACE(c.name());
    ConvTensors t(c);
    runBoth({t.x, t.weight, t.bias, t.y},
            [&](tert_context *context, const Arguments &a) {
              return tert_causal_conv(context, nullptr, a[0], a[1],
                                      optionalBias(c, a[2]), a[3], c.silu);
            });
    // bf16's last place where a sum lies close to a tie.
    const double bound = c.dtype == TERT_F32 ? 5e-6 : 4e-4;
    if (c.batch * c.tokens > 0)
      expectClose(3, bound);
    runBoth({t.dy, t.x, t.weight, t.bias, t.dx, t.dweight, t.dbias},
            [&](tert_context *context, const Arguments &a) {
              return tert_causal_conv_grad(context, nullptr, a[0], a[1], a[2],
                                           optionalBias(c, a[3]), a[4], a[5],
                                           optionalBias(c, a[6]), c.silu);
            });
    if (c.batch * c.tokens > 0)
      expectClose(4, bound);
    expectClose(5, 1e-5);
    if (c.hasBias)
      expectClose(6, 1e-5);
  }
}
