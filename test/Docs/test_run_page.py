# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What runs pages must notice a command that fails."""

import contextlib
import io
import os
import tempfile
import unittest

from run_page import PageError, check_options, find_blocks, run_blocks

PAGE = """\
Text with `sh`.

```sh
true
```

```
not run
```

```python
x = 1
```

```python
assert x == {}
```
"""


def run(text):
    with contextlib.redirect_stdout(io.StringIO()) as output:
        good, left_out = run_blocks(find_blocks(text), "page.md")
    return good, left_out, output.getvalue()


class RunPage(unittest.TestCase):
    def test_blocks(self):
        self.assertEqual(
            [(block.language, block.line) for block in find_blocks(PAGE)],
            [("sh", 4), ("", 8), ("python", 12), ("python", 16)],
        )

    def test_names_last_from_block_to_block(self):
        self.assertTrue(run(PAGE.format(1))[0])

    def test_quoted_code(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file.cpp")
            with open(path, "w", encoding="utf-8") as file:
                file.write("int f(int a,\n      int b) {\n  return a +\n         b;\n}\n")
            page = f"<!-- in {path} -->\n```cpp\n%s```\n"
            self.assertTrue(run(page % "int f(int a,\n      int b) {\n...\n}\n")[0])
            self.assertTrue(run(page % "return a +\n       b;\n")[0])
            self.assertFalse(run(page % "return a +\n       c;\n")[0])
            self.assertFalse(run(page % "int f(int a,\n}\n")[0])

    def test_python_that_fails(self):
        good, _, output = run(PAGE.format(2))
        self.assertFalse(good)
        self.assertIn('"page.md", line 16', output)

    def test_commands_that_fail(self):
        for command in ("false", "false\ntrue", "false | true"):
            good, _, output = run(f"```sh\n{command}\n```\n")
            self.assertFalse(good, command)
            self.assertIn("page.md:2: this ends with 1", output)

    def test_a_block_in_a_list(self):
        self.assertFalse(run("- text\n\n  ```sh\n  false\n  ```\n")[0])

    def test_hidden_blocks(self):
        self.assertFalse(run("<!-- sh\nfalse\n-->\n")[0])
        self.assertTrue(run("<!-- python\nx = 3\n-->\n```python\nassert x == 3\n```\n")[0])

    def test_needs(self):
        block = "<!-- needs python3 nobody_has_this -->\n```sh\nfalse\n```\n"
        self.assertEqual(run(block)[:2], (True, 1))
        self.assertFalse(run(block.replace(" nobody_has_this", ""))[0])
        every = "<!-- every block needs nobody_has_this -->\n\nText.\n\n```sh\nfalse\n```\n"
        self.assertEqual(run(every)[:2], (True, 1))

    def test_a_comment_is_of_the_block_behind_it_alone(self):
        self.assertFalse(run("<!-- needs nobody_has_this -->\nText.\n```sh\nfalse\n```\n")[0])

    def test_unknown_comments(self):
        with self.assertRaisesRegex(PageError, "nedes"):
            find_blocks("<!-- nedes torch -->\n```sh\nfalse\n```\n")

    def test_not_run(self):
        self.assertTrue(run("<!-- not run: why -->\n```sh\nfalse\n```\n")[0])
        self.assertFalse(run("<!-- not run: why -->\n```sh\nfor (\n```\n")[0])
        self.assertFalse(run("<!-- not run: why -->\n```python\nx = = 1\n```\n")[0])

    def test_shorter(self):
        page = "<!-- shorter: 500 => 5 -->\n```sh\ntest {} = 5\n```\n"
        self.assertTrue(run(page.format(500))[0])
        with self.assertRaisesRegex(PageError, "shorter: 500"):
            run(page.format(400))

    def test_quotations(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.cpp")
            with open(path, "w", encoding="utf-8") as file:
                file.write("int a;\nte::run(a, 1);\nint b;\nint c;\n")
            page = f"<!-- in {path} -->\n```cpp\n{{}}```\n"
            self.assertTrue(run(page.format("mlir::te::run(…); // so\nint b;\n"))[0])
            self.assertTrue(run(page.format("int a;\n\nint c;\n"))[0])
            self.assertFalse(run(page.format("int a;\nint c;\n"))[0])
            self.assertFalse(run(page.format("int d;\n"))[0])
        self.assertFalse(run("```cpp\nint a;\n```\n")[0])

    def test_json(self):
        self.assertTrue(run('```json\n{"a": 1}\n```\n')[0])
        self.assertFalse(run('```json\n{"a": }\n```\n')[0])

    def test_options(self):
        with tempfile.TemporaryDirectory() as folder:
            tool = os.path.join(folder, "te-run")
            with open(tool, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n[ $1 = train ] && echo '  --steps N'\n")
            os.chmod(tool, 0o755)
            before = os.environ["PATH"]
            os.environ["PATH"] = folder + os.pathsep + before
            try:
                check_options("srun -n 2 te-run train a.so --steps 3 # --other\n")
                with self.assertRaisesRegex(PageError, "no option --stepz"):
                    check_options("true && te-run train a.so \\\n  --stepz 3\n")
            finally:
                os.environ["PATH"] = before


if __name__ == "__main__":
    unittest.main()
