# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/mutate makes of a text, without building anything."""

import importlib.machinery
import importlib.util
import os
import unittest

_PATH = os.path.join(os.path.dirname(__file__), "..", "..", "scripts", "mutate")
_LOADER = importlib.machinery.SourceFileLoader("mutate", _PATH)
mutate = importlib.util.module_from_spec(
    importlib.util.spec_from_loader("mutate", _LOADER)
)
_LOADER.exec_module(mutate)

TEXT = """\
#include "a.h" // a < b
namespace te {
static constexpr int kMost = 7;
struct S {
  int member = 3;
};
/// if (a < b)
static bool f(int a, int b) {
  // A comment; x = 1;
  if (a < b && !g("a < b"))
    return true;
  else if (auto c = h(a))
    call(c + 1);
  for (int i = 0; i < a; ++i) {
    int twice = 2 * i;
    total += twice;
  }
  std::vector<int> list(3);
  walk([&](int x) {
    if (x == 4)
      list.push_back(x);
    return skip();
  });
  return all_of(list, [](int x) { return x > 0; });
}
} // namespace te
"""


def changes(text=TEXT):
    return {
        (m.line, " ".join(text[m.start : m.end].split()), " ".join(m.old.split()))
        for m in mutate.mutants_of("a.cpp", text)
    }


class Mutate(unittest.TestCase):
    def test_conditions(self):
        condition = 'a < b && !g("a < b")'
        self.assertEqual(
            {new for line, old, new in changes() if line == 10},
            {
                f"!({condition})",
                'a <= b && !g("a < b")',
                'a < b || !g("a < b")',
                'a < b && g("a < b")',
            },
        )
        self.assertIn((14, "i < a", "i <= a"), changes())
        self.assertIn((20, "x == 4", "x != 4"), changes())

    def test_statements(self):
        self.assertIn((21, "list.push_back(x);", "(gone)"), changes())
        self.assertIn((16, "total += twice;", "total -= twice"), changes())
        self.assertIn((13, "call(c + 1);", "call(c - 1)"), changes())
        self.assertIn((15, "2 * i", "3 * i"), changes())
        self.assertIn((11, "true", "false"), changes())

    def test_what_stays(self):
        lines = {line for line, _, _ in changes()}
        # Constants and members, comments, a declaration in a condition, the
        # declaration of a vector, and a call of what has a lambda within.
        self.assertEqual(lines & {1, 3, 5, 7, 9, 12, 18, 19}, set())
        self.assertEqual(
            {new for line, _, new in changes() if line == 24}, {"x >= 0", "x > 1"}
        )

    def test_lines_keep_their_numbers(self):
        text = TEXT.replace("a < b && !g", "a < b &&\n      !g")
        chosen, _ = mutate.sample(["a.cpp"], 100, 1, lambda _: text)
        changed = mutate.with_mutants(text, dict(enumerate(chosen)))
        self.assertEqual(changed.count("\n"), text.count("\n"))
        self.assertEqual(changed.count("MUTANT("), len(chosen))

    def test_sample(self):
        def take(seed, count=4):
            return mutate.sample(["a.cpp"], count, seed, lambda _: TEXT)[0]

        self.assertEqual(take(1), take(1))
        self.assertNotEqual(take(1), take(2))
        self.assertEqual(len(take(1)), 4)
        starts = [mutant.start for mutant in take(1, 100)]
        self.assertEqual(len(starts), len(set(starts)))


if __name__ == "__main__":
    unittest.main()
