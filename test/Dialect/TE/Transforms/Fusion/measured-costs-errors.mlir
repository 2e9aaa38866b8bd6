// RUN: te-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expects 'te.costs' to be a cost model, such as #te.measured_costs<...>}}
module attributes {te.costs = "fast"} {}

// -----

// expected-error @+1 {{expects 'tile' in 'ceilings' to be a positive f64 number}}
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0, f8 = 1.0, bf16 = 1.0, f32 = 1.0, multiprocessors = 1.0, tile = 0.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {}, tuned = {}>} {}

// -----

// expected-error @+1 {{expects 'ceilings' to have a positive f64 number 'f32'}}
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0, f8 = 1.0, bf16 = 1.0, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {}, tuned = {}>} {}

// -----

// expected-error @+1 {{expects 'kernels' to have a 'default'}}
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0, f8 = 1.0, bf16 = 1.0, f32 = 1.0, multiprocessors = 1.0},
    kernels = {}, epilogues = {}, benchmarked = {}, tuned = {}>} {}

// -----

// expected-error @+1 {{expects kernel 'quantize' to be an array of two f64 numbers, its fixed seconds (not negative) and its share of the ceilings (positive)}}
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0, f8 = 1.0, bf16 = 1.0, f32 = 1.0, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0], quantize = [0.0, 0.0]}, epilogues = {}, benchmarked = {}, tuned = {}>} {}

// -----

// expected-error @+1 {{expects epilogue 'gelu' to be an array of pairs of positive f64 numbers, the summed dimension and a factor}}
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0, f8 = 1.0, bf16 = 1.0, f32 = 1.0, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {gelu = [[768.0]]}, benchmarked = {}, tuned = {}>} {}

// -----

// expected-error @+1 {{expects the names in 'tuned' to be matrix products such as "64x32x16 bf16 * bf16^T -> bf16", got "64x32 bf16"}}
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0, f8 = 1.0, bf16 = 1.0, f32 = 1.0, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {}, tuned = {"64x32 bf16" = 1.0}>} {}

// -----

// expected-error @+1 {{expects a positive f64 number of seconds for "64x32x16 bf16 * bf16^T -> bf16" in 'benchmarked'}}
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0, f8 = 1.0, bf16 = 1.0, f32 = 1.0, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {"64x32x16 bf16 * bf16^T -> bf16" = 0.0}, tuned = {}>} {}

// -----

// expected-error @+1 {{expects 'unaligned' to be a positive f64 number}}
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 0.0,
    ceilings = {bytes = 1.0, f8 = 1.0, bf16 = 1.0, f32 = 1.0, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {}, tuned = {}>} {}
