// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated kernels: checks of the C function before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

#include <algorithm>
#include <vector>

using namespace tert;

static void appendAddresses(const char *name, int32_t count,
                            const tert_tensor *tensors,
                            const tert_kernel &kernel,
                            std::vector<void *> &addresses) {
  if (count < 0 || (count > 0 && !tensors))
    invalidArgument(std::string("'") + name + "' has " + std::to_string(count) +
                    " tensors at a null address");
  for (int32_t i = 0; i < count; ++i) {
    Operand operand(name, &tensors[i]);
    void *address = (*operand).data;
    int32_t alignment =
        kernel.alignments ? kernel.alignments[addresses.size()] : 1;
    if (reinterpret_cast<uintptr_t>(address) % std::max(alignment, 1))
      operand.fail("at an address that is a multiple of " +
                   std::to_string(alignment) + " bytes");
    addresses.push_back(address);
  }
}

tert_status tert_launch(tert_context *context, const tert_site *site,
                        int32_t numInputs, const tert_tensor *inputs,
                        int32_t numOutputs, const tert_tensor *outputs,
                        const tert_kernel *kernel) {
  return callOp(context, site, "tert.launch", [&](OpCall &op) {
    if (!kernel || !kernel->name || (!kernel->body && !kernel->image))
      invalidArgument("'kernel' is missing, or has neither code nor a name");
    std::vector<void *> addresses;
    appendAddresses("inputs", numInputs, inputs, *kernel, addresses);
    appendAddresses("outputs", numOutputs, outputs, *kernel, addresses);
    op.launchKernel(*kernel, int32_t(addresses.size()), addresses.data());
    op.moves({numInputs, inputs});
    op.moves({numOutputs, outputs});
  });
}
