// Rules about parameters that cannot be kept.

// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=w1' 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=w1=0' 2>&1 | FileCheck %s --check-prefix=NOAXIS
// NOAXIS: error: --shard='w1=0': expected GLOB=DIM:AXIS, such as '*.wte.weight=0:tp', or GLOB=none for parameters that every rank holds all of
// FORM: error: --shard='w1': expected GLOB=DIM:AXIS
// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=w[=0:tp' 2>&1 | FileCheck %s --check-prefix=GLOB
// GLOB: error: --shard='w[=0:tp': bad glob 'w['
// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=w1=-1:tp' 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: --shard='w1=-1:tp': '-1' is no dimension; they are counted from 0

// Axes.
// RUN: not te-opt %s --te-shard-model='mesh=dp=2,tp=2 shard=w1=0:dp' 2>&1 | FileCheck %s --check-prefix=DP
// DP: error: --shard='w1=0:dp': ranks along dp share optimizer states, and parameters, element by element; --zero says which, and only tp shards a dimension
// RUN: not te-opt %s --te-shard-model='mesh=cp=2,tp=2 shard=w1=0:cp' 2>&1 | FileCheck %s --check-prefix=CP
// CP: error: --shard='w1=0:cp': ranks along cp share sequences, and each has all parameters; only tp shards a dimension
// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=w1=0:ep' 2>&1 | FileCheck %s --check-prefix=EP
// EP: error: --shard='w1=0:ep': ranks along ep share the experts that the compiler finds; only tp shards a dimension that is asked for
// RUN: not te-opt %s --te-shard-model='mesh=dp=2 shard=w1=0:tp' 2>&1 | FileCheck %s --check-prefix=LACKS
// RUN: not te-opt %s --te-shard-model='shard=w1=none' 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: error: --shard='w1={{.*}}': the mesh has no axis 'tp'; add tp=R to --mesh, or leave this out

// Parameters.
// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=*.weight=0:tp' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: --shard='*.weight=0:tp': the model has no parameter of such a name; te-run info lists those of a program
// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=b1=1:tp' 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: error: --shard='b1=1:tp': 'b1' is 'tensor<30xf32>' and has no dimension 1 (they are counted from 0); name another, or parameters that have it
// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=w*=none,w2=1:tp' 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: --shard='w2=1:tp' and --shard='w*=none' say different things about 'w2'; let globs be about different parameters
// RUN: not te-opt %s --te-shard-model='mesh=tp=4 shard=w1=0:tp' 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: --shard='w1=0:tp': 4 tensor parallel ranks cannot share dimension 0 of 'w1', which has 30 elements, not a multiple of 4; shard another dimension, or choose a number of ranks that divides it

// What the graph cannot do.
// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=g=0:tp' 2>&1 | FileCheck %s --check-prefix=GAIN
// GAIN: [[@LINE+11]]:{{.*}}: error: --shard='g=0:tp': 2 tensor parallel ranks cannot share dimension 0 of 'g', because 'te.rms_norm' needs a replicated its operand #1 along dimension 0; shard another dimension, or leave it to the compiler
// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=w1=0:tp,b1=none' 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: [[@LINE+10]]:{{.*}}: error: --shard='w1=0:tp': 2 tensor parallel ranks cannot share dimension 0 of 'w1', because --shard='b1=none' says otherwise about 'b1'; shard another dimension, or leave it to the compiler
// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=u=0:tp' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: [[@LINE+11]]:{{.*}}: error: --shard='u=0:tp': 2 tensor parallel ranks cannot share dimension 0 of 'u', because 'math.tanh' does not say how ranks share it (ShardableOpInterface); shard another dimension, or leave it to the compiler
// RUN: not te-opt %s --te-shard-model='mesh=tp=2 shard=w1=none' 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: no column-/row-parallel layer pair found for 2 tensor parallel ranks: {{.*}}; use ranks along dp, or leave more of them to the compiler in --shard
func.func @mlp(%x: tensor<8x16xf32> {te.input = "x"}, %g: tensor<16xf32> {te.param = "g"},
    %w1: tensor<30x16xf32> {te.param = "w1"}, %b1: tensor<30xf32> {te.param = "b1"},
    %w2: tensor<16x30xf32> {te.param = "w2"}, %u: tensor<8x16xf32> {te.param = "u"})
    -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %n, %r = te.rms_norm %x, %g {eps = 1.0e-5 : f32} : tensor<8x16xf32>, tensor<16xf32> -> y tensor<8x16xf32> stats tensor<8xf32>
  %h = te.matmul %n, %w1 bias(%b1 : tensor<30xf32>) {transpose_b} : tensor<8x16xf32>, tensor<30x16xf32> -> tensor<8x30xf32>
  %a = te.activation relu %h : tensor<8x30xf32> -> y tensor<8x30xf32>
  %d = te.matmul %a, %w2 {transpose_b} : tensor<8x30xf32>, tensor<16x30xf32> -> tensor<8x16xf32>
  %t = math.tanh %u : tensor<8x16xf32>
  %z = te.add %t, %d : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  return %z : tensor<8x16xf32>
}
