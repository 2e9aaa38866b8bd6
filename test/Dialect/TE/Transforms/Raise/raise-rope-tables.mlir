// Rotary embedding by tables that are computed, or looked up by position.

// RUN: te-opt %s --te-raise --split-input-file | FileCheck %s

// Each is what it was, on random values, and its gradients are differences of it:
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-10: gradients within

// Angles of position ids that are an input, as Llama's: a row for every token.
// CHECK-LABEL: func @position_ids(
// CHECK-SAME:    %[[X:.*]]: tensor<2x2x3x4xf32>
// CHECK:       %[[COS:.*]] = math.cos %{{.*}} : tensor<6x2xf32>
// CHECK:       %[[C:.*]] = arith.mulf %[[COS]], %{{.*}} : tensor<6x2xf32>
// CHECK:       %[[SIN:.*]] = math.sin %{{.*}} : tensor<6x2xf32>
// CHECK:       %[[S:.*]] = arith.mulf %[[SIN]], %{{.*}} : tensor<6x2xf32>
// CHECK:       %[[Y:.*]] = te.rope %[[X]], %[[C]], %[[S]] {layout = #te.attention_layout<bhsd>} : tensor<2x2x3x4xf32>, tensor<6x2xf32>, tensor<6x2xf32>
// CHECK-NEXT:  return %[[Y]]
func.func @position_ids(%x: tensor<2x2x3x4xf32>, %ids: tensor<2x3xi64>) -> tensor<2x2x3x4xf32> {
  %inv = arith.constant dense<[1.0, 0.25]> : tensor<2xf32>
  %p = arith.sitofp %ids : tensor<2x3xi64> to tensor<2x3xf32>
  %ef = tensor.empty() : tensor<2x3x2xf32>
  %p3 = linalg.broadcast ins(%p : tensor<2x3xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [2]
  %f3 = linalg.broadcast ins(%inv : tensor<2xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [0, 1]
  %f = arith.mulf %p3, %f3 : tensor<2x3x2xf32>
  %angles = tensor.concat dim(2) %f, %f : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x4xf32>
  %scale = arith.constant dense<1.25> : tensor<2x3x4xf32>
  %cos0 = math.cos %angles : tensor<2x3x4xf32>
  %cos = arith.mulf %cos0, %scale : tensor<2x3x4xf32>
  %sin0 = math.sin %angles : tensor<2x3x4xf32>
  %sin = arith.mulf %sin0, %scale : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %s = linalg.broadcast ins(%sin : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %a = arith.mulf %x, %c : tensor<2x2x3x4xf32>
  %first = tensor.extract_slice %x[0, 0, 0, 0] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %second = tensor.extract_slice %x[0, 0, 0, 2] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %n = arith.negf %second : tensor<2x2x3x2xf32>
  %r = tensor.concat dim(3) %n, %first : (tensor<2x2x3x2xf32>, tensor<2x2x3x2xf32>) -> tensor<2x2x3x4xf32>
  %b = arith.mulf %r, %s : tensor<2x2x3x4xf32>
  %y = arith.addf %a, %b : tensor<2x2x3x4xf32>
  return %y : tensor<2x2x3x4xf32>
}

// -----

// Rows of fixed tables, looked up by position: pairs of neighbours.
// CHECK-LABEL: func @gathered_tables(
// CHECK-DAG:   %[[CT:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK-DAG:   %[[C:.*]] = te.embedding %{{.*}}, %[[CT]]
// CHECK-DAG:   %[[ST:.*]] = arith.constant dense<{{\[\[}}7.000000e+00, 8.000000e+00]
// CHECK-DAG:   %[[S:.*]] = te.embedding %{{.*}}, %[[ST]]
// CHECK:       te.rope %{{.*}}, %[[C]], %[[S]] {interleaved} : tensor<2x3x2x4xf32>, tensor<6x2xf32>, tensor<6x2xf32>
// CHECK-NOT:   arith.mulf
func.func @gathered_tables(%x: tensor<2x3x2x4xf32>, %ids: tensor<6xi64>) -> tensor<2x3x2x4xf32> {
  %cos_t = arith.constant dense<[[1.0, 1.0, 2.0, 2.0], [3.0, 3.0, 4.0, 4.0], [5.0, 5.0, 6.0, 6.0]]> : tensor<3x4xf32>
  %sin_t = arith.constant dense<[[7.0, 7.0, 8.0, 8.0], [9.0, 9.0, 1.0, 1.0], [2.0, 2.0, 3.0, 3.0]]> : tensor<3x4xf32>
  %cos6 = te.embedding %ids, %cos_t : tensor<6xi64>, tensor<3x4xf32> -> tensor<6x4xf32>
  %sin6 = te.embedding %ids, %sin_t : tensor<6xi64>, tensor<3x4xf32> -> tensor<6x4xf32>
  %cos = tensor.expand_shape %cos6 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  %sin = tensor.expand_shape %sin6 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x3x2x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x3x4xf32>) outs(%e : tensor<2x3x2x4xf32>) dimensions = [2]
  %s = linalg.broadcast ins(%sin : tensor<2x3x4xf32>) outs(%e : tensor<2x3x2x4xf32>) dimensions = [2]
  %a = arith.mulf %x, %c : tensor<2x3x2x4xf32>
  %even = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 2, 2] [1, 1, 1, 2] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %odd = tensor.extract_slice %x[0, 0, 0, 1] [2, 3, 2, 2] [1, 1, 1, 2] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %n = arith.negf %odd : tensor<2x3x2x2xf32>
  %n5 = tensor.expand_shape %n [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 2, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x1xf32>
  %e5 = tensor.expand_shape %even [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 2, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x1xf32>
  %r5 = tensor.concat dim(4) %n5, %e5 : (tensor<2x3x2x2x1xf32>, tensor<2x3x2x2x1xf32>) -> tensor<2x3x2x2x2xf32>
  %r = tensor.collapse_shape %r5 [[0], [1], [2], [3, 4]] : tensor<2x3x2x2x2xf32> into tensor<2x3x2x4xf32>
  %b = arith.mulf %r, %s : tensor<2x3x2x4xf32>
  %y = arith.addf %a, %b : tensor<2x3x2x4xf32>
  return %y : tensor<2x3x2x4xf32>
}

// -----

// GPT-J's: one table of sines and cosines, looked up, cut in two, and each number
// repeated for its pair.
// CHECK-LABEL: func @repeated_pairs(
// CHECK:       te.rope %{{.*}}, %{{.*}}, %{{.*}} {interleaved} : tensor<2x3x2x4xf32>, tensor<6x2xf32>, tensor<6x2xf32>
// CHECK-NOT:   arith.mulf
func.func @repeated_pairs(%x: tensor<2x3x2x4xf32>, %ids: tensor<6xi64>) -> tensor<2x3x2x4xf32> {
  %t = arith.constant dense<[[1.0, 2.0, 5.0, 6.0], [3.0, 4.0, 7.0, 8.0], [0.5, 0.25, 2.5, 1.5]]> : tensor<3x4xf32>
  %both = te.embedding %ids, %t : tensor<6xi64>, tensor<3x4xf32> -> tensor<6x4xf32>
  %sin2, %cos2 = te.split %both axis 1 : tensor<6x4xf32> -> tensor<6x2xf32>, tensor<6x2xf32>
  %e3 = tensor.empty() : tensor<6x2x2xf32>
  %cos3 = linalg.broadcast ins(%cos2 : tensor<6x2xf32>) outs(%e3 : tensor<6x2x2xf32>) dimensions = [2]
  %sin3 = linalg.broadcast ins(%sin2 : tensor<6x2xf32>) outs(%e3 : tensor<6x2x2xf32>) dimensions = [2]
  %cos4 = tensor.expand_shape %cos3 [[0, 1], [2], [3]] output_shape [2, 3, 2, 2] : tensor<6x2x2xf32> into tensor<2x3x2x2xf32>
  %sin4 = tensor.expand_shape %sin3 [[0, 1], [2], [3]] output_shape [2, 3, 2, 2] : tensor<6x2x2xf32> into tensor<2x3x2x2xf32>
  %cos = tensor.collapse_shape %cos4 [[0], [1], [2, 3]] : tensor<2x3x2x2xf32> into tensor<2x3x4xf32>
  %sin = tensor.collapse_shape %sin4 [[0], [1], [2, 3]] : tensor<2x3x2x2xf32> into tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x3x2x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x3x4xf32>) outs(%e : tensor<2x3x2x4xf32>) dimensions = [2]
  %s = linalg.broadcast ins(%sin : tensor<2x3x4xf32>) outs(%e : tensor<2x3x2x4xf32>) dimensions = [2]
  %a = arith.mulf %x, %c : tensor<2x3x2x4xf32>
  %even = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 2, 2] [1, 1, 1, 2] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %odd = tensor.extract_slice %x[0, 0, 0, 1] [2, 3, 2, 2] [1, 1, 1, 2] : tensor<2x3x2x4xf32> to tensor<2x3x2x2xf32>
  %n = arith.negf %odd : tensor<2x3x2x2xf32>
  %n5 = tensor.expand_shape %n [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 2, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x1xf32>
  %e5 = tensor.expand_shape %even [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 2, 1] : tensor<2x3x2x2xf32> into tensor<2x3x2x2x1xf32>
  %r5 = tensor.concat dim(4) %n5, %e5 : (tensor<2x3x2x2x1xf32>, tensor<2x3x2x2x1xf32>) -> tensor<2x3x2x2x2xf32>
  %r = tensor.collapse_shape %r5 [[0], [1], [2], [3, 4]] : tensor<2x3x2x2x2xf32> into tensor<2x3x2x4xf32>
  %b = arith.mulf %r, %s : tensor<2x3x2x4xf32>
  %y = arith.addf %a, %b : tensor<2x3x2x4xf32>
  return %y : tensor<2x3x2x4xf32>
}

// -----

// Almost: the frequencies are learned, and te.rope's tables have no gradient.
// CHECK-LABEL: func @learned_frequencies(
// CHECK-NOT:   te.rope
// CHECK:       return
func.func @learned_frequencies(%x: tensor<2x2x3x4xf32>, %ids: tensor<2x3xi64>, %inv: tensor<2xf32>) -> tensor<2x2x3x4xf32> {
  %p = arith.sitofp %ids : tensor<2x3xi64> to tensor<2x3xf32>
  %ef = tensor.empty() : tensor<2x3x2xf32>
  %p3 = linalg.broadcast ins(%p : tensor<2x3xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [2]
  %f3 = linalg.broadcast ins(%inv : tensor<2xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [0, 1]
  %f = arith.mulf %p3, %f3 : tensor<2x3x2xf32>
  %angles = tensor.concat dim(2) %f, %f : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x4xf32>
  %scale = arith.constant dense<1.25> : tensor<2x3x4xf32>
  %cos0 = math.cos %angles : tensor<2x3x4xf32>
  %cos = arith.mulf %cos0, %scale : tensor<2x3x4xf32>
  %sin0 = math.sin %angles : tensor<2x3x4xf32>
  %sin = arith.mulf %sin0, %scale : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %s = linalg.broadcast ins(%sin : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %a = arith.mulf %x, %c : tensor<2x2x3x4xf32>
  %first = tensor.extract_slice %x[0, 0, 0, 0] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %second = tensor.extract_slice %x[0, 0, 0, 2] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %n = arith.negf %second : tensor<2x2x3x2xf32>
  %r = tensor.concat dim(3) %n, %first : (tensor<2x2x3x2xf32>, tensor<2x2x3x2xf32>) -> tensor<2x2x3x4xf32>
  %b = arith.mulf %r, %s : tensor<2x2x3x4xf32>
  %y = arith.addf %a, %b : tensor<2x2x3x4xf32>
  return %y : tensor<2x2x3x4xf32>
}

// -----

// Almost: the second half of each head has other angles.
// CHECK-LABEL: func @other_angles_of_halves(
// CHECK-NOT:   te.rope
// CHECK:       return
func.func @other_angles_of_halves(%x: tensor<2x2x3x4xf32>, %ids: tensor<2x3xi64>) -> tensor<2x2x3x4xf32> {
  %inv = arith.constant dense<[1.0, 0.25]> : tensor<2xf32>
  %p = arith.sitofp %ids : tensor<2x3xi64> to tensor<2x3xf32>
  %ef = tensor.empty() : tensor<2x3x2xf32>
  %p3 = linalg.broadcast ins(%p : tensor<2x3xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [2]
  %f3 = linalg.broadcast ins(%inv : tensor<2xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [0, 1]
  %f = arith.mulf %p3, %f3 : tensor<2x3x2xf32>
  %g = arith.addf %f, %f : tensor<2x3x2xf32>
  %angles = tensor.concat dim(2) %f, %g : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x4xf32>
  %scale = arith.constant dense<1.25> : tensor<2x3x4xf32>
  %cos0 = math.cos %angles : tensor<2x3x4xf32>
  %cos = arith.mulf %cos0, %scale : tensor<2x3x4xf32>
  %sin0 = math.sin %angles : tensor<2x3x4xf32>
  %sin = arith.mulf %sin0, %scale : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %s = linalg.broadcast ins(%sin : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %a = arith.mulf %x, %c : tensor<2x2x3x4xf32>
  %first = tensor.extract_slice %x[0, 0, 0, 0] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %second = tensor.extract_slice %x[0, 0, 0, 2] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %n = arith.negf %second : tensor<2x2x3x2xf32>
  %r = tensor.concat dim(3) %n, %first : (tensor<2x2x3x2xf32>, tensor<2x2x3x2xf32>) -> tensor<2x2x3x4xf32>
  %b = arith.mulf %r, %s : tensor<2x2x3x4xf32>
  %y = arith.addf %a, %b : tensor<2x2x3x4xf32>
  return %y : tensor<2x2x3x4xf32>
}

// -----

// Almost: angles of halves, and pairs of neighbours that are turned.
// CHECK-LABEL: func @halves_for_neighbours(
// CHECK-NOT:   te.rope
// CHECK:       return
func.func @halves_for_neighbours(%x: tensor<2x2x3x4xf32>, %ids: tensor<2x3xi64>) -> tensor<2x2x3x4xf32> {
  %inv = arith.constant dense<[1.0, 0.25]> : tensor<2xf32>
  %p = arith.sitofp %ids : tensor<2x3xi64> to tensor<2x3xf32>
  %ef = tensor.empty() : tensor<2x3x2xf32>
  %p3 = linalg.broadcast ins(%p : tensor<2x3xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [2]
  %f3 = linalg.broadcast ins(%inv : tensor<2xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [0, 1]
  %f = arith.mulf %p3, %f3 : tensor<2x3x2xf32>
  %angles = tensor.concat dim(2) %f, %f : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x4xf32>
  %scale = arith.constant dense<1.25> : tensor<2x3x4xf32>
  %cos0 = math.cos %angles : tensor<2x3x4xf32>
  %cos = arith.mulf %cos0, %scale : tensor<2x3x4xf32>
  %sin0 = math.sin %angles : tensor<2x3x4xf32>
  %sin = arith.mulf %sin0, %scale : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %s = linalg.broadcast ins(%sin : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %a = arith.mulf %x, %c : tensor<2x2x3x4xf32>
  %even = tensor.extract_slice %x[0, 0, 0, 0] [2, 2, 3, 2] [1, 1, 1, 2] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %odd = tensor.extract_slice %x[0, 0, 0, 1] [2, 2, 3, 2] [1, 1, 1, 2] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %n = arith.negf %odd : tensor<2x2x3x2xf32>
  %n5 = tensor.expand_shape %n [[0], [1], [2], [3, 4]] output_shape [2, 2, 3, 2, 1] : tensor<2x2x3x2xf32> into tensor<2x2x3x2x1xf32>
  %e5 = tensor.expand_shape %even [[0], [1], [2], [3, 4]] output_shape [2, 2, 3, 2, 1] : tensor<2x2x3x2xf32> into tensor<2x2x3x2x1xf32>
  %r5 = tensor.concat dim(4) %n5, %e5 : (tensor<2x2x3x2x1xf32>, tensor<2x2x3x2x1xf32>) -> tensor<2x2x3x2x2xf32>
  %r = tensor.collapse_shape %r5 [[0], [1], [2], [3, 4]] : tensor<2x2x3x2x2xf32> into tensor<2x2x3x4xf32>
  %b = arith.mulf %r, %s : tensor<2x2x3x4xf32>
  %y = arith.addf %a, %b : tensor<2x2x3x4xf32>
  return %y : tensor<2x2x3x4xf32>
}

// -----

// Pairs in a dimension of their own, turned as real and imaginary parts.
// CHECK-LABEL: func @complex_pairs(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x2x6xf32>
// CHECK:       %[[Y:.*]] = te.rope %[[X]], %{{.*}}, %{{.*}} {interleaved} : tensor<2x3x2x6xf32>, tensor<6x3xf32>, tensor<6x3xf32>
// CHECK-NEXT:  return %[[Y]]
func.func @complex_pairs(%x: tensor<2x3x2x6xf32>, %ids: tensor<6xi64>) -> tensor<2x3x2x6xf32> {
  %cos_t = arith.constant dense<[[1.0, 2.0, 3.0], [3.0, 4.0, 5.0], [5.0, 6.0, 7.0]]> : tensor<3x3xf32>
  %sin_t = arith.constant dense<[[7.0, 8.0, 9.0], [9.0, 1.0, 2.0], [2.0, 3.0, 4.0]]> : tensor<3x3xf32>
  %cos6 = te.embedding %ids, %cos_t : tensor<6xi64>, tensor<3x3xf32> -> tensor<6x3xf32>
  %sin6 = te.embedding %ids, %sin_t : tensor<6xi64>, tensor<3x3xf32> -> tensor<6x3xf32>
  %cos = tensor.expand_shape %cos6 [[0, 1], [2]] output_shape [2, 3, 3] : tensor<6x3xf32> into tensor<2x3x3xf32>
  %sin = tensor.expand_shape %sin6 [[0, 1], [2]] output_shape [2, 3, 3] : tensor<6x3xf32> into tensor<2x3x3xf32>
  %e = tensor.empty() : tensor<2x3x2x3xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x3x3xf32>) outs(%e : tensor<2x3x2x3xf32>) dimensions = [2]
  %s = linalg.broadcast ins(%sin : tensor<2x3x3xf32>) outs(%e : tensor<2x3x2x3xf32>) dimensions = [2]
  %pairs = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 3, 2] : tensor<2x3x2x6xf32> into tensor<2x3x2x3x2xf32>
  %a1 = tensor.extract_slice %pairs[0, 0, 0, 0, 0] [2, 3, 2, 3, 1] [1, 1, 1, 1, 1] : tensor<2x3x2x3x2xf32> to tensor<2x3x2x3x1xf32>
  %b1 = tensor.extract_slice %pairs[0, 0, 0, 0, 1] [2, 3, 2, 3, 1] [1, 1, 1, 1, 1] : tensor<2x3x2x3x2xf32> to tensor<2x3x2x3x1xf32>
  %a = tensor.collapse_shape %a1 [[0], [1], [2], [3, 4]] : tensor<2x3x2x3x1xf32> into tensor<2x3x2x3xf32>
  %b = tensor.collapse_shape %b1 [[0], [1], [2], [3, 4]] : tensor<2x3x2x3x1xf32> into tensor<2x3x2x3xf32>
  %ac = arith.mulf %a, %c : tensor<2x3x2x3xf32>
  %bs = arith.mulf %b, %s : tensor<2x3x2x3xf32>
  %as = arith.mulf %a, %s : tensor<2x3x2x3xf32>
  %bc = arith.mulf %b, %c : tensor<2x3x2x3xf32>
  %re = arith.subf %ac, %bs : tensor<2x3x2x3xf32>
  %im = arith.addf %as, %bc : tensor<2x3x2x3xf32>
  %re5 = tensor.expand_shape %re [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 3, 1] : tensor<2x3x2x3xf32> into tensor<2x3x2x3x1xf32>
  %im5 = tensor.expand_shape %im [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 3, 1] : tensor<2x3x2x3xf32> into tensor<2x3x2x3x1xf32>
  %y5 = tensor.concat dim(4) %re5, %im5 : (tensor<2x3x2x3x1xf32>, tensor<2x3x2x3x1xf32>) -> tensor<2x3x2x3x2xf32>
  %y = tensor.collapse_shape %y5 [[0], [1], [2], [3, 4]] : tensor<2x3x2x3x2xf32> into tensor<2x3x2x6xf32>
  return %y : tensor<2x3x2x6xf32>
}

// -----

// Almost: neighbours are turned, but come back as halves.
// CHECK-LABEL: func @pairs_to_halves(
// CHECK-NOT:   te.rope
// CHECK:       return
func.func @pairs_to_halves(%x: tensor<2x3x2x6xf32>, %ids: tensor<6xi64>) -> tensor<2x3x2x6xf32> {
  %cos_t = arith.constant dense<[[1.0, 2.0, 3.0], [3.0, 4.0, 5.0], [5.0, 6.0, 7.0]]> : tensor<3x3xf32>
  %sin_t = arith.constant dense<[[7.0, 8.0, 9.0], [9.0, 1.0, 2.0], [2.0, 3.0, 4.0]]> : tensor<3x3xf32>
  %cos6 = te.embedding %ids, %cos_t : tensor<6xi64>, tensor<3x3xf32> -> tensor<6x3xf32>
  %sin6 = te.embedding %ids, %sin_t : tensor<6xi64>, tensor<3x3xf32> -> tensor<6x3xf32>
  %cos = tensor.expand_shape %cos6 [[0, 1], [2]] output_shape [2, 3, 3] : tensor<6x3xf32> into tensor<2x3x3xf32>
  %sin = tensor.expand_shape %sin6 [[0, 1], [2]] output_shape [2, 3, 3] : tensor<6x3xf32> into tensor<2x3x3xf32>
  %e = tensor.empty() : tensor<2x3x2x3xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x3x3xf32>) outs(%e : tensor<2x3x2x3xf32>) dimensions = [2]
  %s = linalg.broadcast ins(%sin : tensor<2x3x3xf32>) outs(%e : tensor<2x3x2x3xf32>) dimensions = [2]
  %pairs = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 3, 2] : tensor<2x3x2x6xf32> into tensor<2x3x2x3x2xf32>
  %a1 = tensor.extract_slice %pairs[0, 0, 0, 0, 0] [2, 3, 2, 3, 1] [1, 1, 1, 1, 1] : tensor<2x3x2x3x2xf32> to tensor<2x3x2x3x1xf32>
  %b1 = tensor.extract_slice %pairs[0, 0, 0, 0, 1] [2, 3, 2, 3, 1] [1, 1, 1, 1, 1] : tensor<2x3x2x3x2xf32> to tensor<2x3x2x3x1xf32>
  %a = tensor.collapse_shape %a1 [[0], [1], [2], [3, 4]] : tensor<2x3x2x3x1xf32> into tensor<2x3x2x3xf32>
  %b = tensor.collapse_shape %b1 [[0], [1], [2], [3, 4]] : tensor<2x3x2x3x1xf32> into tensor<2x3x2x3xf32>
  %ac = arith.mulf %a, %c : tensor<2x3x2x3xf32>
  %bs = arith.mulf %b, %s : tensor<2x3x2x3xf32>
  %as = arith.mulf %a, %s : tensor<2x3x2x3xf32>
  %bc = arith.mulf %b, %c : tensor<2x3x2x3xf32>
  %re = arith.subf %ac, %bs : tensor<2x3x2x3xf32>
  %im = arith.addf %as, %bc : tensor<2x3x2x3xf32>
  %y = tensor.concat dim(3) %re, %im : (tensor<2x3x2x3xf32>, tensor<2x3x2x3xf32>) -> tensor<2x3x2x6xf32>
  return %y : tensor<2x3x2x6xf32>
}

// -----

// Almost: both halves are the first one.
// CHECK-LABEL: func @first_half_twice(
// CHECK-NOT:   te.rope
// CHECK:       return
func.func @first_half_twice(%x: tensor<2x2x3x4xf32>, %ids: tensor<2x3xi64>) -> tensor<2x2x3x4xf32> {
  %inv = arith.constant dense<[1.0, 0.25]> : tensor<2xf32>
  %p = arith.sitofp %ids : tensor<2x3xi64> to tensor<2x3xf32>
  %ef = tensor.empty() : tensor<2x3x2xf32>
  %p3 = linalg.broadcast ins(%p : tensor<2x3xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [2]
  %f3 = linalg.broadcast ins(%inv : tensor<2xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [0, 1]
  %f = arith.mulf %p3, %f3 : tensor<2x3x2xf32>
  %angles = tensor.concat dim(2) %f, %f : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x4xf32>
  %cos = math.cos %angles : tensor<2x3x4xf32>
  %sin = math.sin %angles : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %s = linalg.broadcast ins(%sin : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %a = arith.mulf %x, %c : tensor<2x2x3x4xf32>
  %first = tensor.extract_slice %x[0, 0, 0, 0] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %second = tensor.extract_slice %x[0, 0, 0, 0] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %n = arith.negf %second : tensor<2x2x3x2xf32>
  %r = tensor.concat dim(3) %n, %first : (tensor<2x2x3x2xf32>, tensor<2x2x3x2xf32>) -> tensor<2x2x3x4xf32>
  %b = arith.mulf %r, %s : tensor<2x2x3x4xf32>
  %y = arith.addf %a, %b : tensor<2x2x3x4xf32>
  return %y : tensor<2x2x3x4xf32>
}

// -----

// Almost: both halves are the second one.
// CHECK-LABEL: func @second_half_twice(
// CHECK-NOT:   te.rope
// CHECK:       return
func.func @second_half_twice(%x: tensor<2x2x3x4xf32>, %ids: tensor<2x3xi64>) -> tensor<2x2x3x4xf32> {
  %inv = arith.constant dense<[1.0, 0.25]> : tensor<2xf32>
  %p = arith.sitofp %ids : tensor<2x3xi64> to tensor<2x3xf32>
  %ef = tensor.empty() : tensor<2x3x2xf32>
  %p3 = linalg.broadcast ins(%p : tensor<2x3xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [2]
  %f3 = linalg.broadcast ins(%inv : tensor<2xf32>) outs(%ef : tensor<2x3x2xf32>) dimensions = [0, 1]
  %f = arith.mulf %p3, %f3 : tensor<2x3x2xf32>
  %angles = tensor.concat dim(2) %f, %f : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x4xf32>
  %cos = math.cos %angles : tensor<2x3x4xf32>
  %sin = math.sin %angles : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %s = linalg.broadcast ins(%sin : tensor<2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) dimensions = [1]
  %a = arith.mulf %x, %c : tensor<2x2x3x4xf32>
  %first = tensor.extract_slice %x[0, 0, 0, 2] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %second = tensor.extract_slice %x[0, 0, 0, 2] [2, 2, 3, 2] [1, 1, 1, 1] : tensor<2x2x3x4xf32> to tensor<2x2x3x2xf32>
  %n = arith.negf %second : tensor<2x2x3x2xf32>
  %r = tensor.concat dim(3) %n, %first : (tensor<2x2x3x2xf32>, tensor<2x2x3x2xf32>) -> tensor<2x2x3x4xf32>
  %b = arith.mulf %r, %s : tensor<2x2x3x4xf32>
  %y = arith.addf %a, %b : tensor<2x2x3x4xf32>
  return %y : tensor<2x2x3x4xf32>
}
