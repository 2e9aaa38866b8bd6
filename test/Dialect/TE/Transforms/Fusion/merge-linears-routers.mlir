// Routers, which te-partition keeps in high precision, are joined with routers
// alone; where everything has one precision, with whatever reads their input.
// RUN: te-opt %s --te-name-layers --te-merge-linears=separate-routers --remarks-filter=te-merge-linears 2>&1 | FileCheck %s
// RUN: te-opt %s --te-name-layers --te-merge-linears | FileCheck %s --check-prefix=ONE
// A rule about all of them decides.
// RUN: te-opt %s --te-name-layers --te-merge-linears='separate-routers policy=*=fp8' | FileCheck %s --check-prefix=ONE

// CHECK: remark: {{.*}}[Missed] Joined | {{.*}}Reason="3 layers read one input, but only some of them are routers, which are not FP8"
// CHECK-LABEL: func.func @forward
// CHECK-DAG: te.matmul {{.*}}layer = "router"{{.*}} -> tensor<64x16xf32>
// CHECK-DAG: te.matmul {{.*}}layer = "{gate,up}"{{.*}} -> tensor<64x64xf32>
// ONE: te.matmul {{.*}}layer = "{router,gate,up}"
// ONE-NOT: te.matmul
#this = affine_map<(i, j, k) -> (i, j)>
#other = affine_map<(i, j, k) -> (i, k)>
func.func @forward(%x: tensor<64x32xf32> {te.input = "x"}, %w: tensor<16x32xf32> {te.param = "w"}, %g: tensor<32x32xf32> {te.param = "g"}, %u: tensor<32x32xf32> {te.param = "u"})
    -> (tensor<64x16xi64> {te.output = "experts"}, tensor<64x32xf32> {te.output = "y"}) {
  %s = te.matmul %x, %w {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32> loc("router")
  %a = te.matmul %x, %g {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32> loc("gate")
  %b = te.matmul %x, %u {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32> loc("up")
  %zero = arith.constant dense<0> : tensor<64x16xi64>
  %experts = linalg.generic {indexing_maps = [#this, #other, #this], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s, %s : tensor<64x16xf32>, tensor<64x16xf32>) outs(%zero : tensor<64x16xi64>) {
  ^bb0(%one: f32, %two: f32, %out: i64):
    %larger = arith.cmpf ogt, %two, %one : f32
    %count = arith.extui %larger : i1 to i64
    %sum = arith.addi %out, %count : i64
    linalg.yield %sum : i64
  } -> tensor<64x16xi64>
  %y = arith.mulf %a, %b : tensor<64x32xf32>
  return %experts, %y : tensor<64x16xi64>, tensor<64x32xf32>
}
