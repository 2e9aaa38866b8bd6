// RUN: te-opt %s --tert-to-llvm --split-input-file --verify-diagnostics

// expected-error@+1 {{is not an entry point}}
func.func @results(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}

// -----

func.func @unplaced(%x: memref<4xf32>) {
  // expected-note@+2 {{memref.alloc x1}}
  // expected-error@-2 {{no lowering into an entry point for some operations (memref.alloc x1)}}
  %0 = memref.alloc() : memref<4xf32>
  return
}

// -----

func.func @on_tensors(%x: memref<4xf32>) {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = arith.constant dense<[1.0, 3.0]> : tensor<2xf32>
  // expected-error@+1 {{is on tensors; tert-bufferize comes before this pass}}
  %1 = tert.copy x(%c : tensor<2xf32>) -> y(%0 : tensor<2xf32>)
  return
}

// -----

func.func @dynamic_strides(%x: memref<4x4xf32, strided<[?, 1]>>, %y: memref<4x4xf32>) {
  // expected-error@+1 {{has an operand of type 'memref<4x4xf32, strided<[?, 1]>>' without static strides}}
  tert.copy x(%x : memref<4x4xf32, strided<[?, 1]>>) -> y(%y : memref<4x4xf32>)
  return
}

// -----

func.func @rank(%x: memref<1x1x1x1x1x1x1xf32>) {
  // expected-error@+1 {{has an operand of 7 dimensions of 'f32'; the runtime takes at most 6 of its own types}}
  tert.fill -> y(%x : memref<1x1x1x1x1x1x1xf32>) {value = 0.0 : f64}
  return
}

// -----

// What the pass has made is no longer its input.
// expected-error@+1 {{the module has 'tert_artifact_abi_version' already; tert-to-llvm makes it and runs once}}
llvm.mlir.global external constant @tert_artifact_abi_version(3 : i32) : i32

// -----

// Found by a random sequence of passes.
func.func @one(%x: memref<4xf32>) attributes {te.entry = "vjp"} {
  return
}
// expected-error@+1 {{would become 'tert_entry_vjp', which the module has already; give each entry a name of its own (te.entry)}}
func.func @other(%x: memref<4xf32>) attributes {te.entry = "vjp"} {
  return
}
