// A model of ops from a dialect that the compiler does not know goes the whole way
// with a plugin that brings the dialect, and a pass for the ops that have no
// RuntimeOpInterface (test/lib/Foreign). Inputs/training.py made parameters, a batch, the loss and
// its gradients in float64.

// Gradients are those of float64.
// RUN: te-compile %s %foreign --graph-passes=foreign-lower --loss=cross-entropy --entry=grad --precision=f32 -o %t.f32.so
// RUN: te-run grad %t.f32.so --weights %S/Inputs/training.safetensors --inputs %S/Inputs/training.safetensors --outputs %t.f32.safetensors
// RUN: te-run compare %t.f32.safetensors %S/Inputs/training.safetensors --tolerance 1e-5
// RUN: te-compile %s %foreign --graph-passes=foreign-lower --loss=cross-entropy --entry=grad --precision=bf16 -o %t.bf16.so
// RUN: te-run grad %t.bf16.so --weights %S/Inputs/training.safetensors --inputs %S/Inputs/training.safetensors --outputs %t.bf16.safetensors
// RUN: te-run compare %t.bf16.safetensors %S/Inputs/training.safetensors --tolerance 0.05

// It learns a batch by heart in FP8.
// RUN: te-compile %s %foreign --graph-passes=foreign-lower --loss=cross-entropy --entry=train --precision=fp8 -o %t.fp8.so
// RUN: te-run train %t.fp8.so --data %S/Inputs/training.safetensors --steps 60 --lr 0.02 --metrics %t.metrics
// RUN: %python %S/Inputs/check_losses.py %t.metrics

// The foreign layers and their gradients run in FP8, each with slots of its own;
// what is pointwise is held in bf16.
// RUN: te-compile %s %foreign --loss=cross-entropy --emit=te -o - | FileCheck %s
// CHECK:       module attributes {{.*}}te.slots = ["first.input", "first.weight", "second.input", "second.weight"
// CHECK-LABEL: func.func @train(
// CHECK:         te.scaled_matmul {{.*}} : tensor<32x32xf8E4M3FN>, tensor<64x32xf8E4M3FN> -> tensor<32x64xbf16>
// CHECK:         foreign.scale {{.*}} : tensor<32x64xbf16> -> tensor<32x64xbf16>
// CHECK:         foreign.softsign {{.*}} : tensor<32x64xbf16> -> tensor<32x64xbf16>
// CHECK:         te.scaled_matmul {{.*}} : tensor<32x64xf8E4M3FN>, tensor<32x64xf8E4M3FN> -> tensor<32x32xbf16>
// CHECK:         foreign.softsign_grad {{.*}} : tensor<32x64xbf16>, tensor<32x64xbf16> -> tensor<32x64xbf16>

// The same passes by hand.
// RUN: te-opt %s %foreign --pass-pipeline='builtin.module(te-graph-pipeline{loss=cross-entropy},foreign-lower,te-runtime-pipeline)' | FileCheck %s --check-prefix=RUNTIME
// RUNTIME-LABEL: func.func @train(
// RUNTIME-NOT:     foreign.

// What nobody lowers is listed; without the plugin, all of it.
// RUN: not te-compile %s %foreign --loss=cross-entropy -o %t.so 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: error: no lowering to the runtime for some operations (foreign.softsign x1, foreign.softsign_grad x1)
// RUN: not te-compile %s --loss=cross-entropy -o %t.so 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: {{.*}}foreign

// A pass that there is not, and a library that is no plugin.
// RUN: not te-compile %s %foreign --graph-passes=foreign-raise -o %t.so 2>&1 | FileCheck %s --check-prefix=NOPASS
// NOPASS: te-compile: error: --graph-passes=foreign-raise: {{.*}}'foreign-raise' does not refer to a registered pass or pass pipeline
// RUN: not te-compile %s --load-dialect-plugin=%t.absent.so -o %t.so 2>&1 | FileCheck %s --check-prefix=NOPLUGIN
// NOPLUGIN: te-compile: error: --load-dialect-plugin: cannot load '{{.*}}.absent.so': {{.*}}

func.func @forward(%ids: tensor<4x8xi64> {te.input = "input_ids", te.range = array<i64: 0, 32>},
                   %table: tensor<32x32xf32> {te.param = "table", te.init = "normal:0,0.5"},
                   %w1: tensor<64x32xf32> {te.param = "w1", te.init = "normal:0,0.5"},
                   %w2: tensor<32x64xf32> {te.param = "w2", te.init = "normal:0,0.5"},
                   %head: tensor<32x32xf32> {te.param = "head", te.init = "normal:0,0.5"})
    -> (tensor<4x8x32xf32> {te.output = "logits"}) {
  %flat = tensor.collapse_shape %ids [[0, 1]] : tensor<4x8xi64> into tensor<32xi64>
  %x = te.embedding %flat, %table : tensor<32xi64>, tensor<32x32xf32> -> tensor<32x32xf32>
  %h = foreign.linear %x, %w1 {gain = 0.5 : f32} : tensor<32x32xf32>, tensor<64x32xf32> -> tensor<32x64xf32> loc("first")
  %a = foreign.softsign %h : tensor<32x64xf32> -> tensor<32x64xf32>
  %y = foreign.linear %a, %w2 {gain = 0.75 : f32} : tensor<32x64xf32>, tensor<32x64xf32> -> tensor<32x32xf32> loc("second")
  %s = te.add %x, %y : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  // The head stays in high precision, and has no gain to speak of.
  %z = foreign.linear %s, %head {gain = 1.0 : f32} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32> loc("head")
  %logits = tensor.expand_shape %z [[0, 1], [2]] output_shape [4, 8, 32] : tensor<32x32xf32> into tensor<4x8x32xf32>
  return %logits : tensor<4x8x32xf32>
}
