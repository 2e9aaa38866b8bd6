// Norms, activations and rotations in the spellings of JAX and of plain
// arithmetic.

// RUN: te-opt %s --te-raise --split-input-file | FileCheck %s

// Each is what it was, on random values, and its gradients are differences of it:
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-18: gradients within

// Layer norm as its definition has it: differences to the mean, their squares'
// mean, a quotient, gamma and beta.
// CHECK-LABEL: func @layer_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x32xf32>, %[[G:.*]]: tensor<32xf32>, %[[B:.*]]: tensor<32xf32>)
// CHECK-NEXT:  %[[M:.*]] = tensor.collapse_shape %[[X]]
// CHECK-NEXT:  %[[Y:.*]], %{{.*}}, %{{.*}} = te.layer_norm %[[M]], %[[G]], %[[B]] {eps = 9.99999974E-6 : f32}
// CHECK-NEXT:  %[[R:.*]] = tensor.expand_shape %[[Y]]
// CHECK-NEXT:  return %[[R]]
func.func @layer_norm(%x: tensor<2x4x32xf32>, %g: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<2x4x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x4xf32>
  %count = arith.constant dense<32.0> : tensor<2x4xf32>
  %eps = arith.constant dense<1.0e-5> : tensor<2x4xf32>
  %e = tensor.empty() : tensor<2x4x32xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<2x4x32xf32>) outs(%zeros : tensor<2x4xf32>) dimensions = [2]
  %mean = arith.divf %0, %count : tensor<2x4xf32>
  %1 = linalg.broadcast ins(%mean : tensor<2x4xf32>) outs(%e : tensor<2x4x32xf32>) dimensions = [2]
  %c = arith.subf %x, %1 : tensor<2x4x32xf32>
  %2 = arith.mulf %c, %c : tensor<2x4x32xf32>
  %3 = linalg.reduce { arith.addf } ins(%2 : tensor<2x4x32xf32>) outs(%zeros : tensor<2x4xf32>) dimensions = [2]
  %variance = arith.divf %3, %count : tensor<2x4xf32>
  %4 = arith.addf %variance, %eps : tensor<2x4xf32>
  %5 = math.sqrt %4 : tensor<2x4xf32>
  %6 = linalg.broadcast ins(%5 : tensor<2x4xf32>) outs(%e : tensor<2x4x32xf32>) dimensions = [2]
  %7 = arith.divf %c, %6 : tensor<2x4x32xf32>
  %8 = linalg.broadcast ins(%g : tensor<32xf32>) outs(%e : tensor<2x4x32xf32>) dimensions = [0, 1]
  %9 = arith.mulf %7, %8 : tensor<2x4x32xf32>
  %10 = linalg.broadcast ins(%b : tensor<32xf32>) outs(%e : tensor<2x4x32xf32>) dimensions = [0, 1]
  %11 = arith.addf %9, %10 : tensor<2x4x32xf32>
  return %11 : tensor<2x4x32xf32>
}

// -----

