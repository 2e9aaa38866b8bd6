// RUN: te-opt %s --te-set-compute-type=type=f16 --verify-diagnostics

// expected-error@+1 {{te-set-compute-type takes the types bf16 and f32, not 'f16'}}
module {
}
