// A training step: weights are quantized where they are updated, their copies
// are state, and an init entry makes the first ones.
// RUN: te-opt %S/../Inputs/mlp_train.mlir --te-set-compute-type --te-partition --te-quantize='recipe=#te.delayed_scaling<history=16>' | FileCheck %s
// RUN: te-opt %S/../Inputs/mlp_train.mlir --te-set-compute-type --te-partition --te-quantize --te-validate-precision -o /dev/null
// RUN: te-opt %S/../Inputs/mlp_train.mlir --te-set-compute-type --te-partition=policy=lm_head=fp8 --te-quantize --te-validate-precision | FileCheck %s --check-prefix=HEAD
// RUN: te-opt %S/../Inputs/mlp_train.mlir --te-partition --te-quantize --te-validate-precision | FileCheck %s --check-prefix=F32

// RUN: te-opt %S/../Inputs/mlp_train.mlir --te-set-compute-type --te-partition --te-quantize='recipe=#te.current_scaling' --te-validate-precision | FileCheck %s --check-prefix=CURRENT

// CHECK: te.slots = ["fc1.input", "fc1.weight", "fc2.input", "fc2.weight", "fc2.grad_output", "fc1.grad_output"]
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[W1:[^:]*]]: tensor<256x128xf32> {te.init = "data", te.param = "fc1.weight"}
// CHECK-SAME: %[[W2:[^:]*]]: tensor<256x96xf32> {te.init = "data", te.param = "fc2.weight"}
// CHECK-SAME: %[[S:[^:]*]]: tensor<6xf32> {{{[^}]*}}te.state = "fp8.scales"}
// CHECK-SAME: %[[SI:[^:]*]]: tensor<6xf32> {{{[^}]*}}te.state = "fp8.scale_invs"}
// fc1 is read by fprop alone, and so has no columnwise copy.
// CHECK-SAME: %[[W1R:[^:]*]]: tensor<256x128xf8E4M3FN> {te.init = "derived", te.kind = "fp8_weight", te.state = "fp8.weight.fc1.weight.rowwise"}, %[[W1A:[^:]*]]: tensor<f32> {te.init = "derived", te.kind = "fp8_weight_amax", te.state = "fp8.weight_amax.fc1.weight"}
// CHECK-SAME: %[[W2R:[^:]*]]: tensor<256x96xf8E4M3FN> {{{[^}]*}}te.state = "fp8.weight.fc2.weight.rowwise"}, %[[W2C:[^:]*]]: tensor<96x256xf8E4M3FN> {{{[^}]*}}te.state = "fp8.weight.fc2.weight.columnwise"}, %[[W2A:[^:]*]]: tensor<f32> {{{[^}]*}}te.state = "fp8.weight_amax.fc2.weight"}
// CHECK-SAME: -> (
// CHECK-SAME: te.state = "fp8.weight_amax.fc1.weight"}
// CHECK-SAME: te.state = "fp8.weight_amax.fc2.weight"}
// The step reads the copies and never quantizes a weight before the optimizer.
// CHECK-NOT: te.quantize %[[W1]],
// CHECK: te.scaled_matmul %{{.*}}, %[[W1R]] scales(
// CHECK: te.scaled_matmul %{{.*}}, %[[W2C]] scales(
// CHECK: te.scaled_matmul %{{.*}}, %[[W2R]] scales({{.*}}) {layer = "fc2", role = #te.role<dgrad>}
// The amaxes of the copies that were read, in slot order.
// CHECK: %[[S9:.*]], %{{.*}}, %{{.*}}, %{{.*}} = te.update_scales {{.*}} amaxes(%[[X1A:[^,]*]], %[[W1A]], %[[X2A:[^,]*]], %[[W2A]], %[[D2A:[^,]*]], %[[D1A:[^)]*]])
// An infinity that a cast hides is seen before the update, in any of them.
// CHECK: %[[NORM:.*]] = te.global_norm
// CHECK: te.clip_coefficient %[[NORM]], %{{.*}} amaxes(%[[X1A]], %[[W1A]], %[[X2A]], %[[W2A]], %[[D2A]], %[[D1A]])
// CHECK: %[[NW1:.*]], %{{.*}}:2 = te.update #te.adamw %[[W1]] states(
// CHECK-NEXT: %[[NS1:.*]] = tensor.extract_slice %[[S9]][1] [1] [1]
// CHECK-NEXT: %[[NR1:.*]], %[[NA1:.*]] = te.quantize %[[NW1]], %[[NS1]] : tensor<256x128xf32> -> rowwise tensor<256x128xf8E4M3FN> amax tensor<f32>
// CHECK: %[[NW2:.*]], %{{.*}}:2 = te.update #te.adamw %[[W2]] states(
// CHECK-NEXT: %[[NS2:.*]] = tensor.extract_slice %[[S9]][3] [1] [1]
// CHECK-NEXT: %[[NR2:.*]], %[[NC2:.*]], %[[NA2:.*]] = te.quantize %[[NW2]], %[[NS2]]
// CHECK: return {{.*}}, %[[NR1]], %[[NA1]], %[[NR2]], %[[NC2]], %[[NA2]] :

