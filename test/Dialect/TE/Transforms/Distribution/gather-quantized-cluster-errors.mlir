// RUN: te-opt %s --te-gather-quantized=cluster=abacus --verify-diagnostics

// expected-error @+1 {{there is no cluster 'abacus'; expects one of h}}
module {
  shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
  func.func private @f()
}
