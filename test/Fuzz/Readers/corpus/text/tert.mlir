func.func @f(%a: memref<64x128xf8E4M3FN>, %s: memref<f32>, %b: memref<32x128xf8E4M3FN>, %d: memref<64x32xbf16>) {
  tert.scaled_matmul a(%a : memref<64x128xf8E4M3FN>) a_scale_inv(%s : memref<f32>) b(%b : memref<32x128xf8E4M3FN>) b_scale_inv(%s : memref<f32>) -> d(%d : memref<64x32xbf16>) {accumulate = #te.accumulate<split>}
  return
}
