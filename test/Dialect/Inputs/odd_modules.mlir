// Modules that are valid MLIR and nothing that a pass hopes for.

// calls_indirect
func.func @forward(%f: (tensor<2x2xf32>) -> tensor<2x2xf32>, %x: tensor<2x2xf32> {te.input = "x"}) -> (tensor<2x2xf32> {te.output = "y"}) { %y = call_indirect %f(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32> return %y : tensor<2x2xf32> }
// -----
// calls_nothing
func.func private @f(tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @forward(%x: tensor<2x2xf32> {te.input = "x"}) -> (tensor<2x2xf32> {te.output = "y"}) { %y = call @f(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32> return %y : tensor<2x2xf32> }
// -----
// calls_nothing_entry
func.func private @f(memref<2x2xf32>)
func.func @forward(%x: memref<2x2xf32> {te.input = "x"}) attributes {te.entry = "forward"} { call @f(%x) : (memref<2x2xf32>) -> () return }
// -----
// complex
func.func @forward(%x: tensor<2x2xcomplex<f32>> {te.input = "x"}) -> (tensor<2x2xcomplex<f32>> {te.output = "y"}) { return %x : tensor<2x2xcomplex<f32>> }
// -----
// declaration
func.func private @forward(tensor<2x2xf32> {te.param = "x"}) -> (tensor<2x2xf32> {te.output = "y"})
// -----
// declared_entry
func.func private @train(tensor<2x2xf32> {te.param = "x"}) -> (tensor<2x2xf32> {te.output = "y"}) attributes {te.entry = "train"}
// -----
// declared_entry_memref
func.func private @train(memref<2x2xf32> {te.param = "x"}, memref<2x2xf32> {te.output = "y"}) attributes {te.entry = "train"}
// -----
// dynamic_entry
func.func @forward(%x: tensor<?x2xf32> {te.input = "x"}) -> (tensor<?x2xf32> {te.output = "y"}) attributes {te.entry = "forward"} { return %x : tensor<?x2xf32> }
// -----
// empty

// -----
// empty_dim
func.func @forward(%x: tensor<0x2xf32> {te.input = "x"}, %w: tensor<3x2xf32> {te.param = "w"}) -> (tensor<0x3xf32> {te.output = "y"}) { %y = te.matmul %x, %w {transpose_b} : tensor<0x2xf32>, tensor<3x2xf32> -> tensor<0x3xf32> return %y : tensor<0x3xf32> }
// -----
// entry_unknown
func.func @forward(%x: tensor<2x2xf32> {te.input = "x"}) -> (tensor<2x2xf32> {te.output = "y"}) attributes {te.entry = "dance"} { return %x : tensor<2x2xf32> }
// -----
// f64
func.func @forward(%x: tensor<2x2xf64> {te.input = "x"}, %w: tensor<2x2xf64> {te.param = "w"}) -> (tensor<2x2xf64> {te.output = "y"}) { %y = arith.addf %x, %w : tensor<2x2xf64> return %y : tensor<2x2xf64> }
// -----
// forward_is_global
memref.global @forward : memref<2xf32>
// -----
// forward_is_llvm
llvm.func @forward(%x: !llvm.ptr) attributes {te.entry = "forward"} { llvm.return }
// -----
// forward_is_module
module @forward {}
// -----
// global_no_value
memref.global "private" @g : memref<2xf32>
func.func @forward(%y: memref<2xf32> {te.output = "y"}) attributes {te.entry = "forward"} { %g = memref.get_global @g : memref<2xf32> memref.copy %g, %y : memref<2xf32> to memref<2xf32> return }
// -----
// i1
func.func @forward(%x: tensor<2x2xi1> {te.input = "x"}) -> (tensor<2x2xi1> {te.output = "y"}) { return %x : tensor<2x2xi1> }
// -----
// index_tensor
func.func @forward(%x: tensor<2x2xindex> {te.input = "x"}, %w: tensor<2xi3> {te.param = "w"}) -> (tensor<2x2xindex> {te.output = "y"}) { return %x : tensor<2x2xindex> }
// -----
// int_logits
func.func @forward(%x: tensor<4x8xi64> {te.input = "input_ids"}) -> (tensor<4x8xi64> {te.output = "logits"}) { return %x : tensor<4x8xi64> }
// -----
// memref
func.func @forward(%x: memref<2x2xf32> {te.input = "x"}) -> (memref<2x2xf32> {te.output="y"}) { return %x : memref<2x2xf32> }
// -----
// memref_alloc
func.func @forward(%y: memref<4x2xf32> {te.output = "y"}) attributes {te.entry = "forward"} { %a = memref.alloc() : memref<4x2xf32> memref.copy %a, %y : memref<4x2xf32> to memref<4x2xf32> return }
// -----
// memref_alloc_dynamic
func.func @forward(%n: index, %y: memref<4x2xf32> {te.output = "y"}) attributes {te.entry = "forward"} { %a = memref.alloc(%n) : memref<?x2xf32> return }
// -----
// memref_dynamic
func.func @forward(%x: memref<?x2xf32> {te.input = "x"}) attributes {te.entry = "forward"} { return }
// -----
// memref_entry
func.func @forward(%x: memref<2x2xf32> {te.input = "x"}) -> (memref<2x2xf32> {te.output="y"}) attributes {te.entry = "forward"} { return %x : memref<2x2xf32> }
// -----
// memref_strided
func.func @forward(%x: memref<4x2xf32, strided<[?, 1], offset: ?>> {te.input = "x"}, %y: memref<4x2xf32> {te.output = "y"}) attributes {te.entry = "forward"} { return }

// -----
// memref_unranked
func.func @forward(%x: memref<*xf32> {te.input = "x"}) attributes {te.entry = "forward"} { return }
// -----
// nested
module { func.func @forward(%x: tensor<2x2xf32> {te.input = "x"}) -> (tensor<2x2xf32> {te.output = "y"}) { return %x : tensor<2x2xf32> } }
// -----
// nested_entry
module { module { func.func @forward(%x: memref<2x2xf32> {te.input = "x"}) attributes {te.entry = "forward"} { return } } }
// -----
// nothing
func.func @forward() { return }
// -----
// nothing_entry
func.func @forward() attributes {te.entry = "forward"} { return }
// -----
// rank0
func.func @forward(%x: tensor<f32> {te.input = "x"}, %w: tensor<f32> {te.param = "w"}) -> (tensor<f32> {te.output = "y"}) { %y = arith.addf %x, %w : tensor<f32> return %y : tensor<f32> }
// -----
// recursive
func.func @forward(%x: tensor<2x2xf32> {te.input = "x"}) -> (tensor<2x2xf32> {te.output = "y"}) { %y = call @forward(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32> return %y : tensor<2x2xf32> }
// -----
// recursive_entry
func.func @forward(%x: tensor<2x2xf32> {te.input = "x"}) -> (tensor<2x2xf32> {te.output = "y"}) attributes {te.entry = "forward"} { %y = call @forward(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32> return %y : tensor<2x2xf32> }
// -----
// same_name
func.func @forward(%x: tensor<2x2xf32> {te.input = "x"}, %z: tensor<2x2xf32> {te.input = "x"}) -> (tensor<2x2xf32> {te.output = "y"}, tensor<2x2xf32> {te.output = "y"}) attributes {te.entry = "forward"} { return %x, %z : tensor<2x2xf32>, tensor<2x2xf32> }
// -----
// scalar_args
func.func @forward(%x: f32 {te.input = "x"}, %i: index) -> (f32 {te.output = "y"}) { return %x : f32 }
// -----
// scalar_entry
func.func @forward(%x: f32 {te.input = "x"}, %i: index) -> (f32 {te.output = "y"}) attributes {te.entry = "forward"} { return %x : f32 }
// -----
// scalar_param
func.func @forward(%x: f32 {te.param = "x"}) -> (f32 {te.output = "y"}) { return %x : f32 }
// -----
// slots_uneven
module attributes {te.slots = ["a", "b"], te.slot_formats = [f8E4M3FN]} { func.func @forward(%x: tensor<2x2xf32> {te.input = "x"}) -> (tensor<2x2xf32> {te.output = "y"}) attributes {te.entry = "forward"} { return %x : tensor<2x2xf32> } }
// -----
// train_decl_loss
func.func private @forward(tensor<4x8xi64> {te.input = "input_ids"}, tensor<16x8xf32> {te.param = "w"}) -> (tensor<4x8x16xf32> {te.output = "logits"})
// -----
// unnamed
func.func @forward(%x: tensor<2x2xf32>) -> tensor<2x2xf32> { return %x : tensor<2x2xf32> }
// -----
// unnamed_entry
func.func @forward(%x: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {te.entry = "forward"} { return %x : tensor<2x2xf32> }
// -----
// unnamed_entry_memref
func.func @forward(%x: memref<2x2xf32>, %y: memref<2x2xf32>) attributes {te.entry = "forward"} { return }
// -----
// unranked_entry
func.func @forward(%x: tensor<*xf32> {te.input = "x"}) -> (tensor<*xf32> {te.output = "y"}) attributes {te.entry = "forward"} { return %x : tensor<*xf32> }
// -----
// unranked_id
func.func @forward(%x: tensor<*xf32> {te.input = "x"}) -> (tensor<*xf32> {te.output = "y"}) { return %x : tensor<*xf32> }
// -----
// unranked_param
func.func @forward(%x: tensor<*xf32> {te.param = "x"}) -> (tensor<*xf32> {te.output = "y"}) { return %x : tensor<*xf32> }