// RUN: te-opt %s --te-schedule-collectives=cluster=abacus --split-input-file --verify-diagnostics

// expected-error @+1 {{there is no cluster 'abacus'; expects one of h}}
module {
  shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
  func.func private @f()
}

// -----

module {
  // expected-error @+1 {{expects 'te.axes' to be 1 strings, one for each axis}}
  shard.grid @mesh(shape = 2) {te.axes = []}
  func.func private @f()
}
