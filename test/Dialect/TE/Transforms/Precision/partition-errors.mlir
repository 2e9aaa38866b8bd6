// RUN: te-opt %s --te-partition --verify-diagnostics
// RUN: not te-opt %s --te-partition=policy=h.0 2>&1 | FileCheck %s --check-prefix=EQUALS
// RUN: not te-opt %s --te-partition=policy=a=fp8,h.0=bf16 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not te-opt %s --te-partition=policy==fp8 2>&1 | FileCheck %s --check-prefix=GLOB
// RUN: not te-opt %s --te-partition=policy=/dgrad=high 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not te-opt %s --te-partition='policy=a=fp8,h.[0=high' 2>&1 | FileCheck %s --check-prefix=BRACKET
// RUN: not te-opt %s --te-partition=policy=@%t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not te-opt %s --te-partition=recipe=delayed 2>&1 | FileCheck %s --check-prefix=RECIPE
// RECIPE: error: {{.*}}'delayed'
// RUN: not te-opt %s --te-partition=memory-price=-1 2>&1 | FileCheck %s --check-prefix=PRICE
// RUN: not te-opt %s --te-partition=memory-price=nan 2>&1 | FileCheck %s --check-prefix=PRICE
// PRICE: error: te-partition: memory-price must be 0 or more seconds for a byte, got {{-1|nan}}
// RUN: printf 'a=fp8\n  b = low\n' > %t.policy
// RUN: not te-opt %s --te-partition=policy=@%t.policy 2>&1 | FileCheck %s --check-prefix=LINE
// EQUALS: error: policy:1:4: expected '=fp8' or '=high' after 'h.0'
// VALUE: error: policy:1:11: expected 'fp8' or 'high' after 'h.0=', got 'bf16'
// GLOB: error: policy:1:1: expected a layer or glob before '='
// PRODUCT: error: policy:1:1: expected a layer or glob before '/'
// BRACKET: error: policy:1:7: bad glob 'h.[0':
// MISSING: error: policy: cannot read '{{.*}}.missing': {{[Nn]}}o such file
// LINE: error: {{.*}}.policy:2:7: expected 'fp8' or 'high' after 'b=', got 'low'

func.func @twice(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  // expected-error@+1 {{is there before te-partition, which makes the regions; run it once}}
  %y = te.region high -> (tensor<32x64xf32>) {
    te.yield %x : tensor<32x64xf32>
  }
  return %y : tensor<32x64xf32>
}
