// RUN: te-opt %s --te-update-parameters="optimizer=adamw<moments=bf16>" | FileCheck %s --check-prefix=BF16
// RUN: te-opt %s --te-update-parameters="optimizer=adamw<moments=fp8>" | FileCheck %s --check-prefix=FP8
// RUN: te-opt %s --te-update-parameters="optimizer=adamw<moments=f32>" | FileCheck %s --check-prefix=F32

// Averages of matrices with 4096 elements and more are narrow. In FP8 their rows
// have a scale for every 128 elements, and 128 of them at least.
// BF16-LABEL: func.func @train(
// BF16-SAME: %{{[^:]*}}: tensor<64x192xbf16> {te.init = 0.000000e+00 : bf16, te.kind = "optimizer", te.state = "adamw.exp_avg.w"}
// BF16-SAME: tensor<64x192xbf16> {te.init = 0.000000e+00 : bf16, te.kind = "optimizer", te.state = "adamw.exp_avg_sq.w"}
// BF16-NOT: exp_avg_scale
// BF16: te.update #te.adamw %{{.*}} states({{.*}} {decay} : tensor<64x192xf32>, tensor<64x192xf32> states(bf16, bf16){{ *$}}
// BF16: te.update #te.adamw %{{.*}} : tensor<128x64xf32>, tensor<128x64xf32> states(bf16, bf16){{ *$}}
// BF16: te.update #te.adamw %{{.*}} : tensor<16x192xf32>, tensor<16x192xf32>{{ *$}}
// BF16: te.update #te.adamw %{{.*}} : tensor<5000xf32>, tensor<5000xf32>{{ *$}}

// FP8-LABEL: func.func @train(
// FP8-SAME: %{{[^:]*}}: tensor<64x192xf8E4M3FN> {te.init = 0.000000e+00 : f8E4M3FN, te.kind = "optimizer", te.state = "adamw.exp_avg.w"}
// FP8-SAME: tensor<64x192xf8E5M2> {te.init = 0.000000e+00 : f8E5M2, te.kind = "optimizer", te.state = "adamw.exp_avg_sq.w"}
// FP8-SAME: tensor<64x2xf32> {te.init = 0.000000e+00 : f32, te.kind = "optimizer", te.state = "adamw.exp_avg_scale.w"}
// FP8-SAME: tensor<64x2xf32> {te.init = 0.000000e+00 : f32, te.kind = "optimizer", te.state = "adamw.exp_avg_sq_scale.w"}
// FP8: %[[W:.*]], %[[S:.*]]:2, %[[SCALES:.*]]:2 = te.update #te.adamw %{{.*}} states({{.*}}) state_scales({{.*}} {decay} : tensor<64x192xf32>, tensor<64x192xf32> states(f8E4M3FN, f8E5M2){{ *$}}
// FP8: te.update #te.adamw %{{.*}} : tensor<128x64xf32>, tensor<128x64xf32>{{ *$}}
// FP8: te.update #te.adamw %{{.*}} : tensor<16x192xf32>, tensor<16x192xf32>{{ *$}}
// FP8: te.update #te.adamw %{{.*}} : tensor<5000xf32>, tensor<5000xf32>{{ *$}}
// FP8: return %[[W]], {{.*}}%[[S]]#0, %[[S]]#1, %[[SCALES]]#0, %[[SCALES]]#1

// F32-NOT: bf16
// F32-NOT: f8E
func.func @train(%w: tensor<64x192xf32> {te.param = "w"}, %t: tensor<128x64xf32> {te.param = "t"},
                 %s: tensor<16x192xf32> {te.param = "s"}, %b: tensor<5000xf32> {te.param = "b"})
    -> (tensor<64x192xf32> {te.output = "grad.w", te.gradient = "w"}, tensor<128x64xf32> {te.output = "grad.t", te.gradient = "t"},
        tensor<16x192xf32> {te.output = "grad.s", te.gradient = "s"}, tensor<5000xf32> {te.output = "grad.b", te.gradient = "b"}) attributes {te.entry = "train"} {
  return %w, %t, %s, %b : tensor<64x192xf32>, tensor<128x64xf32>, tensor<16x192xf32>, tensor<5000xf32>
}
