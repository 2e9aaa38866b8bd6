// RUN: te-opt %s --te-merge-linears="precision=bf16 entries=forward" --split-input-file | FileCheck %s
// RUN: te-opt %s --te-merge-linears="precision=bf16 entries=forward" --split-input-file --remarks-filter=te-merge-linears -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: te-opt %s --te-merge-linears --split-input-file --remarks-filter=te-merge-linears -o /dev/null 2>&1 | FileCheck %s --check-prefix=TRAIN
// RUN: te-opt %s --te-merge-linears='recipe=#te.current_scaling' --split-input-file --remarks-filter=te-merge-linears -o /dev/null 2>&1 | FileCheck %s --check-prefix=CURRENT
// RUN: te-opt %s --te-merge-linears="precision=bf16 entries=grad boundary=bf16" --split-input-file --remarks-filter=te-merge-linears -o /dev/null 2>&1 | FileCheck %s --check-prefix=GRAD

// The two layers take 2 + 1 us, the joined one was measured at 9.
// REMARK: [Missed] Joined {{.*}}Function=slow{{.*}} Figures=measured{{.*}}JoinedMicroseconds=9.0{{.*}}Reason="as one product, 2 layers that read one input would take longer on the target"{{.*}}SeparateMicroseconds=3.0
// CHECK-LABEL: func.func @slow(
// CHECK-COUNT-2: te.matmul
// CHECK-NOT: te.split
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"64x48x32 bf16 * bf16^T -> bf16 + bias" = 9.0e-6,
             "64x32x32 bf16 * bf16^T -> bf16 + bias" = 2.0e-6,
             "64x16x32 bf16 * bf16^T -> bf16 + bias" = 1.0e-6}>} {
  func.func @slow(%x: tensor<64x32xf32>, %wq: tensor<32x32xf32>, %bq: tensor<32xf32>, %wk: tensor<16x32xf32>, %bk: tensor<16xf32>)
      -> (tensor<64x32xf32>, tensor<64x16xf32>) {
    %q = te.matmul %x, %wq bias(%bq : tensor<32xf32>) {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32>
    %k = te.matmul %x, %wk bias(%bk : tensor<16xf32>) {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
    return %q, %k : tensor<64x32xf32>, tensor<64x16xf32>
  }
}

// -----

// The same layers where it was measured at 2: the database decides.
// REMARK: [Passed] Joined {{.*}}Function=fast{{.*}} Figures=measured{{.*}}JoinedMicroseconds=2.0{{.*}}SeparateMicroseconds=3.0
// CHECK-LABEL: func.func @fast(
// CHECK: te.matmul {{.*}} -> tensor<64x48xf32>
// CHECK: te.split
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"64x48x32 bf16 * bf16^T -> bf16 + bias" = 2.0e-6,
             "64x32x32 bf16 * bf16^T -> bf16 + bias" = 2.0e-6,
             "64x16x32 bf16 * bf16^T -> bf16 + bias" = 1.0e-6}>} {
  func.func @fast(%x: tensor<64x32xf32>, %wq: tensor<32x32xf32>, %bq: tensor<32xf32>, %wk: tensor<16x32xf32>, %bk: tensor<16xf32>)
      -> (tensor<64x32xf32>, tensor<64x16xf32>) {
    %q = te.matmul %x, %wq bias(%bq : tensor<32xf32>) {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32>
    %k = te.matmul %x, %wk bias(%bk : tensor<16xf32>) {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
    return %q, %k : tensor<64x32xf32>, tensor<64x16xf32>
  }
}

// -----

// A step of training in FP8, bytes at 1 GB/s. Joined: three products of 10 us,
// the gradient's quantization (64 x 48 x (2 + 1 + 1) bytes), and that of the
// weight (48 x 32 x (4 + 1 + 1)). Separate: products of 4 and 3 us, the same
// quantization of gradients, copies of the weights by the optimizer
// (48 x 32 x (1 + 1)) and one sum (3 x 64 x 32 x 2). That is less, but not by
// so much that checkpoints had better have other scales.
// TRAIN: [Passed] Joined {{.*}}Function=close{{.*}} Figures="partly measured"{{.*}}JoinedMicroseconds=51.5{{.*}}Remark="2 layers that read one input are one product; separate they would gain too little"{{.*}}SeparateMicroseconds=48.6

// With scales that are made in the step, the optimizer quantizes nothing. Joined:
// the products, for the gradient an amax (64 x 48 x 2 + 4) and a scale (3 x 4)
// besides its quantization, and the weight put together (2 x 48 x 32 x 4), its
// amax (48 x 32 x 4 + 4), scale and quantization. Separate: the products, an
// amax and a scale more of each kind, no weight put together, and the sum.
// CURRENT: [Missed] Joined {{.*}}Function=close{{.*}}JoinedMicroseconds=76.1{{.*}}SeparateMicroseconds=67.1
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"64x48x32 f8E4M3 * f8E4M3^T -> bf16 + bias, fast" = 1.0e-5,
             "64x32x48 f8E5M2 * f8E4M3^T -> bf16, split" = 1.0e-5,
             "48x32x64 f8E5M2 * f8E4M3^T -> f32, split" = 1.0e-5,
             "64x32x32 f8E4M3 * f8E4M3^T -> bf16 + bias, fast" = 4.0e-6,
             "64x32x32 f8E5M2 * f8E4M3^T -> bf16, split" = 4.0e-6,
             "32x32x64 f8E5M2 * f8E4M3^T -> f32, split" = 4.0e-6,
             "64x16x32 f8E4M3 * f8E4M3^T -> bf16 + bias, fast" = 3.0e-6,
             "64x32x16 f8E5M2 * f8E4M3^T -> bf16, split" = 3.0e-6,
             "16x32x64 f8E5M2 * f8E4M3^T -> f32, split" = 3.0e-6}>} {
  func.func @close(%x: tensor<64x32xf32>, %wq: tensor<32x32xf32>, %bq: tensor<32xf32>, %wk: tensor<16x32xf32>, %bk: tensor<16xf32>)
      -> (tensor<64x32xf32>, tensor<64x16xf32>) {
    %q = te.matmul %x, %wq bias(%bq : tensor<32xf32>) {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32>
    %k = te.matmul %x, %wk bias(%bk : tensor<16xf32>) {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
    return %q, %k : tensor<64x32xf32>, tensor<64x16xf32>
  }
}

// -----

// Gradients in bf16, whose weights enter and leave in it too. Products take a
// microsecond each, three joined and six separate; the sum of the input's
// gradients moves 3 x 64 x 32 x 2 bytes.
// GRAD: [Passed] Joined {{.*}}Function=gradients{{.*}} Figures="partly measured"{{.*}}JoinedMicroseconds=3.0{{.*}}SeparateMicroseconds=18.3
module attributes {te.costs = #te.measured_costs<device = "toy", unaligned = 1.0,
    ceilings = {bytes = 1.0e9, f8 = 1.0e15, bf16 = 1.0e15, f32 = 1.0e15, multiprocessors = 1.0},
    kernels = {default = [0.0, 1.0]}, epilogues = {}, benchmarked = {},
    tuned = {"64x48x32 bf16 * bf16^T -> bf16" = 1.0e-6, "64x32x48 bf16 * bf16 -> bf16" = 1.0e-6, "48x32x64 bf16^T * bf16 -> bf16" = 1.0e-6,
             "64x32x32 bf16 * bf16^T -> bf16" = 1.0e-6, "64x32x32 bf16 * bf16 -> bf16" = 1.0e-6, "32x32x64 bf16^T * bf16 -> bf16" = 1.0e-6,
             "64x16x32 bf16 * bf16^T -> bf16" = 1.0e-6, "64x32x16 bf16 * bf16 -> bf16" = 1.0e-6, "16x32x64 bf16^T * bf16 -> bf16" = 1.0e-6}>} {
  func.func @gradients(%x: tensor<64x32xf32>, %wq: tensor<32x32xf32>, %wk: tensor<16x32xf32>) -> (tensor<64x32xf32>, tensor<64x16xf32>) {
    %q = te.matmul %x, %wq {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32>
    %k = te.matmul %x, %wk {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
    return %q, %k : tensor<64x32xf32>, tensor<64x16xf32>
  }
}

// -----

// Without a model: whatever can be joined, and no figures.
// REMARK: [Passed] Joined {{.*}}Function=unknown | Remark="2 layers that read one input are one product"{{$}}
// CHECK-LABEL: func.func @unknown(
// CHECK: te.split
func.func @unknown(%x: tensor<64x32xf32>, %w0: tensor<16x32xf32>, %w1: tensor<16x32xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>) {
  %0 = te.matmul %x, %w0 {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
  %1 = te.matmul %x, %w1 {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
  return %0, %1 : tensor<64x16xf32>, tensor<64x16xf32>
}
