// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of one parameter, as calls with lists of one.
#ifndef TERT_TEST_RUNTIME_UPDATES_H
#define TERT_TEST_RUNTIME_UPDATES_H

#include "tert/ops.h"

namespace tert_test {

inline tert_status adamwOfOne(tert_context *context, const tert_site *site,
                              const tert_tensor *gradient,
                              const tert_tensor *coefficient,
                              const tert_tensor *lr, const tert_tensor *beta1,
                              const tert_tensor *beta2, const tert_tensor *eps,
                              const tert_tensor *weight_decay,
                              const tert_tensor *step, const tert_tensor *param,
                              const tert_tensor *exp_avg,
                              const tert_tensor *exp_avg_sq,
                              const tert_quantized *quantized, int32_t decay) {
  const tert_quantized none = {};
  return tert_adamw(context, site, 1, gradient, coefficient, lr, beta1, beta2,
                    eps, weight_decay, step, 1, param, 1, exp_avg, 1,
                    exp_avg_sq, 1, quantized ? quantized : &none, &decay);
}

inline tert_status
sgdOfOne(tert_context *context, const tert_site *site,
         const tert_tensor *gradient, const tert_tensor *coefficient,
         const tert_tensor *lr, const tert_tensor *momentum,
         const tert_tensor *dampening, const tert_tensor *weight_decay,
         const tert_tensor *step, const tert_tensor *param,
         const tert_tensor *momentum_buffer, const tert_quantized *quantized,
         int32_t nesterov, int32_t decay) {
  const tert_quantized none = {};
  return tert_sgd(context, site, 1, gradient, coefficient, lr, momentum,
                  dampening, weight_decay, step, 1, param,
                  momentum_buffer ? 1 : 0, momentum_buffer, 1,
                  quantized ? quantized : &none, nesterov, &decay);
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_UPDATES_H
