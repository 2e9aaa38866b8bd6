// RUN: te-test-opt %s --split-input-file --verify-diagnostics --test-te-print-entry-interface

// expected-error @+1 {{argument #1 has no role; add one of 'te.input', 'te.scalar', 'te.param', 'te.state'}}
func.func private @no_role(tensor<2xf32> {te.input = "x"}, tensor<2xf32>)

// -----

// expected-error @+1 {{argument #0 has both 'te.input' and 'te.param'; keep one}}
func.func private @two_roles(tensor<2xf32> {te.input = "x", te.param = "w"})

// -----

// expected-error @+1 {{argument #1 has the name 'x' of argument #0}}
func.func private @twice(tensor<2xf32> {te.input = "x"}, tensor<f32> {te.scalar = "x"})

// -----

// expected-error @+1 {{result #0 is the new value of param 'w', but no argument is that}}
func.func private @no_twin(tensor<2xf32> {te.state = "w", te.kind = "optimizer"}) -> (tensor<2xf32> {te.param = "w"})

// -----

// expected-error @+1 {{result #0 is the new value of 'w' and has type 'tensor<3xf32>', but the argument has 'tensor<2xf32>'}}
func.func private @other_type(tensor<2xf32> {te.param = "w"}) -> (tensor<3xf32> {te.param = "w"})

// -----

// expected-error @+1 {{result #1 is a second new value of 'w'}}
func.func private @second(tensor<2xf32> {te.param = "w"}) -> (tensor<2xf32> {te.param = "w"}, tensor<2xf32> {te.param = "w"})

// -----

// expected-error @+1 {{argument #0 ('s') is a state without 'te.kind'}}
func.func private @kind(tensor<2xf32> {te.state = "s"})

// -----

// expected-error @+1 {{argument #0 ('lr') is a scalar, but its type is 'tensor<2xf32>'}}
func.func private @scalar(tensor<2xf32> {te.scalar = "lr"})

// -----

// expected-error @+1 {{argument #0 ('x') has type 'tensor<?xf32>'; entries exchange tensors of static shape}}
func.func private @dynamic(tensor<?xf32> {te.input = "x"})

// -----

// expected-error @+1 {{argument #0 ('x') has 'te.init', which only parameters and states take}}
func.func private @init(tensor<2xf32> {te.input = "x", te.init = 0.0 : f32})

// -----

// expected-error @+1 {{argument #0 ('w') has 'te.default', which only scalars take}}
func.func private @default(tensor<2xf32> {te.param = "w", te.default = 0.0 : f32})

// -----

// expected-error @+1 {{argument #0 ('x') has type 'tensor<2xf16>': element type f16 is not supported; export in float32 or bfloat16}}
func.func private @half(tensor<2xf16> {te.input = "x"})

// -----

// expected-error @+1 {{result #0 ('y') has type 'tensor<2xf64>': element type f64 is not supported; export in float32 or bfloat16}}
func.func private @double() -> (tensor<2xf64> {te.output = "y"})

// -----

// expected-error @+1 {{argument #0 ('x') has 'te.frozen', which only parameters take}}
func.func private @frozen_input(tensor<2xf32> {te.input = "x", te.frozen})

// -----

// expected-error @+1 {{result #0 is a new value of 'w', which is frozen (te.frozen); keep one}}
func.func private @frozen_update(tensor<2xf32> {te.param = "w", te.frozen}) -> (tensor<2xf32> {te.param = "w"})
