# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/operators.md, or says where it differs from the compiler.

ONNX operators, StableHLO operations and the reasons for which they are refused are
read from the frontends' sources: its tables of importers and folds, and the messages of its
refusals. What MLIR's ops can do is asked of te-list-operators.

usage: write_operators.py --root DIR --list te-list-operators [--check]
"""

import argparse
import json
import os
import re
import subprocess
import sys

_TABLE = re.compile(r'table\["(\w+)"\] =\s+(?:(with\w+)\()?(\w+)(?:<[^;]*>)?\)?;')
_FUNCTION = re.compile(r"^(?:static )?[\w:<>&*, ]*?\b(\w+)\([^;{]*?\) \{\n(.*?)^\}", re.S | re.M)
_HLO = re.compile(r'(?:table\[|\{)"((?:stablehlo|chlo|sdy)\.\w+)"(?:\] =\s*(\w+))?')
_REFUSAL = re.compile(r"unsupported\(\s*(?:node|op|call),(.*?)\);", re.S)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Functions that importers in other files call.
_SHARED = {
    "importFormula": "BroadcastOperand.cpp",
    "getFloats": "GraphImporter.cpp",
    "withFloats": "GraphImporter.cpp",
}
_CREATED = re.compile(r"\b(?:(\w+)::)?(\w+)Op::create\(")


def sentence_of(argument):
    """The text of a refusal; what is filled in when it happens is an ellipsis."""
    parts, last = [], 0
    for match in _STRING.finditer(argument):
        if re.sub(r"[\s()]|Twine", "", argument[last : match.start()]).strip("+"):
            parts.append("…")
        parts.append(match.group(1))
        last = match.end()
    if not parts or "…" == parts[0] and len(parts) == 1:
        return ""
    if re.sub(r"[\s()]|Twine", "", argument[last:]).strip("+"):
        parts.append("…")
    return "".join(parts)


class Source:
    """One file of the frontend: its functions and their refusals."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.functions = dict(_FUNCTION.findall(self.text))
        for function, name in _SHARED.items():
            other = os.path.join(os.path.dirname(path), name)
            if os.path.exists(other):
                with open(other, encoding="utf-8") as file:
                    self.functions[function] = dict(_FUNCTION.findall(file.read()))[function]

    def table(self):
        for name, wrapper, function in _TABLE.findall(self.text):
            yield name, wrapper, function

    def refusals(self, function, seen=None):
        """Those of a function and of the functions of this file that it calls."""
        seen = seen if seen is not None else set()
        if function in seen or function not in self.functions:
            return []
        seen.add(function)
        body = self.functions[function]
        found = []
        for match in re.finditer(r"unsupported\(|\b(\w+)\(", body):
            if match.group().endswith("unsupported("):
                argument = _REFUSAL.match(body, match.start())
                text = sentence_of(argument.group(1)) if argument else ""
                if text and text not in found:
                    found.append(text)
            elif match.group(1) != function:
                found += [r for r in self.refusals(match.group(1), seen) if r not in found]
        return found


def onnx_operators(root):
    folder = os.path.join(root, "lib/Frontend/ONNX")
    imported, folded = {}, set()
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".cpp"):
            continue
        source = Source(os.path.join(folder, name))
        for operator, wrapper, function in source.table():
            if name.startswith("Fold"):
                folded.add(operator)
            else:
                reasons = source.refusals(wrapper) + source.refusals(function)
                imported[operator] = list(dict.fromkeys(reasons))
    # The importer itself knows these.
    folded |= {"Constant", "Shape", "Size"}
    # What constants become is evaluated, but for randomness and sequences.
    folded |= imported.keys() - {"Dropout", "SequenceAt", "SplitToSequence"}
    return imported, folded


def escape(text):
    return text.replace("|", "\\|").replace("\\'", "'")


def onnx_table(root):
    imported, folded = onnx_operators(root)
    lines = [
        "| operator | on values of the model | on constants | reasons for refusal, as in the message |",
        "|---|---|---|---|",
    ]
    for name in sorted(imported.keys() | folded):
        reasons = "; ".join(escape(reason) for reason in imported.get(name, []))
        lines.append(
            f"| `{name}` | {'yes' if name in imported else '–'} | "
            f"{'yes' if name in folded else '–'} | {reasons} |"
        )
    return lines


