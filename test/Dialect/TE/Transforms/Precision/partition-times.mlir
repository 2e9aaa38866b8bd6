// RUN: te-test-opt %s --te-partition --split-input-file --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s
// RUN: te-test-opt %s --te-partition=all --split-input-file --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: te-test-opt %s --te-partition='policy=*=fp8' --split-input-file --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=RULE

// A kernel takes a nanosecond for each byte that it moves, products what is said of them.
// Of a layer from 64 to 64 features over 32 rows: its input is 4096 bytes in bf16, its copy
// 2048; the weight 16384 or, in bf16, 8192, its copy 4096. A quantization also moves its
// scale and an amax, 8 bytes.

// In FP8 10 of the product, 6.152 of the input, 20.488 of the weight; in bf16 40, and
// 24.576 to round the weight.
// CHECK: remark: loc("pays"): [Passed] FP8 | {{.*}}Function=pays | FP8Microseconds=36.6, Figures="partly measured", HighMicroseconds=64.6,
// ALL: remark: loc("pays"): [Passed] FP8 | {{.*}} FP8Microseconds=36.6,
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"32x64x64 bf16 * bf16 -> bf16" = 4.0e-5, "32x64x64 f8E4M3 * f8E4M3^T -> bf16, fast" = 1.0e-5}>} {
  func.func @pays(%x: tensor<32x64xbf16>, %w: tensor<64x64xf32> {te.param = "w"}) -> tensor<32x64xbf16> {
    %wc = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xbf16>
    %y = te.matmul %x, %wc : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("pays")
    %z = te.activation relu %y : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %z : tensor<32x64xbf16>
  }
}

// -----

// With an FP8 product of 40: a rule about the layer overrules that, and so does `all`. Both
// tell the times.
// CHECK: remark: loc("slow"): [Missed] Slower | {{.*}}Function=slow | FP8Microseconds=66.6, Figures="partly measured", HighMicroseconds=64.6, Reason="its layer would take longer in FP8", Suggestion="add 'slow=fp8' to the policy"
// ALL: remark: loc("slow"): [Passed] FP8 | {{.*}} FP8Microseconds=66.6, {{.*}}HighMicroseconds=64.6
// RULE: remark: loc("slow"): [Passed] FP8 | {{.*}} FP8Microseconds=66.6, {{.*}}HighMicroseconds=64.6
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"32x64x64 bf16 * bf16 -> bf16" = 4.0e-5, "32x64x64 f8E4M3 * f8E4M3^T -> bf16, fast" = 4.0e-5}>} {
  func.func @slow(%x: tensor<32x64xbf16>, %w: tensor<64x64xf32> {te.param = "w"}) -> tensor<32x64xbf16> {
    %wc = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xbf16>
    %y = te.matmul %x, %wc : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("slow")
    %z = te.activation relu %y : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %z : tensor<32x64xbf16>
  }
}

// -----

// The quantization of an input that two layers read, 6.152, is paid once; either alone
// would not pay for it: with 12.296 of its weight and 14 of its product it takes 32.4.
// CHECK: remark: loc("shared1"): [Passed] FP8 | {{.*}} FP8Microseconds=26.3, {{.*}}HighMicroseconds=30.0
// CHECK: remark: loc("shared2"): [Passed] FP8 | {{.*}} FP8Microseconds=26.3, {{.*}}HighMicroseconds=30.0
// CHECK: remark: loc("alone"): [Missed] Slower | {{.*}} FP8Microseconds=32.4, {{.*}}HighMicroseconds=30.0
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"32x64x64 bf16 * bf16 -> bf16" = 3.0e-5, "32x64x64 f8E4M3 * f8E4M3^T -> bf16, fast" = 1.4e-5}>} {
  func.func @shared(%x: tensor<32x64xbf16>, %v: tensor<64x64xbf16> {te.param = "v"}, %w: tensor<64x64xbf16> {te.param = "w"}) -> (tensor<32x64xbf16>, tensor<32x64xbf16>) {
    %a = te.matmul %x, %v : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("shared1")
    %b = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("shared2")
    %c = te.activation relu %a : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    %d = te.activation relu %b : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %c, %d : tensor<32x64xbf16>, tensor<32x64xbf16>
  }
  func.func @alone(%x: tensor<32x64xbf16>, %v: tensor<64x64xbf16> {te.param = "u"}) -> tensor<32x64xbf16> {
    %y = te.matmul %x, %v : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("alone")
    %z = te.activation relu %y : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %z : tensor<32x64xbf16>
  }
}

