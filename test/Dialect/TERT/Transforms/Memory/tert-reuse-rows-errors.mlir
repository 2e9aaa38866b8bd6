// RUN: te-opt %s --tert-reuse-rows --split-input-file --verify-diagnostics

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
