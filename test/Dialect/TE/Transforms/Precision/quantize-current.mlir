// RUN: te-opt %s --te-quantize='recipe=#te.current_scaling' | FileCheck %s
// RUN: te-opt %s --te-quantize='recipe=#te.current_scaling' --te-validate-precision -o /dev/null
// RUN: te-opt %s --te-quantize='recipe=#te.current_scaling<format=e4m3>' --te-validate-precision | FileCheck %s --check-prefix=E4M3
// RUN: te-opt %s --te-quantize='recipe=#te.current_scaling' --te-fuse --te-validate-precision | FileCheck %s --check-prefix=FUSED

// Each tensor has the scale of its own amax. There is no state: the weight is
// quantized where it is read, and no init entry is made for it.

// CHECK: module attributes {te.recipe = #te.current_scaling, te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2], te.slots = ["fc.input", "fc.weight", "fc.grad_output"]}
// E4M3: te.recipe = #te.current_scaling<format = e4m3>, te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN]
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: %[[X:.*]]: tensor<64x128xbf16> {te.input = "x"}, %[[DY:.*]]: tensor<64x256xbf16> {te.input = "cotangent.y"}, %[[W:.*]]: tensor<256x128xf32> {te.param = "fc.weight"})
// CHECK-SAME: -> (tensor<64x256xbf16> {te.output = "y"}, tensor<64x128xbf16> {te.output = "grad.x"}, tensor<256x128xf32> {te.output = "grad.fc.weight"})
// CHECK: %[[A:.*]] = te.activation gelu_tanh %[[X]]
// CHECK-NEXT: %[[AA:.*]] = te.amax %[[A]] : tensor<64x128xbf16>
// CHECK-NEXT: %[[AS:.*]], %[[ASI:.*]] = te.compute_scale %[[AA]] {format = f8E4M3FN}
// CHECK-NEXT: %[[AR:.*]], %[[AC:.*]] = te.quantize %[[A]], %[[AS]] : tensor<64x128xbf16> -> rowwise tensor<64x128xf8E4M3FN> columnwise tensor<128x64xf8E4M3FN>{{$}}
// CHECK: %[[WA:.*]] = te.amax %[[W]] : tensor<256x128xf32>
// CHECK-NEXT: %[[WS:.*]], %[[WSI:.*]] = te.compute_scale %[[WA]] {format = f8E4M3FN}
// CHECK-NEXT: %[[WR:.*]], %[[WC:.*]] = te.quantize %[[W]], %[[WS]] :
// CHECK: te.scaled_matmul %[[AR]], %[[WR]] scales(%[[ASI]], %[[WSI]])
// CHECK: %[[DA:.*]] = te.amax %[[DY]]
// CHECK-NEXT: %[[DS:.*]], %[[DSI:.*]] = te.compute_scale %[[DA]] {format = f8E5M2}
// CHECK-NEXT: %[[DR:.*]], %[[DC:.*]] = te.quantize %[[DY]], %[[DS]] :
// CHECK: te.scaled_matmul %[[DR]], %[[WC]] scales(%[[DSI]], %[[WSI]])
// CHECK: te.scaled_matmul %[[DC]], %[[AC]] scales(%[[DSI]], %[[ASI]])
// CHECK-NOT: te.update_scales
// CHECK-NOT: func.func @init

// The scale is known only after its tensor: the producer computes it twice.
// FUSED: %[[A:.*]] = te.activation gelu_tanh %{{.*}} : tensor<64x128xbf16> -> amax tensor<f32>
// FUSED-NEXT: %[[S:.*]], %{{.*}} = te.compute_scale %[[A]] {format = f8E4M3FN}
// FUSED-NEXT: te.activation gelu_tanh %{{.*}} quantize(%[[S]]) : tensor<64x128xbf16> -> rowwise tensor<64x128xf8E4M3FN> columnwise tensor<128x64xf8E4M3FN> amax tensor<f32>
func.func @vjp(%x: tensor<64x128xbf16> {te.input = "x"}, %dy: tensor<64x256xbf16> {te.input = "cotangent.y"},
               %w: tensor<256x128xf32> {te.param = "fc.weight"})
    -> (tensor<64x256xbf16> {te.output = "y"}, tensor<64x128xbf16> {te.output = "grad.x"}, tensor<256x128xf32> {te.output = "grad.fc.weight"})
    attributes {te.entry = "vjp"} {
  %a = te.activation gelu_tanh %x : tensor<64x128xbf16> -> y tensor<64x128xbf16>
  %wb = arith.truncf %w : tensor<256x128xf32> to tensor<256x128xbf16>
  %y, %dx, %dw = te.region fp8 -> (tensor<64x256xbf16>, tensor<64x128xbf16>, tensor<256x128xf32>) {
    %0 = te.matmul %a, %wb {transpose_b} : tensor<64x128xbf16>, tensor<256x128xbf16> -> tensor<64x256xbf16> loc("fc")
    %1 = te.matmul %dy, %wb {role = #te.role<dgrad>} : tensor<64x256xbf16>, tensor<256x128xbf16> -> tensor<64x128xbf16> loc("fc")
    %2 = te.matmul %dy, %a {role = #te.role<wgrad>, transpose_a} : tensor<64x256xbf16>, tensor<64x128xbf16> -> tensor<256x128xf32> loc("fc")
    te.yield %0, %1, %2 : tensor<64x256xbf16>, tensor<64x128xbf16>, tensor<256x128xf32>
  }
  return %y, %dx, %dw : tensor<64x256xbf16>, tensor<64x128xbf16>, tensor<256x128xf32>
}