// -----

// Each pays as long as the other pays for the input; together they do not: 2 x 28.3 + 6.2.
// CHECK: remark: loc("together1"): [Missed] Slower | {{.*}} FP8Microseconds=34.4, {{.*}}HighMicroseconds=30.0
// CHECK: remark: loc("together2"): [Missed] Slower | {{.*}} FP8Microseconds=34.4, {{.*}}HighMicroseconds=30.0
// ALL: remark: loc("together1"): [Passed] FP8 | {{.*}} FP8Microseconds=28.3,
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"32x64x64 bf16 * bf16 -> bf16" = 3.0e-5, "32x64x64 f8E4M3 * f8E4M3^T -> bf16, fast" = 1.6e-5}>} {
  func.func @together(%x: tensor<32x64xbf16>, %v: tensor<64x64xbf16> {te.param = "v"}, %w: tensor<64x64xbf16> {te.param = "w"}) -> (tensor<32x64xbf16>, tensor<32x64xbf16>) {
    %a = te.matmul %x, %v : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("together1")
    %b = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("together2")
    %c = te.activation relu %a : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    %d = te.activation relu %b : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %c, %d : tensor<32x64xbf16>, tensor<32x64xbf16>
  }
}

// -----

// A norm writes the copy in place of its result: 10 of the product and 12.296 of the weight,
// less 2.04.
// CHECK: remark: loc("fused"): [Passed] FP8 | {{.*}} FP8Microseconds=20.3, {{.*}}HighMicroseconds=21.0
// With another reader it writes both: 2.056 more than the result alone.
// CHECK: remark: loc("kept"): [Missed] Slower | {{.*}} FP8Microseconds=24.4, {{.*}}HighMicroseconds=21.0
// The FP8 product adds a residual itself, for which bf16 has a kernel that moves 12288 bytes:
// 10 + 6.152 + 12.296 against 21 + 12.288.
// CHECK: remark: loc("added"): [Passed] FP8 | {{.*}} FP8Microseconds=28.4, {{.*}}HighMicroseconds=33.3
// Of two products that are added, one adds: the later one.
// CHECK: remark: loc("first"): [Missed] Slower | {{.*}} FP8Microseconds=28.4, {{.*}}HighMicroseconds=21.0
// CHECK: remark: loc("second"): [Passed] FP8 | {{.*}} FP8Microseconds=28.4, {{.*}}HighMicroseconds=33.3
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"32x64x64 bf16 * bf16 -> bf16" = 2.1e-5, "32x64x64 f8E4M3 * f8E4M3^T -> bf16, fast" = 1.0e-5}>} {
  func.func @fused(%x: tensor<32x64xbf16>, %g: tensor<64xf32>, %w: tensor<64x64xbf16> {te.param = "w"}) -> tensor<32x64xbf16> {
    %n, %mean, %rstd = te.layer_norm %x, %g, %g {eps = 1.0e-5 : f32} : tensor<32x64xbf16>, tensor<64xf32>, tensor<64xf32> -> y tensor<32x64xbf16> stats tensor<32xf32>, tensor<32xf32>
    %y = te.matmul %n, %w : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("fused")
    %z = te.activation relu %y : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %z : tensor<32x64xbf16>
  }
  func.func @kept(%x: tensor<32x64xbf16>, %g: tensor<64xf32>, %w: tensor<64x64xbf16> {te.param = "v"}) -> (tensor<32x64xbf16>, tensor<32x64xbf16>) {
    %n, %mean, %rstd = te.layer_norm %x, %g, %g {eps = 1.0e-5 : f32} : tensor<32x64xbf16>, tensor<64xf32>, tensor<64xf32> -> y tensor<32x64xbf16> stats tensor<32xf32>, tensor<32xf32>
    %y = te.matmul %n, %w : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("kept")
    %z = te.activation relu %y : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    %r = te.activation relu %n : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %z, %r : tensor<32x64xbf16>, tensor<32x64xbf16>
  }
  func.func @added(%x: tensor<32x64xbf16>, %r: tensor<32x64xbf16>, %w: tensor<64x64xbf16> {te.param = "u"}) -> tensor<32x64xbf16> {
    %y = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("added")
    %s = te.add %r, %y : tensor<32x64xbf16>, tensor<32x64xbf16> -> tensor<32x64xbf16>
    %z = te.activation relu %s : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %z : tensor<32x64xbf16>
  }
  func.func @both(%x: tensor<32x64xbf16>, %r: tensor<32x64xbf16>, %v: tensor<64x64xbf16> {te.param = "s"}, %w: tensor<64x64xbf16> {te.param = "t"}) -> tensor<32x64xbf16> {
    %y = te.matmul %x, %v : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("first")
    %z = te.matmul %r, %w : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("second")
    %s = te.add %y, %z : tensor<32x64xbf16>, tensor<32x64xbf16> -> tensor<32x64xbf16>
    %a = te.activation relu %s : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %a : tensor<32x64xbf16>
  }
}