// As Flax writes it: E[x²] - mean², not below zero, and the reciprocal root
// times gamma first.
// CHECK-LABEL: func @flax_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<8x32xf32>, %[[G:.*]]: tensor<32xf32>, %[[B:.*]]: tensor<32xf32>)
// CHECK-NEXT:  %[[Y:.*]], %{{.*}}, %{{.*}} = te.layer_norm %[[X]], %[[G]], %[[B]] {eps = 9.99999997E-7 : f32}
// CHECK-NEXT:  return %[[Y]]
func.func @flax_norm(%x: tensor<8x32xf32>, %g: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<8x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %none = arith.constant dense<0.0> : tensor<8x1xf32>
  %count = arith.constant dense<32.0> : tensor<8xf32>
  %eps = arith.constant dense<9.99999997E-7> : tensor<8x1xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<8x32xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  %mean = arith.divf %0, %count : tensor<8xf32>
  %1 = arith.mulf %x, %x : tensor<8x32xf32>
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<8x32xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  %squares = arith.divf %2, %count : tensor<8xf32>
  %3 = arith.mulf %mean, %mean : tensor<8xf32>
  %4 = arith.subf %squares, %3 : tensor<8xf32>
  %5 = tensor.expand_shape %4 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
  %6 = arith.maximumf %none, %5 : tensor<8x1xf32>
  %7 = arith.addf %6, %eps : tensor<8x1xf32>
  %8 = math.rsqrt %7 : tensor<8x1xf32>
  %9 = tensor.collapse_shape %8 [[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
  %10 = linalg.broadcast ins(%9 : tensor<8xf32>) outs(%e : tensor<8x32xf32>) dimensions = [1]
  %11 = linalg.broadcast ins(%g : tensor<32xf32>) outs(%e : tensor<8x32xf32>) dimensions = [0]
  %12 = arith.mulf %10, %11 : tensor<8x32xf32>
  %13 = linalg.broadcast ins(%mean : tensor<8xf32>) outs(%e : tensor<8x32xf32>) dimensions = [1]
  %14 = arith.subf %x, %13 : tensor<8x32xf32>
  %15 = arith.mulf %14, %12 : tensor<8x32xf32>
  %16 = tensor.expand_shape %b [[0, 1]] output_shape [1, 32] : tensor<32xf32> into tensor<1x32xf32>
  %17 = te.add %15, %16 : tensor<8x32xf32>, tensor<1x32xf32> -> tensor<8x32xf32>
  return %17 : tensor<8x32xf32>
}

// -----

// The variance of 31 degrees of freedom is another one.
// CHECK-LABEL: func @unbiased(
// CHECK-NOT:   te.layer_norm
func.func @unbiased(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %count = arith.constant dense<32.0> : tensor<8xf32>
  %fewer = arith.constant dense<31.0> : tensor<8xf32>
  %eps = arith.constant dense<1.0e-5> : tensor<8xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<8x32xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  %mean = arith.divf %0, %count : tensor<8xf32>
  %1 = linalg.broadcast ins(%mean : tensor<8xf32>) outs(%e : tensor<8x32xf32>) dimensions = [1]
  %c = arith.subf %x, %1 : tensor<8x32xf32>
  %2 = arith.mulf %c, %c : tensor<8x32xf32>
  %3 = linalg.reduce { arith.addf } ins(%2 : tensor<8x32xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  %variance = arith.divf %3, %fewer : tensor<8xf32>
  %4 = arith.addf %variance, %eps : tensor<8xf32>
  %5 = math.rsqrt %4 : tensor<8xf32>
  %6 = linalg.broadcast ins(%5 : tensor<8xf32>) outs(%e : tensor<8x32xf32>) dimensions = [1]
  %7 = arith.mulf %c, %6 : tensor<8x32xf32>
  return %7 : tensor<8x32xf32>
}

// -----

// The mean of other rows is subtracted.
// CHECK-LABEL: func @other_mean(
// CHECK-NOT:   te.layer_norm
func.func @other_mean(%x: tensor<8x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %count = arith.constant dense<32.0> : tensor<8xf32>
  %eps = arith.constant dense<1.0e-5> : tensor<8xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %0 = linalg.reduce { arith.addf } ins(%y : tensor<8x32xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  %mean = arith.divf %0, %count : tensor<8xf32>
  %1 = linalg.broadcast ins(%mean : tensor<8xf32>) outs(%e : tensor<8x32xf32>) dimensions = [1]
  %c = arith.subf %x, %1 : tensor<8x32xf32>
  %2 = arith.mulf %c, %c : tensor<8x32xf32>
  %3 = linalg.reduce { arith.addf } ins(%2 : tensor<8x32xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  %variance = arith.divf %3, %count : tensor<8xf32>
  %4 = arith.addf %variance, %eps : tensor<8xf32>
  %5 = math.rsqrt %4 : tensor<8xf32>
  %6 = linalg.broadcast ins(%5 : tensor<8xf32>) outs(%e : tensor<8x32xf32>) dimensions = [1]
  %7 = arith.mulf %c, %6 : tensor<8x32xf32>
  return %7 : tensor<8x32xf32>
}

// -----

// 1 / (1 + exp(-x)), and x times that, of three dimensions.
// CHECK-LABEL: func @sigmoid(
// CHECK:       te.activation sigmoid
// CHECK-NOT:   arith.divf
func.func @sigmoid(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %0 = arith.negf %x : tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  %2 = arith.addf %one, %1 : tensor<4x8xf32>
  %3 = arith.divf %one, %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @silu_of_sigmoid(
// CHECK-NEXT:  tensor.collapse_shape
// CHECK-NEXT:  te.activation silu
// CHECK-NEXT:  tensor.expand_shape
// CHECK-NEXT:  return
func.func @silu_of_sigmoid(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %one = arith.constant dense<1.0> : tensor<2x4x8xf32>
  %0 = arith.negf %x : tensor<2x4x8xf32>
  %1 = math.exp %0 : tensor<2x4x8xf32>
  %2 = arith.addf %1, %one : tensor<2x4x8xf32>
  %3 = arith.divf %one, %2 : tensor<2x4x8xf32>
  %4 = arith.mulf %x, %3 : tensor<2x4x8xf32>
  return %4 : tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func @silu_quotient(
// CHECK-NEXT:  te.activation silu
// CHECK-NEXT:  return
func.func @silu_quotient(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %minus = arith.constant dense<-1.0> : tensor<4x8xf32>
  %0 = arith.mulf %x, %minus : tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  %2 = arith.addf %one, %1 : tensor<4x8xf32>
  %3 = arith.divf %x, %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// By 2 + exp(-x), or of another value, it is neither.
// CHECK-LABEL: func @not_silu(
// CHECK-NOT:   te.activation
func.func @not_silu(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %two = arith.constant dense<2.0> : tensor<4x8xf32>
  %0 = arith.negf %x : tensor<4x8xf32>
  %1 = math.exp %0 : tensor<4x8xf32>
  %2 = arith.addf %two, %1 : tensor<4x8xf32>
  %3 = arith.divf %x, %2 : tensor<4x8xf32>
  %4 = arith.addf %one, %1 : tensor<4x8xf32>
  %5 = arith.divf %y, %4 : tensor<4x8xf32>
  return %3, %5 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @squared_relu(
// CHECK-NEXT:  tensor.collapse_shape
// CHECK-NEXT:  te.activation squared_relu
// CHECK-NEXT:  tensor.expand_shape
// CHECK-NEXT:  return
func.func @squared_relu(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x4x8xf32>
  %0 = arith.maximumf %x, %zero : tensor<2x4x8xf32>
  %1 = arith.mulf %0, %0 : tensor<2x4x8xf32>
  return %1 : tensor<2x4x8xf32>
}

// -----

// Halves turned one by one, as JAX models write rotary embedding.
// CHECK-LABEL: func @rope_halves(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x2x4xf32>)
// CHECK-DAG:   %[[COS:.*]] = arith.constant dense<{{.*}}> : tensor<3x2xf32>
// CHECK:       %[[Y:.*]] = te.rope %[[X]], %{{.*}}, %{{.*}} : tensor<2x3x2x4xf32>
// CHECK-NEXT:  return %[[Y]]
func.func @rope_halves(%x: tensor<2x3x2x4xf32>) -> tensor<2x3x2x4xf32> {
  %cos = arith.constant dense<[[1.0, 1.0], [0.6, 0.8], [0.28, 0.96]]> : tensor<3x2xf32>
  %sin = arith.constant dense<[[0.0, 0.0], [0.8, 0.6], [0.96, 0.28]]> : tensor<3x2xf32>
  %e = tensor.empty() : tensor<2x3x2x2xf32>
  %c = linalg.broadcast ins(%cos : tensor<3x2xf32>) outs(%e : tensor<2x3x2x2xf32>) dimensions = [0, 2]
  %s = linalg.broadcast ins(%sin : tensor<3x2xf32>) outs(%e : tensor<2x3x2x2xf32>) dimensions = [0, 2]
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 2, 2] [1, 1, 1, 1] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [2, 3, 2, 2] [1, 1, 1, 1] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %0 = arith.mulf %a, %c : tensor<2x3x2x2xf32>
  %1 = arith.mulf %b, %s : tensor<2x3x2x2xf32>
  %2 = arith.subf %0, %1 : tensor<2x3x2x2xf32>
  %3 = arith.mulf %b, %c : tensor<2x3x2x2xf32>
  %4 = arith.mulf %s, %a : tensor<2x3x2x2xf32>
  %5 = arith.addf %3, %4 : tensor<2x3x2x2xf32>
  %y = tensor.concat dim(3) %2, %5 : (tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>) -> tensor<2x3x2x4xf32>
  return %y : tensor<2x3x2x4xf32>
}

// -----

// Even and odd elements, joined again.
// CHECK-LABEL: func @rope_interleaved(
// CHECK:       te.rope %{{.*}} {interleaved} :
// CHECK-NOT:   tensor.concat
func.func @rope_interleaved(%x: tensor<2x3x2x4xf32>) -> tensor<2x3x2x4xf32> {
  %cos = arith.constant dense<[[1.0, 1.0], [0.6, 0.8], [0.28, 0.96]]> : tensor<3x2xf32>
  %sin = arith.constant dense<[[0.0, 0.0], [0.8, 0.6], [0.96, 0.28]]> : tensor<3x2xf32>
  %e = tensor.empty() : tensor<2x3x2x2xf32>
  %c = linalg.broadcast ins(%cos : tensor<3x2xf32>) outs(%e : tensor<2x3x2x2xf32>) dimensions = [0, 2]
  %s = linalg.broadcast ins(%sin : tensor<3x2xf32>) outs(%e : tensor<2x3x2x2xf32>) dimensions = [0, 2]
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 2, 2] [1, 1, 1, 2] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 1] [2, 3, 2, 2] [1, 1, 1, 2] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %0 = arith.mulf %a, %c : tensor<2x3x2x2xf32>
  %1 = arith.mulf %b, %s : tensor<2x3x2x2xf32>
  %2 = arith.subf %0, %1 : tensor<2x3x2x2xf32>
  %3 = arith.mulf %b, %c : tensor<2x3x2x2xf32>
  %4 = arith.mulf %s, %a : tensor<2x3x2x2xf32>
  %5 = arith.addf %4, %3 : tensor<2x3x2x2xf32>
  %6 = tensor.expand_shape %2 [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 2, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x1xf32>
  %7 = tensor.expand_shape %5 [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 2, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x1xf32>
  %8 = tensor.concat dim(4) %6, %7 : (tensor<2x3x2x2x1xf32>, tensor<2x3x2x2x1xf32>) -> tensor<2x3x2x2x2xf32>
  %y = tensor.collapse_shape %8 [[0], [1], [2], [3, 4]] : tensor<2x3x2x2x2xf32> into tensor<2x3x2x4xf32>
  return %y : tensor<2x3x2x4xf32>
}

// -----

// The inverse rotation is not this one, and neither is one whose second half
// reads another table.
// CHECK-LABEL: func @turned_back(
// CHECK-NOT:   te.rope
func.func @turned_back(%x: tensor<2x3x2x4xf32>) -> tensor<2x3x2x4xf32> {
  %cos = arith.constant dense<[[1.0, 1.0], [0.6, 0.8], [0.28, 0.96]]> : tensor<3x2xf32>
  %sin = arith.constant dense<[[0.0, 0.0], [0.8, 0.6], [0.96, 0.28]]> : tensor<3x2xf32>
  %e = tensor.empty() : tensor<2x3x2x2xf32>
  %c = linalg.broadcast ins(%cos : tensor<3x2xf32>) outs(%e : tensor<2x3x2x2xf32>) dimensions = [0, 2]
  %s = linalg.broadcast ins(%sin : tensor<3x2xf32>) outs(%e : tensor<2x3x2x2xf32>) dimensions = [0, 2]
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 2, 2] [1, 1, 1, 1] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [2, 3, 2, 2] [1, 1, 1, 1] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %0 = arith.mulf %a, %c : tensor<2x3x2x2xf32>
  %1 = arith.mulf %b, %s : tensor<2x3x2x2xf32>
  %2 = arith.addf %0, %1 : tensor<2x3x2x2xf32>
  %3 = arith.mulf %b, %c : tensor<2x3x2x2xf32>
  %4 = arith.mulf %s, %a : tensor<2x3x2x2xf32>
  %5 = arith.subf %3, %4 : tensor<2x3x2x2xf32>
  %y = tensor.concat dim(3) %2, %5 : (tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>) -> tensor<2x3x2x4xf32>
  return %y : tensor<2x3x2x4xf32>
}

// -----

// CHECK-LABEL: func @other_table(
// CHECK-NOT:   te.rope
func.func @other_table(%x: tensor<2x3x2x4xf32>) -> tensor<2x3x2x4xf32> {
  %cos = arith.constant dense<[[1.0, 1.0], [0.6, 0.8], [0.28, 0.96]]> : tensor<3x2xf32>
  %sin = arith.constant dense<[[0.0, 0.0], [0.8, 0.6], [0.96, 0.28]]> : tensor<3x2xf32>
  %e = tensor.empty() : tensor<2x3x2x2xf32>
  %c = linalg.broadcast ins(%cos : tensor<3x2xf32>) outs(%e : tensor<2x3x2x2xf32>) dimensions = [0, 2]
  %s = linalg.broadcast ins(%sin : tensor<3x2xf32>) outs(%e : tensor<2x3x2x2xf32>) dimensions = [0, 2]
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 2, 2] [1, 1, 1, 1] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [2, 3, 2, 2] [1, 1, 1, 1] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %0 = arith.mulf %a, %c : tensor<2x3x2x2xf32>
  %1 = arith.mulf %b, %s : tensor<2x3x2x2xf32>
  %2 = arith.subf %0, %1 : tensor<2x3x2x2xf32>
  %3 = arith.mulf %b, %s : tensor<2x3x2x2xf32>
  %4 = arith.mulf %a, %c : tensor<2x3x2x2xf32>
  %5 = arith.addf %3, %4 : tensor<2x3x2x2xf32>
  %y = tensor.concat dim(3) %2, %5 : (tensor<2x3x2x2xf32>, tensor<2x3x2x2xf32>) -> tensor<2x3x2x4xf32>
  return %y : tensor<2x3x2x4xf32>
}

// -----

// At 0 the maximum's slope is 1/2 here, where relu has 0: softplus, and the
// cross-entropy of a logit, by max(x, 0) and |x|.

// CHECK-LABEL: func @softplus(
// CHECK-NOT:   te.activation
// CHECK:       arith.maximumf
// CHECK-NOT:   te.activation
// CHECK-LABEL: func @logit_loss(
// CHECK-NOT:   te.activation
func.func @softplus(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %m = arith.maximumf %x, %zero : tensor<4x8xf32>
  %d = arith.mulf %x, %one : tensor<4x8xf32>
  %a = math.absf %d : tensor<4x8xf32>
  %n = arith.negf %a : tensor<4x8xf32>
  %e = math.exp %n : tensor<4x8xf32>
  %l = math.log1p %e : tensor<4x8xf32>
  %s = arith.addf %m, %l : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
func.func @logit_loss(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %m = arith.maximumf %x, %zero : tensor<4x8xf32>
  %xy = arith.mulf %x, %y : tensor<4x8xf32>
  %r = arith.subf %m, %xy : tensor<4x8xf32>
  %a = math.absf %x : tensor<4x8xf32>
  %n = arith.negf %a : tensor<4x8xf32>
  %e = math.exp %n : tensor<4x8xf32>
  %l = math.log1p %e : tensor<4x8xf32>
  %s = arith.addf %r, %l : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// -----

// What the activation is of may be a product itself.
// CHECK-LABEL: func @gelu_tanh_of_product(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Z:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:  %[[P:.*]] = arith.mulf %[[X]], %[[Z]]
// CHECK-NEXT:  %[[Y:.*]] = te.activation gelu_tanh %[[P]] : tensor<4x8xf32>
// CHECK-NEXT:  return %[[Y]]
func.func @gelu_tanh_of_product(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %three = arith.constant dense<3.0> : tensor<4x8xf32>
  %cubic = arith.constant dense<0.044715> : tensor<4x8xf32>
  %scale = arith.constant dense<0.7978845608> : tensor<4x8xf32>
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %half = arith.constant dense<0.5> : tensor<4x8xf32>
  %p = arith.mulf %x, %z : tensor<4x8xf32>
  %0 = math.powf %p, %three : tensor<4x8xf32>
  %1 = arith.mulf %0, %cubic : tensor<4x8xf32>
  %2 = arith.addf %p, %1 : tensor<4x8xf32>
  %3 = arith.mulf %2, %scale : tensor<4x8xf32>
  %4 = math.tanh %3 : tensor<4x8xf32>
  %5 = arith.addf %4, %one : tensor<4x8xf32>
  %6 = arith.mulf %5, %half : tensor<4x8xf32>
  %7 = arith.mulf %p, %6 : tensor<4x8xf32>
  return %7 : tensor<4x8xf32>
}

// -----

// The factor comes first, and the product is halved.
// CHECK-LABEL: func @gelu_erf_of_product(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Z:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:  %[[P:.*]] = arith.mulf %[[X]], %[[Z]]
// CHECK-NEXT:  %[[Y:.*]] = te.activation gelu_erf %[[P]] : tensor<4x8xf32>
// CHECK-NEXT:  return %[[Y]]
func.func @gelu_erf_of_product(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %root = arith.constant dense<0.70710678> : tensor<4x8xf32>
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %two = arith.constant dense<2.0> : tensor<4x8xf32>
  %p = arith.mulf %x, %z : tensor<4x8xf32>
  %0 = arith.mulf %p, %root : tensor<4x8xf32>
  %1 = math.erf %0 : tensor<4x8xf32>
  %2 = arith.addf %1, %one : tensor<4x8xf32>
  %3 = arith.divf %p, %two : tensor<4x8xf32>
  %4 = arith.mulf %2, %3 : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// The sigmoid of one factor is not that of the product.
// CHECK-LABEL: func @silu_of_product(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Z:.*]]: tensor<4x8xf32>)
// CHECK:       %[[P:.*]] = arith.mulf %[[X]], %[[Z]]
// CHECK:       %[[Y:.*]] = te.activation silu %[[P]] : tensor<4x8xf32>
// CHECK-NEXT:  te.gated_activation sigmoid %[[X]] up(%[[P]] : tensor<4x8xf32>)
func.func @silu_of_product(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %p = arith.mulf %x, %z : tensor<4x8xf32>
  %s = te.activation sigmoid %p : tensor<4x8xf32> -> y tensor<4x8xf32>
  %y = arith.mulf %p, %s : tensor<4x8xf32>
  %t = te.activation sigmoid %x : tensor<4x8xf32> -> y tensor<4x8xf32>
  %q = arith.mulf %p, %t : tensor<4x8xf32>
  return %y, %q : tensor<4x8xf32>, tensor<4x8xf32>
}
