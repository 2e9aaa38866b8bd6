// RUN: te-opt %s --split-input-file --te-quantize=recipe=block_scaling --verify-diagnostics

func.func @scales(%x: tensor<32x16xf32>, %e: tensor<32xi32>, %w: tensor<96x16xf32> {te.param = "w"}) -> tensor<32x48xf32> {
  %z = te.region fp8 -> (tensor<32x48xf32>) {
    // expected-error@+1 {{is in an fp8 region but cannot become FP8: its FP8 form takes one scale a tensor, and the recipe block_scaling has several; choose a recipe with one, such as current_scaling}}
    %y = te.expert_matmul %x, %w experts(%e) {alignment = 16 : i64, layer = "up", transpose_b} : tensor<32x16xf32>, tensor<96x16xf32>, tensor<32xi32> -> tensor<32x48xf32>
    te.yield %y : tensor<32x48xf32>
  }
  return %z : tensor<32x48xf32>
}

// -----

func.func @order(%x: tensor<32x16xf32>, %e: tensor<32xi32>, %w: tensor<96x16xf32> {te.param = "w"}) -> tensor<32x48xf32> {
  %z = te.region fp8 -> (tensor<32x48xf32>) {
    // expected-error@+1 {{is in an fp8 region but cannot become FP8: its rows are not grouped by expert; run te-group-experts first}}
    %y = te.expert_matmul %x, %w experts(%e) {layer = "up", transpose_b} : tensor<32x16xf32>, tensor<96x16xf32>, tensor<32xi32> -> tensor<32x48xf32>
    te.yield %y : tensor<32x48xf32>
  }
  return %z : tensor<32x48xf32>
}

// -----

func.func @sizes(%x: tensor<32x16xf32>, %e: tensor<32xi32>, %w: tensor<90x16xf32> {te.param = "w"}) -> tensor<32x45xf32> {
  %z = te.region fp8 -> (tensor<32x45xf32>) {
    // expected-error@+1 {{is in an fp8 region but cannot become FP8: an expert's matrix has a size of 45, not a multiple of 16; choose features that are multiples of 16}}
    %y = te.expert_matmul %x, %w experts(%e) {alignment = 16 : i64, layer = "up", transpose_b} : tensor<32x16xf32>, tensor<90x16xf32>, tensor<32xi32> -> tensor<32x45xf32>
    te.yield %y : tensor<32x45xf32>
  }
  return %z : tensor<32x45xf32>
}
