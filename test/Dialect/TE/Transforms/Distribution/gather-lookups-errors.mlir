// RUN: te-opt %s --te-gather-lookups --verify-diagnostics --split-input-file

// expected-error@+1 {{te.axes}}
shard.grid @mesh(shape = 2) {te.axes = ["dp", "tp"]}
func.func @train(%ids: tensor<64xi64>) {
  return
}