def stablehlo_table(root):
    folder = os.path.join(root, "lib/Frontend/StableHLO")
    operations = {}
    for name in sorted(os.listdir(folder)):
        if name.startswith("Import") and name.endswith(".cpp"):
            source = Source(os.path.join(folder, name))
            for operation, function in _HLO.findall(source.text):
                operations[operation] = source.refusals(function)
    lines = [
        "## StableHLO",
        "",
        "As JAX writes it, in MLIR's generic form ([how to export](jax.md)): float32 and "
        "bfloat16, i32 and i64, booleans, complex numbers as two of float32; all "
        "shapes fixed. Operations on constants are computed when the model is "
        "imported, functions are inlined, and loops with fixed numbers of iterations "
        "are unrolled.",
        "",
        "| operation | reasons for refusal, as in the message |",
        "|---|---|",
    ]
    for name, reasons in sorted(operations.items()):
        lines.append(f"| `{name}` | {'; '.join(escape(reason) for reason in reasons)} |")
    return lines


def mlir_tables(lister):
    ops = json.loads(subprocess.run([lister], check=True, capture_output=True, text=True).stdout)
    lines = [
        "## MLIR: ops between tensors",
        "",
        "| op | runs | gradient | FP8 |",
        "|---|---|---|---|",
    ]
    mark = {True: "yes", False: "–"}
    for name, op in sorted(ops.items()):
        if op["kind"] == "tensor":
            lines.append(
                f"| `{name}` | {mark[op['compiles']]} | "
                f"{mark[op['differentiates']]} | {mark[op['fp8']]} |"
            )
    lines += [
        "",
        "An op without `runs` has no kernel of its own: it is rewritten or becomes part of a generated kernel. "
        "`tensor.collapse_shape`, `tensor.expand_shape` and `tensor.extract_slice` move nothing, "
        "`linalg.generic` and `linalg.transpose` become kernels. "
        "An op without a gradient can be used in training only where no gradient passes through it.",
        "",
        "## MLIR: scalar ops",
        "",
        "In the body of a `linalg.generic`, or on tensors element by element, float32. "
        "[Their accuracy](mlir.md#input), and the meaning of flags.",
        "",
        "| op | runs | gradient |",
        "|---|---|---|",
    ]
    for name, op in sorted(ops.items()):
        if op["kind"] == "scalar":
            lines.append(f"| `{name}` | {mark[op['compiles']]} | {mark[op['differentiates']]} |")
    return lines


HEAD = """\
<!-- Written by test/Docs/write_operators.py; a test compares. -->
# Operators

The ONNX operators and StableHLO operations that the frontends import, and the MLIR ops that `te-compile` takes as text. All others are refused by name, all of them at once, with their place in the model.

## ONNX

Opset 17 to 25, types float32 and bfloat16 for values of the model, integers for token ids and labels, booleans for masks; all shapes fixed. An operator *on constants* (shapes, position ids, masks) is computed when the model is imported, and so are `Shape` and `Size` of any value. Operators of other domains, and operators with a body (`If`, `Loop`, `Scan`), are refused.
"""


def page(root, lister):
    return "\n".join([HEAD] + onnx_table(root) + [""] + stablehlo_table(root) + [""] + mlir_tables(lister)) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Writes docs/operators.md.")
    parser.add_argument("--root", required=True)
    parser.add_argument("--list", required=True, help="te-list-operators")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    path = os.path.join(options.root, "docs/operators.md")
    text = page(options.root, options.list)
    if not options.check:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    with open(path, encoding="utf-8") as file:
        known = file.read()
    if known == text:
        return 0
    import difflib

    sys.stderr.writelines(
        difflib.unified_diff(
            known.splitlines(True), text.splitlines(True), path, "the compiler"
        )
    )
    print(
        "docs/operators.md is not what the compiler does; write it anew:\n  "
        f"python3 test/Docs/write_operators.py --root . --list {options.list}",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
