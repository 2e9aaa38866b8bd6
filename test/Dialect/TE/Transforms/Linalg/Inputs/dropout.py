# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes dropout.safetensors: the inputs of dropout.mlir, random numbers and a seed of 64
bits. Needs torch and safetensors."""

import torch
from safetensors.torch import save_file

torch.manual_seed(0)
save_file(
    {
        "x": torch.randn(5, 7, 3),
        "h": torch.randn(33, 3).bfloat16(),
        "dropout_seed": torch.tensor(-0x123456789ABCDEF),
    },
    "dropout.safetensors",
)
