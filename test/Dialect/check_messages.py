# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists messages of the dialects' verifiers that no test expects.

Reads every emitOpError() and emitError() in lib/Dialect/*/IR, and every shape
that verifyShape() checks, and looks for them in the lit tests."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
tests = "\n".join(
    line for path in sorted((root / "test").rglob("*.mlir"))
    for line in path.read_text().splitlines()
    if "expected-error" in line or "expected-note" in line)
STRING = r'"((?:[^"\\]|\\.)*)"'


def mnemonic(class_name):
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", class_name.removesuffix("Op"))
    return "_".join(word.lower() for word in words).replace("adam_w", "adamw")


def pieces(source, start):
    """The literal parts of the message that begins at `start`: up to the
    semicolon, neighbouring strings joined."""
    parts = []
    joins = False
    for token in re.finditer(STRING + r"|<<|;|\s+|.", source[start:]):
        if token[0] == ";":
            break
        if token[0].startswith('"'):
            text = token[1].replace('\\"', '"')
            if joins:
                parts[-1] += text
            else:
                parts.append(text)
            joins = True
        elif token[0] != "<<" and not token[0].isspace():
            joins = False
    return [part.strip() for part in parts if len(part.strip()) > 3]


missing = []
count = 0
for path in sorted((root / "lib" / "Dialect").glob("*/IR/*.cpp")):
    source = re.sub(r"//.*", "", path.read_text())
    for match in re.finditer(r"emit(?:Op)?Error\(\)", source):
        parts = pieces(source, match.end())
        count += 1
        if not all(part in tests for part in parts):
            missing.append(f"{path.name}: {' … '.join(parts)}")
    for verifier in re.finditer(
            r"^LogicalResult (\w+)::verify\(\) \{\n(.*?)^\}", source,
            re.DOTALL | re.MULTILINE):
        for what in re.findall(r'verifyShape\(\s*\*this,\s*"([^"]*)"',
                               verifier[2]):
            count += 1
            expected = f"{mnemonic(verifier[1])}' op expects {what} to have shape"
            if expected not in tests:
                missing.append(f"{path.name}: {expected}")
print(f"{count} messages, {len(missing)} without a test")
for message in missing:
    print(f"  {message}")
sys.exit(1 if missing or count < 80 else 0)
