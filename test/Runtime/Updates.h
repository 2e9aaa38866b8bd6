// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of one parameter, as calls with lists of one.
#ifndef TERT_TEST_RUNTIME_UPDATES_H
#define TERT_TEST_RUNTIME_UPDATES_H

#include "tert/ops.h"

#include <vector>

namespace tert_test {

using Tensors = std::vector<const tert_tensor *>;

inline tert_status updateOfOne(tert_context *context, const char *rule,
                               const tert_tensor *gradient,
                               const tert_tensor *coefficient,
                               const Tensors &scalars, const tert_tensor *step,
                               const tert_tensor *param, const Tensors &states,
                               const tert_quantized *quantized, int32_t decay,
                               const Tensors &stateScales = {}) {
  auto values = [](const Tensors &tensors) {
    std::vector<tert_tensor> list;
    for (const tert_tensor *tensor : tensors)
      list.push_back(*tensor);
    return list;
  };
  const std::vector<tert_tensor> s = values(scalars), t = values(states),
                                 f = values(stateScales);
  const tert_quantized none = {};
  return tert_update(context, nullptr, 1, gradient, coefficient,
                     int32_t(s.size()), s.data(), step, 1, param,
                     int32_t(t.size()), t.data(), int32_t(f.size()), f.data(),
                     1, quantized ? quantized : &none, rule, &decay);
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_UPDATES_H
