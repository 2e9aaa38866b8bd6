// RUN: te-opt %s --te-split-linears --split-input-file --verify-diagnostics

module {
  // expected-error @+1 {{expects 'te.axes' to be 1 strings, one for each axis}}
  shard.grid @mesh(shape = 2) {te.axes = []}
  func.func private @f()
}
