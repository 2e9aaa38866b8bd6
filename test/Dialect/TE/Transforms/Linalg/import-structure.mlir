// Control flow whose way is known, loops written out, and ops that are others in
// another form; compared with what they are defined to compute.
// RUN: %python %S/Inputs/structure.py %t.in %t.expected
// RUN: te-compile %s --entry=forward --precision=f32 --init=constant:3 --quiet -o %t.so
// RUN: te-run forward %t.so --inputs %t.in --outputs %t.out
// RUN: te-run compare %t.out %t.expected --tolerance 1e-6
// RUN: te-opt %s --te-import-linalg | FileCheck %s
// CHECK-NOT: scf.
// CHECK-NOT: linalg.pack
// CHECK-NOT: linalg.unpack
// CHECK-NOT: tensor.generate

func.func @main(%x: tensor<6x10xf32> {te.input = "x"}, %w: tensor<6x10xf32> {te.param = "w"})
    -> (tensor<6x10xf32> {te.output = "taken"}, tensor<6x10xf32> {te.output = "other"}, tensor<6x10xf32> {te.output = "all"},
        tensor<2x3x4x4xf32> {te.output = "packed"}, tensor<6x10xf32> {te.output = "unpacked"},
        tensor<6x10xf32> {te.output = "generated"}, tensor<6x10xf32> {te.output = "nested"}) {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %taken = scf.if %true -> tensor<6x10xf32> {
    %0 = arith.mulf %x, %w : tensor<6x10xf32>
    scf.yield %0 : tensor<6x10xf32>
  } else {
    scf.yield %x : tensor<6x10xf32>
  }
  %other = scf.if %false -> tensor<6x10xf32> {
    scf.yield %x : tensor<6x10xf32>
  } else {
    %0 = scf.index_switch %c3 -> tensor<6x10xf32>
    case 1 {
      scf.yield %x : tensor<6x10xf32>
    }
    case 3 {
      %1 = scf.execute_region -> tensor<6x10xf32> {
        %2 = arith.addf %x, %w : tensor<6x10xf32>
        scf.yield %2 : tensor<6x10xf32>
      }
      scf.yield %1 : tensor<6x10xf32>
    }
    default {
      scf.yield %w : tensor<6x10xf32>
    }
    scf.yield %0 : tensor<6x10xf32>
  }

  %e = tensor.empty() : tensor<6x10xf32>
  %all = scf.forall (%i) = (0) to (6) step (2) shared_outs(%out = %e) -> tensor<6x10xf32> {
    %block = tensor.extract_slice %x[%i, 0] [2, 10] [1, 1] : tensor<6x10xf32> to tensor<2x10xf32>
    %half = arith.divui %i, %c2 : index
    %number = arith.index_cast %half : index to i32
    %added = arith.sitofp %number : i32 to f32
    %rows = tensor.splat %added : tensor<2x10xf32>
    %sum = arith.addf %block, %rows : tensor<2x10xf32>
    %to = arith.subi %c4, %i : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[%to, 0] [2, 10] [1, 1] : tensor<2x10xf32> into tensor<6x10xf32>
    }
  }

  %minus = arith.constant -1.0 : f32
  %p0 = tensor.empty() : tensor<2x3x4x4xf32>
  %packed = linalg.pack %x padding_value(%minus : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %p0 : tensor<6x10xf32> -> tensor<2x3x4x4xf32>
  %twice = arith.addf %packed, %packed : tensor<2x3x4x4xf32>
  %unpacked = linalg.unpack %twice inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %e : tensor<2x3x4x4xf32> -> tensor<6x10xf32>

  %places = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c10 = arith.constant 10 : index
    %row = arith.muli %i, %c10 : index
    %place = arith.addi %row, %j : index
    %number = arith.index_cast %place : index to i32
    %value = arith.sitofp %number : i32 to f32
    tensor.yield %value : f32
  } : tensor<6x10xf32>
  %generated = arith.addf %x, %places : tensor<6x10xf32>

  // The inner bounds are known when the outer loop is written out, and the number of
  // runs of the last is what the loop before it returns.
  %nested, %count = scf.for %a = %c0 to %c3 step %c1 iter_args(%s = %x, %n = %c0) -> (tensor<6x10xf32>, index) {
    %inner = scf.for %b = %a to %c3 step %c1 iter_args(%t = %s) -> tensor<6x10xf32> {
      %ab = arith.muli %a, %b : index
      %number = arith.index_cast %ab : index to i32
      %value = arith.sitofp %number : i32 to f32
      %tensor = tensor.splat %value : tensor<6x10xf32>
      %next = arith.addf %t, %tensor : tensor<6x10xf32>
      scf.yield %next : tensor<6x10xf32>
    }
    scf.yield %inner, %c0 : tensor<6x10xf32>, index
  }
  %last = scf.for %a = %c0 to %count step %c1 iter_args(%s = %nested) -> tensor<6x10xf32> {
    scf.yield %x : tensor<6x10xf32>
  }
  return %taken, %other, %all, %packed, %unpacked, %generated, %last
      : tensor<6x10xf32>, tensor<6x10xf32>, tensor<6x10xf32>, tensor<2x3x4x4xf32>, tensor<6x10xf32>, tensor<6x10xf32>, tensor<6x10xf32>
}
