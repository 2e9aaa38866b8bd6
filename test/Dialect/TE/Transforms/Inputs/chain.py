# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a model that is a chain of N ops of a kind: "sums" of a parameter, or
"moves" of a constant that is repeated, whose last is doubled."""
import sys

kind, count = sys.argv[1], int(sys.argv[2])
matrix = "tensor<4x4xf32>"
print(f'func.func @forward(%x: {matrix} {{te.input = "x"}}, %w: {matrix} {{te.param = "w"}})'
      f' -> ({matrix} {{te.output = "y"}}) {{')
if kind == "sums":
    print(f"  %v0 = arith.mulf %x, %w : {matrix}")
    for i in range(count):
        print(f"  %v{i + 1} = arith.addf %v{i}, %w : {matrix}")
    last = f"%v{count}"
else:
    print("  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>")
    print(f"  %e = tensor.empty() : {matrix}")
    print(f"  %v0 = linalg.broadcast ins(%c : tensor<4xf32>) outs(%e : {matrix}) dimensions = [0]")
    for i in range(count):
        print(f"  %v{i + 1} = linalg.transpose ins(%v{i} : {matrix}) outs(%e : {matrix})"
              " permutation = [1, 0]")
    print(f"  %double = arith.addf %v{count}, %v{count} : {matrix}")
    print(f"  %sum = arith.addf %double, %x : {matrix}")
    print(f"  %y = arith.mulf %sum, %w : {matrix}")
    last = "%y"
print(f"  return {last} : {matrix}\n}}")
