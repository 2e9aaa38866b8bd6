// RUN: te-opt %s --split-input-file --verify-diagnostics

func.func @dynamic(%x: tensor<?x128xf32>, %y: tensor<128xf32>) {
  // expected-error@+1 {{operand #0 must be tensor or memref of f32 or bf16}}
  %0 = tert.column_sum x(%x : tensor<?x128xf32>) -> y(%y : tensor<128xf32>)
  return
}

// -----

func.func @element_type(%x: memref<64x128xf8E4M3FN>, %y: memref<f32>) {
  // expected-error@+1 {{operand #0 must be tensor or memref of f32 or bf16}}
  tert.amax x(%x : memref<64x128xf8E4M3FN>) -> amax(%y : memref<f32>)
  return
}

// -----

func.func @missing_attribute(%x: memref<64x128xf32>, %y: memref<64x128xf32>) {
  // expected-error@+1 {{requires attribute 'kind'}}
  tert.activation x(%x : memref<64x128xf32>) -> y(%y : memref<64x128xf32>)
  return
}

// -----

func.func @results(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  "tert.copy"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @pairs(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error@+1 {{'tert.multi_copy' op has 1 entries in 'y' for 2 in 'x'}}
  tert.multi_copy x(%x, %x : memref<8xf32>, memref<8xf32>) -> y(%y : memref<8xf32>)
  return
}

// -----

func.func @joined(%x: memref<8x16xf32>, %y: memref<8x8xf32>, %s: memref<f32>, %q: memref<16x16xf8E4M3FN>) {
  // expected-error@+1 {{joins 'memref<8x16xf32>' and 'memref<8x8xf32>'; expects matrices of one element type and number of columns}}
  tert.quantize_joined x(%x, %y : memref<8x16xf32>, memref<8x8xf32>) scale(%s : memref<f32>) -> rowwise(%q : memref<16x16xf8E4M3FN>)
  return
}

// -----

func.func @joined_too_many(%x: memref<8x16xf32>, %s: memref<f32>, %q: memref<40x16xf8E4M3FN>) {
  // expected-error@+1 {{joins 5 matrices; expects 1 to 4}}
  tert.quantize_joined x(%x, %x, %x, %x, %x : memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>) scale(%s : memref<f32>) -> rowwise(%q : memref<40x16xf8E4M3FN>)
  return
}

// -----

func.func @lists(%g: memref<8xf32>, %c: memref<f32>, %step: memref<i64>, %p: memref<8xf32>) {
  // expected-error@+1 {{'tert.update' op has 1 entries in 'params' for 2 gradients}}
  tert.update gradients(%g, %g : memref<8xf32>, memref<8xf32>) coefficient(%c : memref<f32>) step(%step : memref<i64>)
    -> params(%p : memref<8xf32>) {copies = array<i32: 0, 0>, decays = array<i32: 0, 1>, rule = "sgd"}
  return
}

// -----

func.func @copies(%g: memref<8x8xf32>, %c: memref<f32>, %step: memref<i64>, %p: memref<8x8xf32>, %q: memref<8x8xf8E4M3FN>) {
  // expected-error@+1 {{'tert.update' op has 1 tensors in 'rowwise', but 'copies' asks for 0}}
  tert.update gradients(%g : memref<8x8xf32>) coefficient(%c : memref<f32>) scalars(%c, %c, %c, %c, %c : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>)
    step(%step : memref<i64>) scales(%c : memref<f32>)
    -> params(%p : memref<8x8xf32>) states(%p, %p : memref<8x8xf32>, memref<8x8xf32>)
       rowwise(%q : memref<8x8xf8E4M3FN>) {copies = array<i32: 2>, decays = array<i32: 0>, rule = "adamw"}
  return
}

// -----

func.func @states(%g: memref<8xf32>, %c: memref<f32>, %t: memref<i64>) {
  // expected-error@+1 {{'tert.update' op has 3 tensors in 'states', which is no multiple of 2 gradients}}
  tert.update gradients(%g, %g : memref<8xf32>, memref<8xf32>) coefficient(%c : memref<f32>) step(%t : memref<i64>)
    -> params(%g, %g : memref<8xf32>, memref<8xf32>) states(%g, %g, %g : memref<8xf32>, memref<8xf32>, memref<8xf32>)
       {copies = array<i32: 0, 0>, decays = array<i32: 1, 1>, rule = "lion"}
  return
}

// -----

func.func @state_scales(%g: memref<8x128xf32>, %q: memref<8x128xf8E4M3FN>, %f: memref<8x1xf32>, %c: memref<f32>, %t: memref<i64>) {
  // expected-error@+1 {{'tert.update' op has 1 tensors in 'state_scales' for 2 states in FP8}}
  tert.update gradients(%g : memref<8x128xf32>) coefficient(%c : memref<f32>) step(%t : memref<i64>)
    -> params(%g : memref<8x128xf32>) states(%q, %q : memref<8x128xf8E4M3FN>, memref<8x128xf8E4M3FN>) state_scales(%f : memref<8x1xf32>)
       {copies = array<i32: 0>, decays = array<i32: 1>, rule = "adamw"}
  return
}

// -----

func.func @part_offset(%x: memref<64x32xf32>) {
  // expected-error@+1 {{'tert.locate_part' op makes 'memref<32x32xf32, strided<[32, 1], offset: 32>>'; expects one whose offset is 0, which is where the rank's shard begins}}
  %0 = tert.locate_part %x {axes = 1 : i32, distance = 1024 : i64, ranks = 2 : i32} : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: 32>>
  return
}

// -----

func.func @part_type(%x: memref<64x32xf32>) {
  // expected-error@+1 {{'tert.locate_part' op makes 'memref<32x32xbf16>' of 'memref<64x32xf32>'; expects one element type}}
  %0 = tert.locate_part %x {axes = 1 : i32, distance = 1024 : i64, ranks = 2 : i32} : memref<64x32xf32> to memref<32x32xbf16>
  return
}

// -----

func.func @part_ranks(%x: memref<64x32xf32>) {
  // expected-error@+1 {{'tert.locate_part' op has 0 ranks at a distance of 1024 elements; expects at least one rank, and a distance that is not negative}}
  %0 = tert.locate_part %x {axes = 1 : i32, distance = 1024 : i64, ranks = 0 : i32} : memref<64x32xf32> to memref<32x32xf32>
  return
}

// -----

func.func @part_outside(%x: memref<64x32xf32>) {
  // expected-error@+1 {{'tert.locate_part' op has shards that do not all lie in 'memref<64x32xf32>': expects static layouts, and that of the last of 3 ranks to end in it}}
  %0 = tert.locate_part %x {axes = 1 : i32, distance = 1024 : i64, ranks = 3 : i32} : memref<64x32xf32> to memref<32x32xf32>
  return
}

// -----

func.func @bytes(%x: memref<8x8xbf16>) {
  // expected-error @+1 {{makes 'memref<64xi8>' of 'memref<8x8xbf16>'; expects all bytes of a contiguous buffer}}
  %0 = tert.bytes %x : memref<8x8xbf16> to memref<64xi8>
  return
}

// -----

func.func @bytes_of_rows(%x: memref<8x8xbf16, strided<[16, 1]>>) {
  // expected-error @+1 {{expects all bytes of a contiguous buffer}}
  %0 = tert.bytes %x : memref<8x8xbf16, strided<[16, 1]>> to memref<128xi8>
  return
}

// -----

func.func @scalars_are_another_op(%y: memref<4xf32>) {
  // expected-error@+1 {{'tert.collective' op is of the kind 'reduce_scalars', which is tert.reduce_scalars}}
  tert.collective reduce_scalars x(%y : memref<4xf32>) -> y(%y : memref<4xf32>) {axes = 1 : i32}
  return
}

// -----

func.func @sum_in_place(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'tert.collective' op of the kind 'all_reduce' has 1 inputs for 1 results}}
  tert.collective all_reduce x(%x : memref<4xf32>) -> y(%y : memref<4xf32>) {axes = 1 : i32}
  return
}

