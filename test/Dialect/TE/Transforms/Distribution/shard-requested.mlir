// What users say about parameters: shard=GLOB=DIM:tp and shard=GLOB=none.

// RUN: te-opt %s --te-shard-model='mesh=tp=2 shard=w2=0:tp' | FileCheck %s --check-prefix=COLUMNS
// RUN: te-opt %s --te-shard-model='mesh=tp=2 shard=w1=1:tp' | FileCheck %s --check-prefix=INNER
// RUN: te-opt %s --te-shard-model='mesh=tp=2 shard=b1=0:tp' | FileCheck %s --check-prefix=BIAS
// RUN: te-opt %s --te-shard-model='mesh=tp=2 shard=w[1]=none,token.*=0:tp' | FileCheck %s --check-prefix=ROWS
// RUN: te-opt %s --te-shard-model='mesh=tp=2 shard=table=1:tp' | FileCheck %s --check-prefix=WIDTH

// The second layer is not row-parallel any more, and the first has nothing to go
// on to: each rank computes it for some rows. Features of the second layer are
// gathered behind it, a part of the bias goes with them. The other MLP is as
// without a rule.
// COLUMNS-LABEL: func.func @mlps
// COLUMNS-SAME: tensor<32x16xf32> {te.param = "w1"}, %{{.*}}: tensor<32xf32> {te.param = "b1"}
// COLUMNS-SAME: tensor<8x32xf32> {te.param = "w2", te.shard = #te.shard<shape = [16, 32], dim_axes = 1>}
// COLUMNS-SAME: tensor<8xf32> {te.param = "b2", te.shard = #te.shard<shape = [16], dim_axes = 1>}
// COLUMNS-SAME: tensor<16x16xf32> {te.param = "w3", te.shard = #te.shard<shape = [32, 16], dim_axes = 1>}
// COLUMNS: te.matmul {{.*}} : tensor<4x16xf32>, tensor<32x16xf32> -> tensor<4x32xf32>
// COLUMNS: %[[D:.*]] = te.matmul {{.*}} {transpose_b} : tensor<8x32xf32>, tensor<8x32xf32> -> tensor<8x8xf32>
// COLUMNS: %[[T:.*]] = linalg.transpose ins(%[[D]]
// COLUMNS: shard.all_gather %[[T]] on @mesh grid_axes = [0] gather_axis = 0 : tensor<8x8xf32> -> tensor<16x8xf32>

// The first layer is row-parallel: each rank has a term of all its features, and
// its bias, which stays whole, is added to their sum.
// INNER-LABEL: func.func @mlps
// INNER-SAME: tensor<32x8xf32> {te.param = "w1", te.shard = #te.shard<shape = [32, 16], dim_axes = 1, dim = 1>}
// INNER-SAME: tensor<32xf32> {te.param = "b1"}
// INNER-SAME: tensor<16x32xf32> {te.param = "w2"}
// INNER: %[[TERM:.*]] = te.matmul {{.*}} {transpose_b} : tensor<8x8xf32>, tensor<32x8xf32> -> tensor<8x32xf32>
// INNER: %[[U:.*]] = shard.reduce_scatter %[[TERM]] {{.*}} : tensor<8x32xf32> -> tensor<4x32xf32>
// INNER: te.add %[[U]]

// A bias takes its layer along, and that the next one: what is found without a
// rule.
// BIAS-LABEL: func.func @mlps
// BIAS-SAME: tensor<16x16xf32> {te.param = "w1", te.shard = #te.shard<shape = [32, 16], dim_axes = 1>}
// BIAS-SAME: tensor<16xf32> {te.param = "b1", te.shard = #te.shard<shape = [32], dim_axes = 1>}
// BIAS-SAME: tensor<16x16xf32> {te.param = "w2", te.shard = #te.shard<shape = [16, 32], dim_axes = 1, dim = 1>}

// Both layers of an MLP stay whole if one does. A table, by another name of its,
// is cut into 17 rows a rank, of which one is no row.
// ROWS-LABEL: func.func @mlps
// ROWS-SAME: tensor<17x16xf32> {te.param = "table", te.shard = #te.shard<shape = [33, 16], dim_axes = 1>}
// ROWS-SAME: tensor<32x16xf32> {te.param = "w1"}, %{{.*}}: tensor<32xf32> {te.param = "b1"}, %{{.*}}: tensor<16x32xf32> {te.param = "w2"}
// ROWS: arith.constant 33 : i64
// ROWS: %[[OWN:.*]] = te.embedding {{.*}} : tensor<8xi64>, tensor<17x16xf32> -> tensor<8x16xf32>
// ROWS: shard.reduce_scatter

// WIDTH-LABEL: func.func @mlps
// WIDTH-SAME: tensor<33x8xf32> {te.param = "table", te.shard = #te.shard<shape = [33, 16], dim_axes = 1, dim = 1>}
// WIDTH: %[[X:.*]] = te.embedding {{.*}} : tensor<8xi64>, tensor<33x8xf32> -> tensor<8x8xf32>
// WIDTH: %[[XT:.*]] = linalg.transpose ins(%[[X]]
// WIDTH: shard.all_gather %[[XT]] on @mesh grid_axes = [0] gather_axis = 0
module attributes {te.tied = {table = ["token.weight"]}} {
func.func @mlps(%ids: tensor<8xi64> {te.input = "ids"}, %table: tensor<33x16xf32> {te.param = "table"},
    %w1: tensor<32x16xf32> {te.param = "w1"}, %b1: tensor<32xf32> {te.param = "b1"},
    %w2: tensor<16x32xf32> {te.param = "w2"}, %b2: tensor<16xf32> {te.param = "b2"},
    %w3: tensor<32x16xf32> {te.param = "w3"}, %w4: tensor<16x32xf32> {te.param = "w4"})
    -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "vjp"} {
  %x = te.embedding %ids, %table : tensor<8xi64>, tensor<33x16xf32> -> tensor<8x16xf32>
  %u = te.matmul %x, %w1 bias(%b1 : tensor<32xf32>) {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %a = te.activation gelu_tanh %u : tensor<8x32xf32> -> y tensor<8x32xf32>
  %d = te.matmul %a, %w2 bias(%b2 : tensor<16xf32>) {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  %z = te.add %x, %d : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  %v = te.matmul %z, %w3 {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %b = te.activation relu %v : tensor<8x32xf32> -> y tensor<8x32xf32>
  %e = te.matmul %b, %w4 {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  %y = te.add %z, %e : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
}
