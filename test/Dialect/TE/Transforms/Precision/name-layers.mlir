// RUN: te-opt %s --split-input-file --te-name-layers --allow-unregistered-dialect | FileCheck %s

// The name is the module path, without one that of the weight's parameter,
// without either that of the op; a second layer of one name gets a number.

// CHECK-LABEL: func.func @names(
// CHECK: te.matmul {{.*}} {layer = "fc", transpose_b}
// CHECK: te.matmul {{.*}} {layer = "fc:1", transpose_b}
// CHECK: te.matmul {{.*}} {layer = "v"}
// CHECK: te.matmul {{.*}} {layer = "v:1"}
// CHECK: te.matmul {{.*}} {layer = "matmul"}
// CHECK: te.matmul {{.*}} {layer = "matmul:1"}
// CHECK: te.matmul {{.*}} {layer = "odd__name_"}
// CHECK: te.matmul {{.*}} {layer = "h.{q,k}"}
#two = loc("h.{q,k}"(fused["h.q", "h.k"]))
func.func @names(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}, %v: tensor<16x16xf32> {te.param = "v.weight"}) -> tensor<16x16xf32> {
  %t = arith.truncf %v : tensor<16x16xf32> to tensor<16x16xbf16>
  %0 = te.matmul %x, %w {transpose_b} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("fc"("model.py":1:2))
  %1 = te.matmul %0, %w {transpose_b} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("fc")
  %2 = te.matmul %1, %v : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %3 = te.matmul %2, %t : tensor<16x16xf32>, tensor<16x16xbf16> -> tensor<16x16xf32>
  %4 = te.matmul %3, %x : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %5 = te.matmul %4, %x : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %6 = te.matmul %5, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("odd,{name}")
  %7 = te.matmul %6, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc(#two)
  return %7 : tensor<16x16xf32>
}

// -----

// Names that are there stay, and a number that is taken is left out. Of two
// forward products of one name, as after inlining, the second is another layer.

// CHECK-LABEL: func.func @given(
// CHECK: te.matmul {{.*}} {layer = "w:2"}
// CHECK: te.matmul {{.*}} {layer = "w:1"}
// CHECK: te.matmul {{.*}} {layer = "w"}
// CHECK: te.matmul {{.*}} {layer = "w:3"}
func.func @given(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) -> tensor<16x16xf32> {
  %0 = te.matmul %x, %w {layer = ""} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = te.matmul %0, %w {layer = "w:1"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %2 = te.matmul %1, %w {layer = "w"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %3 = te.matmul %2, %w {layer = "w"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return %3 : tensor<16x16xf32>
}

// -----

// A gradient belongs to the one forward product whose weight or input it reads,
// in whatever type.

// CHECK-LABEL: func.func @gradients(
// CHECK: te.matmul {{.*}} {layer = "q"}
// CHECK: te.matmul {{.*}} {layer = "k"}
// CHECK: te.matmul {{.*}} {layer = "q", role = #te.role<wgrad>, transpose_a}
// CHECK: te.matmul {{.*}} {layer = "k", role = #te.role<wgrad>, transpose_a}
// CHECK: te.matmul {{.*}} {layer = "k", role = #te.role<dgrad>, transpose_b}
func.func @gradients(%x: tensor<16x16xf32>, %g: tensor<16x16xf32>, %h: tensor<16x16xf32>,
    %q: tensor<16x16xf32> {te.param = "q"}, %k: tensor<16x16xf32> {te.param = "k"}) {
  %0 = te.matmul %x, %q : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("q")
  %1 = te.matmul %0, %k : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %2 = te.matmul %g, %x {role = #te.role<wgrad>, transpose_a} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %3 = te.matmul %h, %0 {role = #te.role<wgrad>, transpose_a} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %t = arith.truncf %k : tensor<16x16xf32> to tensor<16x16xbf16>
  %4 = te.matmul %h, %t {role = #te.role<dgrad>, transpose_b} : tensor<16x16xf32>, tensor<16x16xbf16> -> tensor<16x16xf32>
  return
}

// -----

// The same module with the same parameter is one layer in all functions, use by
// use. A parameter alone does not make one, nor does a path.

// CHECK-LABEL: func.func @train(
// CHECK: te.matmul {{.*}} {layer = "fc"}
// CHECK: te.matmul {{.*}} {layer = "fc:1"}
// CHECK: te.matmul {{.*}} {layer = "w"}
// CHECK-LABEL: func.func @forward(
// CHECK: te.matmul {{.*}} {layer = "fc"}
// CHECK: te.matmul {{.*}} {layer = "fc:1"}
// CHECK: te.matmul {{.*}} {layer = "w:1"}
// CHECK: te.matmul {{.*}} {layer = "fc:2"}
func.func @train(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) {
  %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("fc")
  %1 = te.matmul %0, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("fc")
  %2 = te.matmul %1, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return
}
func.func @forward(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}, %v: tensor<16x16xf32> {te.param = "v"}) {
  %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("fc")
  %1 = te.matmul %0, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("fc")
  %2 = te.matmul %1, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %3 = te.matmul %2, %v : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("fc")
  return
}

// -----

// Wherever a product stands.

// CHECK: te.matmul {{.*}} {layer = "w"}
// CHECK: te.matmul {{.*}} {layer = "w:1"}
func.func @nested(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) {
  "test.loop"() ({
    %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    %1 = te.region high -> (tensor<16x16xf32>) {
      %2 = te.matmul %0, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
      te.yield %2 : tensor<16x16xf32>
    }
    "test.end"() : () -> ()
  }) : () -> ()
  return
}
