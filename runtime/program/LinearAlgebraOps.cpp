// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products: checks of the C functions before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

using namespace tert;

tert_status tert_matmul(tert_context *context, const tert_site *site,
                        const tert_tensor *a, const tert_tensor *b,
                        const tert_tensor *bias, const tert_tensor *d,
                        int32_t transpose_a, int32_t transpose_b,
                        int32_t add_to_d) {
  return callOp(context, site, "tert.matmul", [&](OpCall &op) {
    Operand left("a", a), right("b", b), result("d", d);
    left.isFloatMatrix();
    right.isFloatMatrix();
    int64_t m = left.size(transpose_a ? 1 : 0);
    int64_t k = left.size(transpose_a ? 0 : 1);
    int64_t n = right.size(transpose_b ? 0 : 1);
    if (right.size(transpose_b ? 1 : 0) != k)
      right.fail("of " + std::to_string(k) + " in dimension " +
                 std::to_string(transpose_b ? 1 : 0) +
                 ", the summed dimension of 'a', " + describeShape(*left));
    result.isFloat().hasUnitInnerStride().hasShape(
        {m, n}, "the rows of op(a) and the columns of op(b)");
    if (bias)
      Operand("bias", bias).isFloatVector(n, "the columns of 'd'");
    op.matmul(*a, *b, bias, *d, transpose_a != 0, transpose_b != 0,
              add_to_d != 0);
    op.multiplies(2.0 * double(numElements(*d)) *
                      double(sizeOf(*a, transpose_a ? 0 : 1)),
                  dtypeOf(*a) == dtypeOf(*b) ? dtypeOf(*a) : TERT_F32,
                  {a, b, bias, d, add_to_d ? d : nullptr});
  });
}

tert_status tert_scaled_matmul(tert_context *context, const tert_site *site,
                               const tert_scaled *a, const tert_scaled *b,
                               const tert_tensor *bias,
                               const tert_tensor *addend, const tert_tensor *d,
                               int32_t accumulate) {
  return callOp(context, site, "tert.scaled_matmul", [&](OpCall &op) {
    const bool takesBlocks = op.backend.takesScaleBlocks(),
               takesE8M0 = op.backend.takesE8M0Scales();
    Operand left = checkScaled("a", a, takesBlocks, takesE8M0),
            right = checkScaled("b", b, takesBlocks, takesE8M0);
    Operand result("d", d);
    left.hasRank(2);
    right.hasRank(2);
    if (dtypeOf(*left) == TERT_F8E5M2 && dtypeOf(*right) == TERT_F8E5M2)
      right.fail("f8E4M3, because 'a' is f8E5M2: no device multiplies two "
                 "f8E5M2 matrices");
    if (left.size(1) != right.size(1))
      right.fail("of " + std::to_string(left.size(1)) +
                 " columns, as many as 'a', " + describeShape(*left) +
                 ", has (the product is a times b transposed)");
    result.isFloat().hasUnitInnerStride().hasShape(
        {left.size(0), right.size(0)}, "the rows of 'a' and those of 'b'");
    if (bias)
      Operand("bias", bias).isFloatVector(right.size(0), "the columns of 'd'");
    if (addend)
      Operand("addend", addend).hasDtype(dtypeOf(*d)).isFloatLike(result);

    op.scaledMatmul(*a, *b, bias, addend, *d,
                    checkEnum("accumulate", accumulate, TERT_ACCUMULATE_SPLIT));
    op.multiplies(2.0 * double(numElements(*d)) * double(left.size(1)),
                  dtypeOf(*left), {a->data, b->data, bias, addend, d});
  });
}
