// RUN: not te-opt %s --te-exchange-quantized 2>&1 | FileCheck %s

// CHECK: error: is a second grid with 'te.axes'; a module has one mesh
shard.grid @mesh(shape = 2) {te.axes = ["ep"]}
shard.grid @other(shape = 2) {te.axes = ["dp"]}
func.func @train(%y: tensor<64x32xbf16>) -> tensor<64x32xbf16> {
  return %y : tensor<64x32xbf16>
}
