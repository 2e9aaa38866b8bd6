# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What runs pages must notice a command that fails."""

import contextlib
import io
import unittest

from run_tutorial import find_blocks, run_blocks

PAGE = """\
Text with `sh`.

```sh
true
```

```mlir
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
        good = run_blocks(find_blocks(text), "page.md")
    return good, output.getvalue()


class RunTutorial(unittest.TestCase):
    def test_blocks(self):
        self.assertEqual(
            [block[:2] for block in find_blocks(PAGE)],
            [("sh", 4), ("python", 12), ("python", 16)],
        )

    def test_names_last_from_block_to_block(self):
        self.assertTrue(run(PAGE.format(1))[0])

    def test_python_that_fails(self):
        good, output = run(PAGE.format(2))
        self.assertFalse(good)
        self.assertIn('"page.md", line 16', output)

    def test_commands_that_fail(self):
        for command in ("false", "false\ntrue", "false | true"):
            good, output = run(f"```sh\n{command}\n```\n")
            self.assertFalse(good, command)
            self.assertIn("page.md:2: this ends with 1", output)


if __name__ == "__main__":
    unittest.main()
