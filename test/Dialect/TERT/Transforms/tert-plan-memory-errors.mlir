// RUN: te-opt %s --tert-plan-memory --split-input-file --verify-diagnostics

func.func @dynamic(%n: index) {
  // expected-error@+1 {{has no static size in bytes}}
  %0 = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func @returned() -> memref<4xf32> {
  // expected-error@+1 {{outlives the block that allocates it}}
  %0 = memref.alloc() : memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

func.func @too_large() {
  // expected-error@+1 {{has no static size in bytes}}
  %0 = memref.alloc() : memref<4294967296x4294967296xf32>
  return
}

// -----

func.func @dynamic_result(
    // expected-error@+1 {{argument 0 has no static size in bytes}}
    %y: memref<?xf32> {te.output = "y"}) {
  %0 = memref.cast %y : memref<?xf32> to memref<4xf32>
  tert.fill -> y(%0 : memref<4xf32>) {value = 1.0 : f64}
  return
}

// -----

// Found by a random sequence of passes.
func.func @caller(%x: memref<4xf32>) {
  // expected-error@+1 {{calls a function that tert-plan-memory gives an arena; run the pass 'inline' before tert-bufferize}}
  call @callee(%x) : (memref<4xf32>) -> ()
  return
}
func.func private @callee(%x: memref<4xf32>) {
  return
}
