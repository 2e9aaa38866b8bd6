# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the Debian package, lets apt find what it needs, unpacks it into a folder,
and compiles and runs a program from there.

usage: deb.py CPACK BUILD MODEL.mlir

Exit code 77: this is no Debian."""

import os
import shutil
import subprocess
import sys
import tempfile

_FILES = (
    "bin/te-run",
    "bin/te-opt",
    "include/te/InitAll.h",
    "include/tert/artifact.h",
    "lib/cmake/TEMLIR/TEMLIRConfig.cmake",
    "share/bash-completion/completions/te-run",
    "share/zsh/site-functions/_te-compile",
    "share/fish/vendor_completions.d/te-compile.fish",
    "share/man/man1/te-run.1",
    "share/doc/te-mlir/copyright",
    "share/doc/te-mlir/examples/embedding/CMakeLists.txt",
    "share/doc/te-mlir/reference/te.md",
)


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{command} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def main(cpack, build, model):
    if not shutil.which("dpkg-shlibdeps") or not shutil.which("apt-get"):
        print("skipped: packages are made on Debian")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        run(cpack, "--config", os.path.join(build, "CPackConfig.cmake"), "-B", folder)
        (name,) = (file for file in os.listdir(folder) if file.endswith(".deb"))
        package = os.path.join(folder, name)
        depends = run("dpkg-deb", "-f", package, "Depends")
        for needed in ("lld-22", "libmlir-22", "libprotobuf", "libhwy"):
            assert needed in depends, depends
        # -s: only whether it could be installed here.
        simulated = run("apt-get", "-s", "install", package)
        assert "Inst te-mlir" in simulated, simulated

        root = os.path.join(folder, "root")
        run("dpkg-deb", "-x", package, root)
        usr = os.path.join(root, "usr")
        for path in _FILES:
            assert os.path.getsize(os.path.join(usr, path)) > 0, path
        program = os.path.join(folder, "program.so")
        options = {"cwd": folder, "env": {"PATH": os.environ["PATH"], "HOME": folder}}
        arguments = ("--init", "normal:0.02", "--entry", "forward", "-o", program)
        run(os.path.join(usr, "bin", "te-compile"), model, *arguments, **options)
        te_run = os.path.join(usr, "bin", "te-run")
        run(te_run, "bench", program, "--iterations", "2", **options)
        linked = run("ldd", os.path.join(usr, "bin", "te-compile"))
        assert "not found" not in linked and build not in linked, linked
        # The manual page is one that man reads without complaint.
        if shutil.which("groff"):
            page = os.path.join(usr, "share", "man", "man1", "te-run.1")
            done = subprocess.run(
                ["groff", "-man", "-Tascii", "-ww", page], capture_output=True, text=True
            )
            assert not done.stderr, done.stderr[:1000]
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
