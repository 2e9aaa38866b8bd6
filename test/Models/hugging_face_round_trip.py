# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of Hugging Face, trained here, and back in Hugging Face.

Arguments: te-compile, te-run, the folder python. Exit code 77: skipped, because
torch, transformers or what they need is not installed.
"""

import os
import subprocess
import sys
import tempfile

te_compile, te_run, helper = sys.argv[1:]
sys.path.insert(0, helper)
try:
    import onnxscript  # noqa: F401: torch's exporter needs it
    import torch
    from safetensors.torch import load_file, save_file
    from transformers import GPT2Config, GPT2LMHeadModel

    from temlir_export import export_onnx
except ImportError as error:
    print(f"skipped: {error.name} is not installed: pip install torch onnx onnxscript transformers")
    sys.exit(77)


def run(*command):
    subprocess.run(command, check=True)


torch.manual_seed(0)
config = GPT2Config(
    vocab_size=96, n_positions=16, n_embd=32, n_layer=2, n_head=2,
    bos_token_id=0, eos_token_id=0,
)
model = GPT2LMHeadModel(config).eval()
before = {name: value.clone() for name, value in model.state_dict().items()}
ids = torch.randint(0, 96, (4, 16))

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    export_onnx(model, {"input_ids": ids}, "model.onnx", output_names=["logits"])
    with open("data.bin", "wb") as file:
        file.write(torch.randint(0, 96, (2000,), dtype=torch.int16).numpy().tobytes())
    run(te_compile, "model.onnx", "-o", "model.so")
    run(te_run, "train", "model.so", "--data", "data.bin", "--steps", "3",
        "--lr", "1e-2", "--checkpoint", "run")
    checkpoint = "run/step-00000003.safetensors"
    run(te_run, "export", checkpoint, "-o", "trained.safetensors")
    run(te_run, "export", checkpoint, "-o", "narrow.safetensors", "--dtype", "bf16")

    # Every key is there, and no other.
    trained = load_file("trained.safetensors")
    model.load_state_dict(trained, strict=True)
    assert model.lm_head.weight is model.transformer.wte.weight
    moved = [n for n, value in before.items() if not torch.equal(value, trained[n])]
    assert "lm_head.weight" in moved and len(moved) > len(before) // 2, moved
    for name, value in load_file("narrow.safetensors").items():
        assert torch.equal(value, trained[name].to(torch.bfloat16)), name

    # Buffers that a state dictionary has are there, too.
    class Buffered(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.table = torch.nn.Embedding(96, 16)
            self.norm = torch.nn.BatchNorm1d(16)
            self.head = torch.nn.Linear(16, 96)
            self.register_buffer("mask", torch.tensor([0.0, float("-inf")]))

        def forward(self, ids):
            x = self.norm(self.table(ids).flatten(0, 1)).unflatten(0, ids.shape)
            return self.head(x + self.mask[0])

    buffered = Buffered().eval()
    with torch.no_grad():
        buffered.norm.running_mean += 0.5
        buffered.norm.num_batches_tracked += 3
    export_onnx(buffered, {"ids": ids}, "buffered.onnx", output_names=["logits"])
    run(te_compile, "buffered.onnx", "-o", "buffered.so", "--precision", "f32")
    run(te_run, "train", "buffered.so", "--data", "data.bin", "--steps", "2",
        "--lr", "1e-2", "--checkpoint", "buffered")
    run(te_run, "train", "buffered.so", "--data", "data.bin", "--steps", "3",
        "--lr", "1e-2", "--checkpoint", "buffered", "--resume")
    run(te_run, "export", "buffered", "-o", "buffered.safetensors")
    fresh = Buffered()
    fresh.load_state_dict(load_file("buffered.safetensors"), strict=True)
    for name, value in buffered.named_buffers():
        assert torch.equal(fresh.get_buffer(name), value), name
    assert not torch.equal(fresh.head.weight, buffered.head.weight)

    # What both compute with the trained weights, in float32.
    run(te_compile, "model.onnx", "--entry", "forward", "--precision", "f32",
        "-o", "forward.so")
    save_file({"input_ids": ids}, "inputs.safetensors")
    run(te_run, "forward", "forward.so", "--inputs", "inputs.safetensors",
        "--outputs", "outputs.safetensors", "--checkpoint", checkpoint)
    ours = load_file("outputs.safetensors")["logits"]
    with torch.no_grad():
        theirs = model(ids).logits
    error = (ours - theirs).norm() / theirs.norm()
    assert error < 1e-5, error
    os.chdir("/")
print(f"relative error of the logits {error:.1e}")
