// RUN: te-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expects a history of at least 1 amax, got 0}}
func.func private @history() attributes {a = #te.delayed_scaling<history = 0>}

// -----

// expected-error@+1 {{expects a margin between 0 and 64 powers of two, got 65}}
func.func private @margin() attributes {a = #te.delayed_scaling<margin = 65>}

// -----

// expected-error@+1 {{'func.func' op has 'te.input' on a result; it belongs on an argument}}
func.func private @input_result() -> (tensor<f32> {te.input = "x"})

// -----

// expected-error@+1 {{'func.func' op has 'te.scalar' on a result; it belongs on an argument}}
func.func private @scalar_result() -> (tensor<f32> {te.scalar = "lr"})

// -----

// expected-error@+1 {{'func.func' op has 'te.output' on an argument; it belongs on a result}}
func.func private @output_argument(tensor<f32> {te.output = "y"})

// -----

// expected-error@+1 {{'func.func' op expects 'te.param' to be a non-empty string}}
func.func private @name(tensor<f32> {te.param = ""})

// -----

// expected-error@+1 {{'func.func' op expects 'te.init' to be a number, or one of "data", "derived", "normal:MEAN,STD", "uniform:LOW,HIGH"}}
func.func private @init(tensor<f32> {te.state = "s", te.init = [1]})

// -----

// expected-error@+1 {{'func.func' op expects 'te.default' to be a number}}
func.func private @default(tensor<f32> {te.scalar = "lr", te.default = "small"})

// -----

// expected-error@+1 {{'func.func' op expects 'te.range' to be array<i64: LOW, HIGH> with LOW < HIGH}}
func.func private @range(tensor<4xi64> {te.input = "ids", te.range = array<i64: 4, 4>})

// -----

// expected-error@+1 {{'func.func' op has 'te.arena' on something that is not a memref argument}}
func.func private @arena(tensor<4xi8> {te.arena})

// -----

// expected-error@+1 {{'func.func' op expects 'te.arena_offset' to be a number of bytes, on a memref argument}}
func.func private @arena_offset(memref<4xf32> {te.output = "y", te.arena_offset = -1 : i64})

// -----

// expected-error@+1 {{'func.func' op has unknown attribute 'te.inptu'}}
func.func private @unknown(tensor<f32> {te.inptu = "x"})

// -----

// expected-error@+1 {{'builtin.module' op has 'te.entry'; only functions are entries}}
module attributes {te.entry = "train"} {}

// -----

// expected-error@+1 {{'func.func' op expects 'te.entry' to be a string}}
func.func private @entry() attributes {te.entry = 1 : i64}

// -----

// expected-error@+1 {{'func.func' op expects 'te.arena_bytes' to be an integer}}
func.func private @arena_bytes() attributes {te.arena_bytes = "many"}

// -----

// expected-error@+1 {{'builtin.module' op expects 'te.description' to be a string}}
module attributes {te.description = 1 : i64} {}

// -----

// expected-error@+1 {{'builtin.module' op expects 'te.costs' to be a cost model, such as #te.measured_costs<...>}}
module attributes {te.costs = 1 : i64} {}

// -----

// expected-error@+1 {{'func.func' op expects 'te.spare' to be array<i64: OFFSET, BYTES>, neither of them negative}}
func.func private @spare() attributes {te.spare = array<i64: -1, 4>}

// -----

// expected-error@+1 {{'builtin.module' op expects 'te.slots' to be an array of strings}}
module attributes {te.slots = [1 : i64]} {}

// -----

// expected-error@+1 {{'builtin.module' op expects 'te.slot_formats' to be an array of types}}
module attributes {te.slot_formats = ["f8E4M3FN"]} {}

// -----

// expected-error@+1 {{'builtin.module' op expects 'te.target' to be a string}}
module attributes {te.target = 90 : i64} {}

// -----

// expected-error@+1 {{expects a shape of known sizes}}
func.func private @shard_shape() attributes {test.shard = #te.shard<shape = [4, -1]>}

// -----

// expected-error@+1 {{expects dim_axes and flat_axes to be sets of axes, bit a for axis a, that have none in common}}
func.func private @shard_common_axes() attributes {test.shard = #te.shard<shape = [4, 8], dim_axes = 3, flat_axes = 2>}

// -----

// expected-error@+1 {{expects dim_axes and flat_axes to be sets of axes, bit a for axis a, that have none in common}}
func.func private @shard_negative_axes() attributes {test.shard = #te.shard<shape = [4, 8], flat_axes = -1>}

// -----

// expected-error@+1 {{expects dim_axes where a dimension is sharded}}
func.func private @shard_dim_without_axes() attributes {test.shard = #te.shard<shape = [4, 8], dim = 1, flat_axes = 1>}

// -----

// expected-error@+1 {{expects dim_axes where a dimension is sharded}}
func.func private @shard_blocks_without_axes() attributes {test.shard = #te.shard<shape = [4, 8], blocks = [4]>}

// -----

// expected-error@+1 {{expects dim to be one of the 2 dimensions, but it is 2}}
func.func private @shard_dim() attributes {test.shard = #te.shard<shape = [4, 8], dim_axes = 1, dim = 2>}

// -----

// expected-error@+1 {{expects dim to be one of the 2 dimensions, but it is -1}}
func.func private @shard_negative_dim() attributes {test.shard = #te.shard<shape = [4, 8], dim_axes = 1, dim = -1>}

// -----

// expected-error@+1 {{expects blocks that add up to the 8 of dimension 1}}
func.func private @shard_few_blocks() attributes {test.shard = #te.shard<shape = [4, 8], dim_axes = 1, dim = 1, blocks = [4, 2]>}

// -----

// expected-error@+1 {{expects blocks that add up to the 8 of dimension 1}}
func.func private @shard_many_blocks() attributes {test.shard = #te.shard<shape = [4, 8], dim_axes = 1, dim = 1, blocks = [4, 8]>}

// -----

// expected-error@+1 {{expects blocks that add up to the 8 of dimension 1}}
func.func private @shard_empty_block() attributes {test.shard = #te.shard<shape = [4, 8], dim_axes = 1, dim = 1, blocks = [8, 0]>}

// -----

// expected-error @+1 {{expects 'te.donated' to be a unit attribute of an argument}}
func.func @donated(%x: tensor<4xf32> {te.donated = 1 : i64, te.input = "x"}) {
  return
}

// -----

// expected-error @+1 {{expects 'te.donated' to be a unit attribute of an argument}}
func.func @donated_result(%x: tensor<4xf32> {te.input = "x"}) -> (tensor<4xf32> {te.donated, te.output = "y"}) {
  return %x : tensor<4xf32>
}