// -----

func.func @shards_without_results(%x: memref<4xf32>, %y: memref<8xf32>) {
  // expected-error@+1 {{'tert.collective' op of the kind 'all_gather' has 2 inputs for 1 results}}
  tert.collective all_gather async x(%x, %x : memref<4xf32>, memref<4xf32>) -> y(%y : memref<8xf32>) {axes = 1 : i32}
  return
}

// -----

func.func @sum_of_codes(%y: memref<4xf8E4M3FN>) {
  // expected-error@+1 {{'tert.collective' op sums f32 or bf16, but has a result 'memref<4xf8E4M3FN>'}}
  tert.collective all_reduce -> y(%y : memref<4xf8E4M3FN>) {axes = 1 : i32}
  return
}

// -----

func.func @other_type(%x: memref<4x2xbf16>, %y: memref<8x2xf32>) {
  // expected-error@+1 {{'tert.collective_sequence' op makes 'memref<8x2xf32>' of 'memref<4x2xbf16>', but keeps the element type}}
  tert.collective_sequence all_gather x(%x : memref<4x2xbf16>) -> y(%y : memref<8x2xf32>) {axes = 1 : i32, dim = 0 : i32}
  return
}

// -----

func.func @sum_of_sequences(%x: memref<4x2xf32>, %y: memref<4x2xf32>) {
  // expected-error@+1 {{'tert.collective_sequence' op is of the kind 'all_reduce', which is tert.collective}}
  tert.collective_sequence all_reduce x(%x : memref<4x2xf32>) -> y(%y : memref<4x2xf32>) {axes = 1 : i32, dim = 0 : i32}
  return
}
