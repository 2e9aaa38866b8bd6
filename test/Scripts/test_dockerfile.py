# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the Dockerfile names exists: instructions, files, stages, presets."""

import json
import os
import re
import subprocess
import unittest

_ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def read_instructions():
    with open(os.path.join(_ROOT, "Dockerfile"), encoding="utf-8") as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.MULTILINE)
    lines = re.sub(r"\\\n", " ", text).split("\n")
    return [line.split(None, 1) for line in lines if line.strip()]


class DockerfileTest(unittest.TestCase):
    def setUp(self):
        self.instructions = read_instructions()

    def arguments(self, name):
        return [rest for instruction, rest in self.instructions if instruction == name]

    def test_instructions(self):
        names = {instruction for instruction, _ in self.instructions}
        self.assertLessEqual(names, {"FROM", "ARG", "COPY", "WORKDIR", "RUN", "CMD"})
        self.assertEqual(self.instructions[0][0], "FROM")
        for command in self.arguments("CMD"):
            self.assertIsInstance(json.loads(command), list)

    def test_files_and_stages(self):
        stages = {
            rest.split(" AS ")[1] for rest in self.arguments("FROM") if " AS " in rest
        }
        for rest in self.arguments("COPY"):
            words = rest.split()
            if words[0].startswith("--from="):
                self.assertIn(words[0][len("--from=") :], stages)
            else:
                self.assertTrue(os.path.exists(os.path.join(_ROOT, words[0])), rest)

    def test_commands(self):
        with open(os.path.join(_ROOT, "CMakePresets.json"), encoding="utf-8") as file:
            presets = json.load(file)
        known = {preset["name"] for preset in presets["configurePresets"]}
        commands = self.arguments("RUN")
        self.assertTrue(commands)
        for command in commands:
            subprocess.run(["sh", "-n"], input=command, text=True, check=True)
            for script in re.findall(r"\bscripts/\S+", command):
                self.assertTrue(os.access(os.path.join(_ROOT, script), os.X_OK), script)
            for preset in re.findall(r"--preset (\S+)", command):
                self.assertIn(preset, known)


if __name__ == "__main__":
    unittest.main()
