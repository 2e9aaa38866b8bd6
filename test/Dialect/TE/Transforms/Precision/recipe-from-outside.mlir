// A recipe that only te-test-opt knows goes the whole way: scales of 2^4 for
// every tensor, made in the step.

// RUN: te-test-opt %s --te-quantize='recipe=#test_recipe.constant_scaling<exponent=4>' --te-validate-precision | FileCheck %s
// RUN: te-test-opt %s --te-quantize='recipe=#test_recipe.constant_scaling<exponent=4>' --te-fuse --te-validate-precision | FileCheck %s --check-prefix=FUSED

// te-compile does not know the recipe, and need not when it is carried out: the
// attribute that names it is taken away, and the rest compiled and run. Inputs
// and result (Inputs/recipe_from_outside.py) are exact in E4M3 and f32.
// RUN: te-test-opt %s --te-quantize='recipe=#test_recipe.constant_scaling<exponent=4>' | sed 's/te.recipe = #test_recipe[^>]*>, //' >%t.mlir
// RUN: te-compile %t.mlir --entry forward --precision f32 -o %t.so
// RUN: te-run forward %t.so --weights %S/Inputs/recipe_from_outside.safetensors --inputs %S/Inputs/recipe_from_outside.safetensors --outputs %t.safetensors
// RUN: te-run compare %t.safetensors %S/Inputs/recipe_from_outside.safetensors --tolerance 0

// CHECK: module attributes {te.recipe = #test_recipe.constant_scaling<exponent = 4>, te.slot_formats = [f8E4M3FN, f8E4M3FN], te.slots = ["fc.input", "fc.weight"]}
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:[^:]*]]: tensor<16x32xf32> {te.input = "x"}, %[[W:[^:]*]]: tensor<48x32xf32> {te.init = "normal:0,1", te.param = "w"}) -> (tensor<16x48xf32> {te.output = "y"})
// CHECK-NEXT: %[[A:.*]] = te.activation relu %[[X]]
// CHECK-NEXT: %[[SA:.*]] = arith.constant dense<1.600000e+01> : tensor<f32>
// CHECK-NEXT: %[[QA:.*]] = te.quantize %[[A]], %[[SA]] : tensor<16x32xf32> -> rowwise tensor<16x32xf8E4M3FN>
// CHECK-NEXT: %[[IA:.*]] = arith.constant dense<6.250000e-02> : tensor<f32>
// CHECK-NEXT: %[[SW:.*]] = arith.constant dense<1.600000e+01> : tensor<f32>
// CHECK-NEXT: %[[QW:.*]] = te.quantize %[[W]], %[[SW]] : tensor<48x32xf32> -> rowwise tensor<48x32xf8E4M3FN>
// CHECK-NEXT: %[[IW:.*]] = arith.constant dense<6.250000e-02> : tensor<f32>
// CHECK-NEXT: te.scaled_matmul %[[QA]], %[[QW]] scales(%[[IA]], %[[IW]])

// A scale that does not depend on the tensor can be used where it is made.
// FUSED: te.activation relu %{{.*}} quantize(%{{.*}}) : tensor<16x32xf32> -> rowwise tensor<16x32xf8E4M3FN>

func.func @forward(%x: tensor<16x32xf32> {te.input = "x"}, %w: tensor<48x32xf32> {te.param = "w", te.init = "normal:0,1"})
    -> (tensor<16x48xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %a = te.activation relu %x : tensor<16x32xf32> -> y tensor<16x32xf32>
  %y = te.region fp8 -> (tensor<16x48xf32>) {
    %0 = te.matmul %a, %w {transpose_b} : tensor<16x32xf32>, tensor<48x32xf32> -> tensor<16x48xf32> loc("fc")
    te.yield %0 : tensor<16x48xf32>
  }
  return %y : tensor<16x48xf32>
}

// A recipe without amaxes measures them where an update has to be guarded.
// RUN: te-test-opt %S/../Inputs/mlp_train.mlir --te-set-compute-type --te-partition --te-quantize='recipe=#test_recipe.constant_scaling<exponent=4>' --te-validate-precision | FileCheck %s --check-prefix=TRAIN
// TRAIN-LABEL: func.func @train(
// TRAIN: %[[Q:.*]], %[[A0:.*]] = te.quantize %{{.*}} -> rowwise tensor<64x128xf8E4M3FN> {{.*}}amax tensor<f32>
// TRAIN: te.clip_coefficient %{{.*}}, %{{.*}} amaxes(%[[A0]],
// TRAIN-LABEL: func.func @forward(
// TRAIN-NOT: amax
