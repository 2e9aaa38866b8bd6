// RUN: te-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected dim_axes, dim, blocks or flat_axes, not 'axes'}}
func.func private @f(tensor<4xf32> {te.param = "a", te.shard = #te.shard<shape = [8], axes = 1>})

// -----

// expected-error @+1 {{expects a shape of known sizes}}
func.func private @f(tensor<4xf32> {te.param = "a", te.shard = #te.shard<shape = [-8], flat_axes = 1>})

// -----

// expected-error @+1 {{expects dim_axes and flat_axes to be sets of axes, bit a for axis a, that have none in common}}
func.func private @f(tensor<4xf32> {te.param = "a", te.shard = #te.shard<shape = [8], dim_axes = 1, flat_axes = 1>})

// -----

// expected-error @+1 {{expects blocks that add up to the 8 of dimension 0}}
func.func private @f(tensor<4xf32> {te.param = "a", te.shard = #te.shard<shape = [8], dim_axes = 1, blocks = [4, 2]>})

// -----

// expected-error @+1 {{expects 'te.shard' to be a #te.shard}}
func.func private @f(tensor<4xf32> {te.param = "a", te.shard = 1 : i32})