// The evaluation reads the same copies; the master weights are not arguments.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT: te.param = "fc1.weight"
// CHECK-SAME: te.state = "fp8.weight.fc1.weight.rowwise"}
// CHECK-NOT: "fp8.weight.fc2.weight.rowwise"
// CHECK-SAME: te.state = "fp8.weight.fc2.weight.columnwise"}
// CHECK-SAME: -> (tensor<64x509xf32> {te.output = "logits"})
// CHECK-NOT: te.update_scales

// CHECK-LABEL: func.func @init(
// CHECK-SAME: %[[P1:[^:]*]]: tensor<256x128xf32> {te.init = "data", te.param = "fc1.weight"}, %[[P2:[^:]*]]: tensor<256x96xf32> {te.init = "data", te.param = "fc2.weight"}
// CHECK-SAME: %[[IS:[^:]*]]: tensor<6xf32> {{{[^}]*}}"fp8.scales"}, %[[ISI:[^:]*]]: tensor<6xf32> {{{[^}]*}}"fp8.scale_invs"}
// CHECK-SAME: attributes {te.entry = "init"}
// CHECK: %[[A1:.*]] = te.amax %[[P1]]
// CHECK: %[[C1:.*]], %[[CI1:.*]] = te.compute_scale %[[A1]] {format = f8E4M3FN}
// CHECK: %[[R1:.*]] = te.quantize %[[P1]], %[[C1]] : tensor<256x128xf32> -> rowwise tensor<256x128xf8E4M3FN>
// CHECK: %[[IS1:.*]] = tensor.insert_slice %[[C1]] into %[[IS]][1] [1] [1]
// CHECK: %[[ISI1:.*]] = tensor.insert_slice %[[CI1]] into %[[ISI]][1] [1] [1]
// CHECK: %[[A2:.*]] = te.amax %[[P2]]
// CHECK: %[[C2:.*]], %[[CI2:.*]] = te.compute_scale %[[A2]]
// CHECK: %[[R2:.*]], %[[T2:.*]] = te.quantize %[[P2]], %[[C2]]
// CHECK: %[[IS2:.*]] = tensor.insert_slice %[[C2]] into %[[IS1]][3] [1] [1]
// CHECK: %[[ISI2:.*]] = tensor.insert_slice %[[CI2]] into %[[ISI1]][3] [1] [1]
// CHECK: return %[[IS2]], %[[ISI2]], %[[R1]], %[[A1]], %[[R2]], %[[T2]], %[[A2]]

// The head in FP8: 509 rows padded to 512 in the copies, which are state.
// HEAD: te.slots = ["fc1.input", "fc1.weight", "fc2.input", "fc2.weight", "lm_head.input", "lm_head.weight", "lm_head.grad_output", "fc2.grad_output", "fc1.grad_output"]
// HEAD-LABEL: func.func @train(
// HEAD-SAME: %[[WR:[^:]*]]: tensor<512x96xf8E4M3FN> {{{[^}]*}}"fp8.weight.lm_head.weight.rowwise"}, %[[WC:[^:]*]]: tensor<96x512xf8E4M3FN> {{{[^}]*}}"fp8.weight.lm_head.weight.columnwise"}
// HEAD: %[[P:.*]] = te.scaled_matmul %{{.*}}, %[[WR]] {{.*}} -> tensor<64x512xbf16>
// HEAD: %[[L:.*]] = tensor.extract_slice %[[P]][0, 0] [64, 509] [1, 1]
// HEAD: te.cross_entropy %[[L]]
// HEAD: te.quantize %{{.*}} : tensor<64x509xbf16> -> rowwise tensor<64x512xf8E5M2> columnwise tensor<512x64xf8E5M2>
// HEAD: te.scaled_matmul %{{.*}}, %[[WC]] {{.*}}dgrad
// HEAD: %[[G:.*]] = te.scaled_matmul {{.*}} tensor<512x64xf8E5M2>, tensor<96x64xf8E4M3FN> -> tensor<512x96xf32>
// HEAD: tensor.extract_slice %[[G]][0, 0] [509, 96] [1, 1]
// HEAD: te.quantize %{{.*}} : tensor<509x96xf32> -> rowwise tensor<512x96xf8E4M3FN> columnwise tensor<96x512xf8E4M3FN> amax tensor<f32>

// Without te-set-compute-type, FP8 matmuls hand out float32.
// F32-LABEL: func.func @train(
// F32: te.quantize %{{.*}} : tensor<64x128xf32> -> rowwise
// F32: te.scaled_matmul {{.*}} -> tensor<64x256xf32>

// Scales made in the step come from amaxes that are there; nothing is measured
// twice.
// CURRENT-LABEL: func.func @train(
// CURRENT: %[[A0:.*]] = te.amax
// CURRENT-NEXT: te.compute_scale %[[A0]]
// CURRENT-NOT: te.quantize {{.*}} amax tensor<f32>
// CURRENT: te.clip_coefficient %{{.*}}, %{{.*}} amaxes(%[[A0]], %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}})
