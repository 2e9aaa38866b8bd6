// Mixtures that compute all experts for all rows, times gates.

// RUN: te-opt %s --split-input-file --te-raise | FileCheck %s
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-8: gradients within

// Gates that are zero but for one expert, or, where there is no expert of the
// number, for none.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     x16x4x
// CHECK:         %[[IDS:.*]] = arith.andi %arg1
// CHECK:         %[[IS:.*]] = arith.cmpi ult, %[[IDS]], %{{.*}} : tensor<128xi32>
// CHECK-NEXT:    %[[E:.*]] = arith.select %[[IS]], %[[IDS]], %{{.*}}
// CHECK:         te.expert_matmul %arg0, %{{.*}} experts(%[[E]])
// CHECK:         te.expert_matmul %{{.*}} experts(%[[E]])
// CHECK-NOT:     x16x4x
#tdk = affine_map<(t, e, f, d) -> (t, d)>
#edf = affine_map<(t, e, f, d) -> (e, d, f)>
#tef = affine_map<(t, e, f, d) -> (t, e, f)>
#te = affine_map<(t, d, e) -> (t, e)>
#ted = affine_map<(t, d, e) -> (t, e, d)>
#td = affine_map<(t, d, e) -> (t, d)>
#hidden = affine_map<(t, e, f, d) -> (t, e, d)>
#tke = affine_map<(t, e, k) -> (t, k, e)>
#s = affine_map<(t, e, k) -> (t, e)>
func.func @forward(%x: tensor<128x4xf32> {te.input = "x"}, %given: tensor<128xi32> {te.input = "experts", test.range = [0.0, 64.0]}, %w: tensor<128x16xf32> {te.param = "w"}, %up: tensor<16x4x4xf32> {te.param = "up"}, %down: tensor<16x4x4xf32> {te.param = "down"}) -> (tensor<128x4xf32> {te.output = "y"}) {
  %last = arith.constant dense<31> : tensor<128xi32>
  %experts = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>
  %hzero = arith.constant dense<0.0> : tensor<128x16x4xf32>
  %yzero = arith.constant dense<0.0> : tensor<128x4xf32>
  %ei = tensor.empty() : tensor<128x16xi32>
  %ids = arith.andi %given, %last : tensor<128xi32>
  %own = linalg.broadcast ins(%ids : tensor<128xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [1]
  %every = linalg.broadcast ins(%experts : tensor<16xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [0]
  %is = arith.cmpi eq, %own, %every : tensor<128x16xi32>
  %mask = arith.uitofp %is : tensor<128x16xi1> to tensor<128x16xf32>
  %gates = arith.mulf %w, %mask : tensor<128x16xf32>
  %h = linalg.generic {indexing_maps = [#tdk, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %up : tensor<128x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %act = math.exp %h : tensor<128x16x4xf32>
  %ys = linalg.generic {indexing_maps = [#hidden, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%act, %down : tensor<128x16x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %y = linalg.generic {indexing_maps = [#te, #ted, #td], iterator_types = ["parallel", "parallel", "reduction"]} ins(%gates, %ys : tensor<128x16xf32>, tensor<128x16x4xf32>) outs(%yzero : tensor<128x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x4xf32>
  return %y : tensor<128x4xf32>
}

// -----

// Exponentials of minus infinity are zero.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     x16x4x
// CHECK-COUNT-2: te.expert_matmul {{.*}}, tensor<128xi32> -> tensor<128x4xf32>
#tdk = affine_map<(t, e, f, d) -> (t, d)>
#edf = affine_map<(t, e, f, d) -> (e, d, f)>
#tef = affine_map<(t, e, f, d) -> (t, e, f)>
#te = affine_map<(t, d, e) -> (t, e)>
#ted = affine_map<(t, d, e) -> (t, e, d)>
#td = affine_map<(t, d, e) -> (t, d)>
#hidden = affine_map<(t, e, f, d) -> (t, e, d)>
#tke = affine_map<(t, e, k) -> (t, k, e)>
#s = affine_map<(t, e, k) -> (t, e)>
func.func @forward(%x: tensor<128x4xf32> {te.input = "x"}, %given: tensor<128xi32> {te.input = "experts", test.range = [0.0, 64.0]}, %w: tensor<128x16xf32> {te.param = "w"}, %up: tensor<16x4x4xf32> {te.param = "up"}, %down: tensor<16x4x4xf32> {te.param = "down"}) -> (tensor<128x4xf32> {te.output = "y"}) {
  %last = arith.constant dense<15> : tensor<128xi32>
  %experts = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>
  %hzero = arith.constant dense<0.0> : tensor<128x16x4xf32>
  %yzero = arith.constant dense<0.0> : tensor<128x4xf32>
  %ei = tensor.empty() : tensor<128x16xi32>
  %ids = arith.andi %given, %last : tensor<128xi32>
  %own = linalg.broadcast ins(%ids : tensor<128xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [1]
  %every = linalg.broadcast ins(%experts : tensor<16xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [0]
  %is = arith.cmpi eq, %own, %every : tensor<128x16xi32>
  %mask = arith.uitofp %is : tensor<128x16xi1> to tensor<128x16xf32>
  %low = arith.constant dense<0xFF800000> : tensor<128x16xf32>
  %kept = arith.select %is, %w, %low : tensor<128x16xi1>, tensor<128x16xf32>
  %gates = math.exp %kept : tensor<128x16xf32>
  %h = linalg.generic {indexing_maps = [#tdk, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %up : tensor<128x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %act = math.exp %h : tensor<128x16x4xf32>
  %ys = linalg.generic {indexing_maps = [#hidden, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%act, %down : tensor<128x16x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %y = linalg.generic {indexing_maps = [#te, #ted, #td], iterator_types = ["parallel", "parallel", "reduction"]} ins(%gates, %ys : tensor<128x16xf32>, tensor<128x16x4xf32>) outs(%yzero : tensor<128x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x4xf32>
  return %y : tensor<128x4xf32>
}

// -----

// Those of other numbers are not.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
#tdk = affine_map<(t, e, f, d) -> (t, d)>
#edf = affine_map<(t, e, f, d) -> (e, d, f)>
#tef = affine_map<(t, e, f, d) -> (t, e, f)>
#te = affine_map<(t, d, e) -> (t, e)>
#ted = affine_map<(t, d, e) -> (t, e, d)>
#td = affine_map<(t, d, e) -> (t, d)>
#hidden = affine_map<(t, e, f, d) -> (t, e, d)>
#tke = affine_map<(t, e, k) -> (t, k, e)>
#s = affine_map<(t, e, k) -> (t, e)>
func.func @forward(%x: tensor<128x4xf32> {te.input = "x"}, %given: tensor<128xi32> {te.input = "experts", test.range = [0.0, 64.0]}, %w: tensor<128x16xf32> {te.param = "w"}, %up: tensor<16x4x4xf32> {te.param = "up"}, %down: tensor<16x4x4xf32> {te.param = "down"}) -> (tensor<128x4xf32> {te.output = "y"}) {
  %last = arith.constant dense<15> : tensor<128xi32>
  %experts = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>
  %hzero = arith.constant dense<0.0> : tensor<128x16x4xf32>
  %yzero = arith.constant dense<0.0> : tensor<128x4xf32>
  %ei = tensor.empty() : tensor<128x16xi32>
  %ids = arith.andi %given, %last : tensor<128xi32>
  %own = linalg.broadcast ins(%ids : tensor<128xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [1]
  %every = linalg.broadcast ins(%experts : tensor<16xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [0]
  %is = arith.cmpi eq, %own, %every : tensor<128x16xi32>
  %mask = arith.uitofp %is : tensor<128x16xi1> to tensor<128x16xf32>
  %low = arith.constant dense<-10.0> : tensor<128x16xf32>
  %kept = arith.select %is, %w, %low : tensor<128x16xi1>, tensor<128x16xf32>
  %gates = math.exp %kept : tensor<128x16xf32>
  %h = linalg.generic {indexing_maps = [#tdk, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %up : tensor<128x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %act = math.exp %h : tensor<128x16x4xf32>
  %ys = linalg.generic {indexing_maps = [#hidden, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%act, %down : tensor<128x16x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %y = linalg.generic {indexing_maps = [#te, #ted, #td], iterator_types = ["parallel", "parallel", "reduction"]} ins(%gates, %ys : tensor<128x16xf32>, tensor<128x16x4xf32>) outs(%yzero : tensor<128x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x4xf32>
  return %y : tensor<128x4xf32>
}

// -----

// Choices of a row that may be the same.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
#tdk = affine_map<(t, e, f, d) -> (t, d)>
#edf = affine_map<(t, e, f, d) -> (e, d, f)>
#tef = affine_map<(t, e, f, d) -> (t, e, f)>
#te = affine_map<(t, d, e) -> (t, e)>
#ted = affine_map<(t, d, e) -> (t, e, d)>
#td = affine_map<(t, d, e) -> (t, d)>
#hidden = affine_map<(t, e, f, d) -> (t, e, d)>
#tke = affine_map<(t, e, k) -> (t, k, e)>
#s = affine_map<(t, e, k) -> (t, e)>
func.func @forward(%x: tensor<128x4xf32> {te.input = "x"}, %given: tensor<128x2xi32> {te.input = "experts", test.range = [0.0, 64.0]}, %w: tensor<128x16xf32> {te.param = "w"}, %up: tensor<16x4x4xf32> {te.param = "up"}, %down: tensor<16x4x4xf32> {te.param = "down"}) -> (tensor<128x4xf32> {te.output = "y"}) {
  %last = arith.constant dense<31> : tensor<128x2xi32>
  %experts = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>
  %hzero = arith.constant dense<0.0> : tensor<128x16x4xf32>
  %yzero = arith.constant dense<0.0> : tensor<128x4xf32>
  %ei = tensor.empty() : tensor<128x2x16xi32>
  %ids = arith.andi %given, %last : tensor<128x2xi32>
  %own = linalg.broadcast ins(%ids : tensor<128x2xi32>) outs(%ei : tensor<128x2x16xi32>) dimensions = [2]
  %every = linalg.broadcast ins(%experts : tensor<16xi32>) outs(%ei : tensor<128x2x16xi32>) dimensions = [0, 1]
  %is = arith.cmpi eq, %own, %every : tensor<128x2x16xi32>
  %mask = arith.uitofp %is : tensor<128x2x16xi1> to tensor<128x2x16xf32>
  %wzero = arith.constant dense<0.0> : tensor<128x16xf32>
  %sum = linalg.generic {indexing_maps = [#tke, #s], iterator_types = ["parallel", "parallel", "reduction"]} ins(%mask : tensor<128x2x16xf32>) outs(%wzero : tensor<128x16xf32>) {
  ^bb0(%in: f32, %o: f32):
    %a = arith.addf %o, %in : f32
    linalg.yield %a : f32
  } -> tensor<128x16xf32>
  %gates = arith.mulf %w, %sum : tensor<128x16xf32>
  %h = linalg.generic {indexing_maps = [#tdk, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %up : tensor<128x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %act = math.exp %h : tensor<128x16x4xf32>
  %ys = linalg.generic {indexing_maps = [#hidden, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%act, %down : tensor<128x16x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %y = linalg.generic {indexing_maps = [#te, #ted, #td], iterator_types = ["parallel", "parallel", "reduction"]} ins(%gates, %ys : tensor<128x16xf32>, tensor<128x16x4xf32>) outs(%yzero : tensor<128x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x4xf32>
  return %y : tensor<128x4xf32>
}

// -----

// Gates that are not zero for the others.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
#tdk = affine_map<(t, e, f, d) -> (t, d)>
#edf = affine_map<(t, e, f, d) -> (e, d, f)>
#tef = affine_map<(t, e, f, d) -> (t, e, f)>
#te = affine_map<(t, d, e) -> (t, e)>
#ted = affine_map<(t, d, e) -> (t, e, d)>
#td = affine_map<(t, d, e) -> (t, d)>
#hidden = affine_map<(t, e, f, d) -> (t, e, d)>
#tke = affine_map<(t, e, k) -> (t, k, e)>
#s = affine_map<(t, e, k) -> (t, e)>
func.func @forward(%x: tensor<128x4xf32> {te.input = "x"}, %given: tensor<128xi32> {te.input = "experts", test.range = [0.0, 64.0]}, %w: tensor<128x16xf32> {te.param = "w"}, %up: tensor<16x4x4xf32> {te.param = "up"}, %down: tensor<16x4x4xf32> {te.param = "down"}) -> (tensor<128x4xf32> {te.output = "y"}) {
  %last = arith.constant dense<31> : tensor<128xi32>
  %experts = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>
  %hzero = arith.constant dense<0.0> : tensor<128x16x4xf32>
  %yzero = arith.constant dense<0.0> : tensor<128x4xf32>
  %ei = tensor.empty() : tensor<128x16xi32>
  %ids = arith.andi %given, %last : tensor<128xi32>
  %own = linalg.broadcast ins(%ids : tensor<128xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [1]
  %every = linalg.broadcast ins(%experts : tensor<16xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [0]
  %is = arith.cmpi eq, %own, %every : tensor<128x16xi32>
  %mask = arith.uitofp %is : tensor<128x16xi1> to tensor<128x16xf32>
  %gates = arith.addf %w, %mask : tensor<128x16xf32>
  %h = linalg.generic {indexing_maps = [#tdk, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %up : tensor<128x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %act = math.exp %h : tensor<128x16x4xf32>
  %ys = linalg.generic {indexing_maps = [#hidden, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%act, %down : tensor<128x16x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %y = linalg.generic {indexing_maps = [#te, #ted, #td], iterator_types = ["parallel", "parallel", "reduction"]} ins(%gates, %ys : tensor<128x16xf32>, tensor<128x16x4xf32>) outs(%yzero : tensor<128x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x4xf32>
  return %y : tensor<128x4xf32>
}

// -----

// Nor these, where they are positive.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
#tdk = affine_map<(t, e, f, d) -> (t, d)>
#edf = affine_map<(t, e, f, d) -> (e, d, f)>
#tef = affine_map<(t, e, f, d) -> (t, e, f)>
#te = affine_map<(t, d, e) -> (t, e)>
#ted = affine_map<(t, d, e) -> (t, e, d)>
#td = affine_map<(t, d, e) -> (t, d)>
#hidden = affine_map<(t, e, f, d) -> (t, e, d)>
#tke = affine_map<(t, e, k) -> (t, k, e)>
#s = affine_map<(t, e, k) -> (t, e)>
func.func @forward(%x: tensor<128x4xf32> {te.input = "x"}, %given: tensor<128xi32> {te.input = "experts", test.range = [0.0, 64.0]}, %w: tensor<128x16xf32> {te.param = "w"}, %up: tensor<16x4x4xf32> {te.param = "up"}, %down: tensor<16x4x4xf32> {te.param = "down"}) -> (tensor<128x4xf32> {te.output = "y"}) {
  %last = arith.constant dense<31> : tensor<128xi32>
  %experts = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>
  %hzero = arith.constant dense<0.0> : tensor<128x16x4xf32>
  %yzero = arith.constant dense<0.0> : tensor<128x4xf32>
  %ei = tensor.empty() : tensor<128x16xi32>
  %ids = arith.andi %given, %last : tensor<128xi32>
  %own = linalg.broadcast ins(%ids : tensor<128xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [1]
  %every = linalg.broadcast ins(%experts : tensor<16xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [0]
  %is = arith.cmpi eq, %own, %every : tensor<128x16xi32>
  %mask = arith.uitofp %is : tensor<128x16xi1> to tensor<128x16xf32>
  %gates = arith.maximumf %w, %mask : tensor<128x16xf32>
  %h = linalg.generic {indexing_maps = [#tdk, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %up : tensor<128x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %act = math.exp %h : tensor<128x16x4xf32>
  %ys = linalg.generic {indexing_maps = [#hidden, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%act, %down : tensor<128x16x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %y = linalg.generic {indexing_maps = [#te, #ted, #td], iterator_types = ["parallel", "parallel", "reduction"]} ins(%gates, %ys : tensor<128x16xf32>, tensor<128x16x4xf32>) outs(%yzero : tensor<128x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x4xf32>
  return %y : tensor<128x4xf32>
}

// -----

// Results of experts that something else reads.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
#tdk = affine_map<(t, e, f, d) -> (t, d)>
#edf = affine_map<(t, e, f, d) -> (e, d, f)>
#tef = affine_map<(t, e, f, d) -> (t, e, f)>
#te = affine_map<(t, d, e) -> (t, e)>
#ted = affine_map<(t, d, e) -> (t, e, d)>
#td = affine_map<(t, d, e) -> (t, d)>
#hidden = affine_map<(t, e, f, d) -> (t, e, d)>
#tke = affine_map<(t, e, k) -> (t, k, e)>
#s = affine_map<(t, e, k) -> (t, e)>
func.func @forward(%x: tensor<128x4xf32> {te.input = "x"}, %given: tensor<128xi32> {te.input = "experts", test.range = [0.0, 64.0]}, %w: tensor<128x16xf32> {te.param = "w"}, %up: tensor<16x4x4xf32> {te.param = "up"}, %down: tensor<16x4x4xf32> {te.param = "down"}) -> (tensor<128x4xf32> {te.output = "y"}) {
  %last = arith.constant dense<31> : tensor<128xi32>
  %experts = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>
  %hzero = arith.constant dense<0.0> : tensor<128x16x4xf32>
  %yzero = arith.constant dense<0.0> : tensor<128x4xf32>
  %ei = tensor.empty() : tensor<128x16xi32>
  %ids = arith.andi %given, %last : tensor<128xi32>
  %own = linalg.broadcast ins(%ids : tensor<128xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [1]
  %every = linalg.broadcast ins(%experts : tensor<16xi32>) outs(%ei : tensor<128x16xi32>) dimensions = [0]
  %is = arith.cmpi eq, %own, %every : tensor<128x16xi32>
  %mask = arith.uitofp %is : tensor<128x16xi1> to tensor<128x16xf32>
  %gates = arith.mulf %w, %mask : tensor<128x16xf32>
  %h = linalg.generic {indexing_maps = [#tdk, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %up : tensor<128x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %act = math.exp %h : tensor<128x16x4xf32>
  %ys = linalg.generic {indexing_maps = [#hidden, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%act, %down : tensor<128x16x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<128x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x16x4xf32>
  %y = linalg.generic {indexing_maps = [#te, #ted, #td], iterator_types = ["parallel", "parallel", "reduction"]} ins(%gates, %ys : tensor<128x16xf32>, tensor<128x16x4xf32>) outs(%yzero : tensor<128x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<128x4xf32>
  %part = tensor.extract_slice %ys[0, 0, 0] [128, 1, 4] [1, 1, 1] : tensor<128x16x4xf32> to tensor<128x1x4xf32>
  %flat = tensor.collapse_shape %part [[0, 1], [2]] : tensor<128x1x4xf32> into tensor<128x4xf32>
  %z = arith.addf %y, %flat : tensor<128x4xf32>
  return %z : tensor<128x4xf32>
}

// -----

// Few rows, of which blocks would have more.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
#tdk = affine_map<(t, e, f, d) -> (t, d)>
#edf = affine_map<(t, e, f, d) -> (e, d, f)>
#tef = affine_map<(t, e, f, d) -> (t, e, f)>
#te = affine_map<(t, d, e) -> (t, e)>
#ted = affine_map<(t, d, e) -> (t, e, d)>
#td = affine_map<(t, d, e) -> (t, d)>
#hidden = affine_map<(t, e, f, d) -> (t, e, d)>
#tke = affine_map<(t, e, k) -> (t, k, e)>
#s = affine_map<(t, e, k) -> (t, e)>
func.func @forward(%x: tensor<32x4xf32> {te.input = "x"}, %given: tensor<32xi32> {te.input = "experts", test.range = [0.0, 64.0]}, %w: tensor<32x16xf32> {te.param = "w"}, %up: tensor<16x4x4xf32> {te.param = "up"}, %down: tensor<16x4x4xf32> {te.param = "down"}) -> (tensor<32x4xf32> {te.output = "y"}) {
  %last = arith.constant dense<31> : tensor<32xi32>
  %experts = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xi32>
  %hzero = arith.constant dense<0.0> : tensor<32x16x4xf32>
  %yzero = arith.constant dense<0.0> : tensor<32x4xf32>
  %ei = tensor.empty() : tensor<32x16xi32>
  %ids = arith.andi %given, %last : tensor<32xi32>
  %own = linalg.broadcast ins(%ids : tensor<32xi32>) outs(%ei : tensor<32x16xi32>) dimensions = [1]
  %every = linalg.broadcast ins(%experts : tensor<16xi32>) outs(%ei : tensor<32x16xi32>) dimensions = [0]
  %is = arith.cmpi eq, %own, %every : tensor<32x16xi32>
  %mask = arith.uitofp %is : tensor<32x16xi1> to tensor<32x16xf32>
  %gates = arith.mulf %w, %mask : tensor<32x16xf32>
  %h = linalg.generic {indexing_maps = [#tdk, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %up : tensor<32x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<32x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<32x16x4xf32>
  %act = math.exp %h : tensor<32x16x4xf32>
  %ys = linalg.generic {indexing_maps = [#hidden, #edf, #tef], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%act, %down : tensor<32x16x4xf32>, tensor<16x4x4xf32>) outs(%hzero : tensor<32x16x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<32x16x4xf32>
  %y = linalg.generic {indexing_maps = [#te, #ted, #td], iterator_types = ["parallel", "parallel", "reduction"]} ins(%gates, %ys : tensor<32x16xf32>, tensor<32x16x4xf32>) outs(%yzero : tensor<32x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %a = arith.addf %o, %p : f32
    linalg.yield %a : f32
  } -> tensor<32x4xf32>
  return %y : tensor<32x4xf32>
}
