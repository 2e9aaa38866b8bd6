"""Steps of torch.optim.SGD in float64, for the test of tert_sgd.

    python make_sgd.py

wrote sgd.safetensors with torch 2.15 on a CPU. Parameters and gradients are
stored in float32 and used as stored; results are rounded to it.
"""

import torch
from safetensors.torch import save_file

CASES = {
    "plain": dict(lr=0.05),
    "decay": dict(lr=0.05, weight_decay=0.1),
    "momentum": dict(lr=0.05, momentum=0.9),
    "dampening": dict(lr=0.05, momentum=0.8, dampening=0.25, weight_decay=0.1),
    "nesterov": dict(lr=0.05, momentum=0.9, weight_decay=0.1, nesterov=True),
}
STEPS = 4

torch.manual_seed(0)
param = torch.randn(7, 5)
gradients = torch.randn(STEPS, 7, 5)
tensors = {"param": param, "gradients": gradients}
for name, options in CASES.items():
    weight = torch.nn.Parameter(param.double())
    optimizer = torch.optim.SGD([weight], **options)
    after = []
    for gradient in gradients:
        weight.grad = gradient.double()
        optimizer.step()
        after.append(weight.detach().clone())
    tensors[f"{name}.params"] = torch.stack(after).float()
    buffer = optimizer.state[weight].get("momentum_buffer")
    if buffer is not None:
        tensors[f"{name}.momentum_buffer"] = buffer.float()
save_file(tensors, "sgd.safetensors")