// -----

// The entry that trains decides, also for others: there wgrad takes 100 in FP8, 30 in bf16.
// It reads the columnwise copies of the input, 2048 bytes more, and of the output gradient.
// CHECK: remark: loc("trained"): [Missed] Slower | {{.*}}Function=train | FP8Microseconds=136.6, {{.*}}HighMicroseconds=60.0
// CHECK: remark: loc("trained"): [Missed] Slower | {{.*}}Function=train | Reason=
// CHECK: remark: loc("trained"): [Missed] Slower | {{.*}}Function=forward | Reason=
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"32x64x64 bf16 * bf16 -> bf16" = 3.0e-5, "32x64x64 f8E4M3 * f8E4M3^T -> bf16, fast" = 1.0e-5,
             "64x64x32 bf16^T * bf16 -> f32" = 3.0e-5, "64x64x32 f8E4M3 * f8E5M2^T -> f32, split" = 1.0e-4}>} {
  func.func @train(%x: tensor<32x64xbf16>, %w: tensor<64x64xbf16> {te.param = "w"}, %dy: tensor<32x64xbf16>) -> (tensor<32x64xbf16>, tensor<64x64xf32>) attributes {te.entry = "train"} {
    %y = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("trained")
    %z = te.activation relu %y : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    %dw = te.matmul %x, %dy {input_first, role = #te.role<wgrad>, transpose_a} : tensor<32x64xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32> loc("trained")
    return %z, %dw : tensor<32x64xbf16>, tensor<64x64xf32>
  }
  func.func @forward(%x: tensor<32x64xbf16>, %w: tensor<64x64xbf16> {te.param = "w"}) -> tensor<32x64xbf16> attributes {te.entry = "forward"} {
    %y = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("trained")
    %z = te.activation relu %y : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %z : tensor<32x64xbf16>
  }
}

// -----

// Once a step the scales are updated, 16.5 for two tensors: more than a layer gains
// that would take 51.6 instead of 64.6.
// CHECK: remark: loc("scales"): [Missed] Slower | {{.*}} FP8Microseconds=51.6, {{.*}}HighMicroseconds=64.6
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"32x64x64 bf16 * bf16 -> bf16" = 4.0e-5, "32x64x64 f8E4M3 * f8E4M3^T -> bf16, fast" = 2.5e-5}>} {
  func.func @train(%x: tensor<32x64xbf16>, %w: tensor<64x64xf32> {te.param = "w"}) -> tensor<32x64xbf16> attributes {te.entry = "train"} {
    %wc = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xbf16>
    %y = te.matmul %x, %wc : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("scales")
    %z = te.activation relu %y : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %z : tensor<32x64xbf16>
  }
}

// -----

// Without a model, and with one that does not know quantizations, layers are FP8.
// CHECK: remark: loc("unmeasured"): [Passed] FP8 | Category:te-partition | Function=unmeasured | flops=
// CHECK: remark: loc("unknown"): [Passed] FP8 | Category:te-partition | Function=unknown | flops=
// CHECK: remark: loc("known"): [Missed] Slower | {{.*}}Function=known | FP8Microseconds=36.0, Figures=measured, HighMicroseconds=30.0
module {
  func.func @unmeasured(%x: tensor<32x64xbf16>, %w: tensor<64x64xbf16> {te.param = "w"}) -> tensor<32x64xbf16> {
    %y = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("unmeasured")
    %z = te.activation relu %y : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %z : tensor<32x64xbf16>
  }
}

// -----

