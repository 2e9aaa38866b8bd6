# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders of Hugging Face through te-run and back: names, types and tied weights, and
attention that stays within documents.

Arguments: te-run, the folder python. Exit code 77: skipped, because torch, transformers
or what they need is not installed.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

te_run, helper = sys.argv[1:]
try:
    import onnxscript  # noqa: F401: torch's exporter needs it
    import torch
    import transformers
    from safetensors import safe_open
except ImportError as error:
    print(f"skipped: {error.name} is not installed: pip install torch onnx onnxscript transformers")
    sys.exit(77)

os.environ["PYTHONPATH"] = helper
END, ROWS, LENGTH = 3, 4, 16
sizes = {"vocab_size": 96, "bos_token_id": 0, "eos_token_id": END}
llama = transformers.LlamaConfig(
    **sizes, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
    num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=32,
)
gpt2 = transformers.GPT2Config(**sizes, n_positions=32, n_embd=32, n_layer=2, n_head=2)


def run(*command):
    done = subprocess.run([te_run, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def tensors(folder):
    """{name: (type, shape)} of all files."""
    found = {}
    for path in glob.glob(folder + "/*.safetensors"):
        with safe_open(path, "pt") as file:
            for name in file.keys():
                part = file.get_slice(name)
                found[name] = part.get_dtype(), tuple(part.get_shape())
    return found


def load(folder, **options):
    model, info = transformers.AutoModelForCausalLM.from_pretrained(
        folder, output_loading_info=True, **options
    )
    assert not any(info.values()), info
    return model


def check_export(name, config, dtype):
    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(config).to(dtype)
    model.save_pretrained(name)
    run("train", "--model", name, "--python", sys.executable, "--data", "tokens.bin",
        "--batch", "2", "--sequence", "16", "--steps", "2", "--lr", "1e-2",
        "--checkpoint", name + "-run", "--compile", "precision=bf16")
    run("export", "--hf", name + "-run", "-o", name + "-out",
        "--max-shard-size", "20KB")
    assert os.path.exists(name + "-out/model.safetensors.index.json")
    assert tensors(name) == tensors(name + "-out")
    trained = load(name + "-out")
    assert trained.dtype == dtype
    # As te-run has them, rounded.
    run("export", name + "-run", "-o", "parameters.safetensors")
    with safe_open("parameters.safetensors", "pt") as file:
        for key, value in trained.state_dict().items():
            assert torch.equal(file.get_tensor(key).to(dtype), value), key
            if key.endswith("norm.weight"):
                assert not torch.equal(value, model.state_dict()[key]), key


def check_documents(name, tokens):
    run("train", "--model", name, "--python", sys.executable, "--data", "tokens.bin",
        "--batch", str(ROWS), "--sequence", str(LENGTH), "--steps", "1", "--lr", "0",
        "--eval-data", "tokens.bin", "--cache", "masked", "--document-masks",
        "--document-end", str(END), "--compile", "precision=f32")
    loss = json.loads(run("eval", "masked/model.so", "--data", "tokens.bin",
                          "--document-end", str(END), "--json", "--quiet"))["loss"]
    # Every document for itself, in float64.
    model = load(name, dtype=torch.float64).eval()
    windows = tokens[: len(tokens) // (ROWS * LENGTH) * ROWS * LENGTH].reshape(-1, LENGTH)
    apart, together = [], []
    for row in windows:
        ends = [0, *(i + 1 for i in range(LENGTH) if row[i] == END), LENGTH]
        with torch.no_grad():
            parts = [
                model(row[None, a:b]).logits[0] for a, b in zip(ends, ends[1:]) if a < b
            ]
            for logits, losses in ((torch.cat(parts), apart), (model(row[None]).logits[0], together)):
                losses.append(torch.nn.functional.cross_entropy(logits[:-1], row[1:]))
    expected, other = (torch.stack(losses).mean().item() for losses in (apart, together))
    assert abs(loss - expected) < 1e-5 * expected, (loss, expected)
    assert abs(other - expected) > 1e-4 * expected, (other, expected)
    print(f"{name}: loss {loss:.6f}, in float64 {expected:.6f}, without masks {other:.6f}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    tokens = torch.randint(4, 96, (64 * LENGTH,), generator=torch.Generator().manual_seed(1))
    tokens[::5] = END
    tokens.to(torch.int16).numpy().tofile("tokens.bin")
    check_export("llama", llama, torch.bfloat16)
    check_export("gpt2", gpt2, torch.float32)  # tied, with biases
    check_export("qwen", transformers.Qwen2Config(
        **sizes, hidden_size=32, intermediate_size=64, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=1, tie_word_embeddings=True,
    ), torch.float16)
    for config, name in ((llama, "llama"), (gpt2, "gpt2")):
        check_documents(name, tokens)
    os.chdir("/")