module attributes {te.costs = {matmul = 3.0e-5, scaled_matmul = 5.0e-5}} {
  func.func @unknown(%x: tensor<32x64xbf16>, %w: tensor<64x64xbf16> {te.param = "w"}) -> tensor<32x64xbf16> {
    %y = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("unknown")
    %z = te.activation relu %y : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %z : tensor<32x64xbf16>
  }
}

// -----

module attributes {te.costs = {matmul = 3.0e-5, quantize = 1.3e-5, scaled_matmul = 1.0e-5}} {
  func.func @known(%x: tensor<32x64xbf16>, %w: tensor<64x64xbf16> {te.param = "w"}) -> tensor<32x64xbf16> {
    %y = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16> loc("known")
    %z = te.activation relu %y : tensor<32x64xbf16> -> y tensor<32x64xbf16>
    return %z : tensor<32x64xbf16>
  }
}

// -----

// The products of a head are timed over the 64 classes that te-fuse-loss makes of 50, in
// each role: 40, 41 and 42, not 90, and 19.2 to round the weight.
// RULE: remark: loc("head"): [Passed] FP8 | {{.*}}Function=head | {{.*}}HighMicroseconds=142.2,
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"32x50x64 bf16 * bf16^T -> bf16" = 9.0e-5, "32x64x64 bf16 * bf16^T -> bf16" = 4.0e-5,
             "32x64x50 bf16 * bf16 -> bf16" = 9.0e-5, "32x64x64 bf16 * bf16 -> bf16" = 4.1e-5,
             "50x64x32 bf16^T * bf16 -> f32" = 9.0e-5, "64x64x32 bf16^T * bf16 -> f32" = 4.2e-5}>} {
  func.func @head(%x: tensor<32x64xbf16>, %w: tensor<50x64xf32> {te.param = "w"}, %t: tensor<32xi64>, %g: tensor<f32>) -> (tensor<f32>, tensor<32x64xbf16>, tensor<50x64xf32>) {
    %wc = arith.truncf %w : tensor<50x64xf32> to tensor<50x64xbf16>
    %y = te.matmul %x, %wc {transpose_b} : tensor<32x64xbf16>, tensor<50x64xbf16> -> tensor<32x50xbf16> loc("head")
    %loss, %lse, %count = te.cross_entropy %y, %t : tensor<32x50xbf16>, tensor<32xi64> -> tensor<32xf32>
    %dy = te.cross_entropy_grad %g, %y, %t, %lse, %count : tensor<32x50xbf16>, tensor<32xi64>, tensor<32xf32> -> tensor<32x50xbf16>
    %dx = te.matmul %dy, %wc {role = #te.role<dgrad>} : tensor<32x50xbf16>, tensor<50x64xbf16> -> tensor<32x64xbf16> loc("head")
    %dw = te.matmul %dy, %x {transpose_a, role = #te.role<wgrad>} : tensor<32x50xbf16>, tensor<32x64xbf16> -> tensor<50x64xf32> loc("head")
    return %loss, %dx, %dw : tensor<f32>, tensor<32x64xbf16>, tensor<50x64xf32>
  }
}

// -----

// te-fuse-loss does not pad logits that something else reads as well: 90, and 19.2 to round
// the weight.
// RULE: remark: loc("shared_logits"): [Passed] FP8 | {{.*}}HighMicroseconds=109.2,
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"32x50x64 bf16 * bf16^T -> bf16" = 9.0e-5, "32x64x64 bf16 * bf16^T -> bf16" = 4.0e-5}>} {
  func.func @shared_logits(%x: tensor<32x64xbf16>, %w: tensor<50x64xf32> {te.param = "w"}, %t: tensor<32xi64>) -> (tensor<f32>, tensor<32x50xbf16>) {
    %wc = arith.truncf %w : tensor<50x64xf32> to tensor<50x64xbf16>
    %y = te.matmul %x, %wc {transpose_b} : tensor<32x64xbf16>, tensor<50x64xbf16> -> tensor<32x50xbf16> loc("shared_logits")
    %loss, %lse, %count = te.cross_entropy %y, %t : tensor<32x50xbf16>, tensor<32xi64> -> tensor<32xf32>
    %z = te.activation relu %y : tensor<32x50xbf16> -> y tensor<32x50xbf16>
    return %loss, %z : tensor<f32>, tensor<32x50xbf16>
  }
}
