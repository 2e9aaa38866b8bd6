# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checker of quoted IR must be able to say no."""

import unittest

from check_ir import Search

OUTPUT = """\
module {
  %0 = te.a %arg0 : tensor<2xf32>
  %1 = te.b %0, %arg1 {x = 1 : i32} : tensor<2xf32>
  %2:3 = te.split %1 axis 1 : tensor<2xf32>
  %3 = te.a %2#1 : tensor<2xf32>
  return %3 : tensor<2xf32>
}
"""


def found(block):
    return Search(block, OUTPUT).run()


class CheckIR(unittest.TestCase):
    def test_names_are_free(self):
        self.assertTrue(found("...\n%u = te.a %x : tensor<2xf32>\n..."))

    def test_a_name_means_one_value(self):
        block = "...\n%u = te.a %x : tensor<2xf32>\n%v = te.b {}, %y {{x = 1 : i32}} : tensor<2xf32>\n..."
        self.assertTrue(found(block.format("%u")))
        self.assertFalse(found(block.format("%x")))

    def test_text_must_agree(self):
        self.assertFalse(found("...\n%u = te.a %x : tensor<3xf32>\n..."))

    def test_order_matters(self):
        self.assertTrue(found("...\n%v = te.b …\n...\n%s:3 = te.split %v axis 1 : …\n..."))
        self.assertFalse(found("...\n%s:3 = te.split %v axis 1 : …\n...\n%v = te.b …\n..."))

    def test_lines_without_a_gap_are_neighbours(self):
        self.assertTrue(found("...\n%u = te.a %x : …\n%v = te.b %u, %y …\n..."))
        self.assertFalse(found("...\n%u = te.a %x : …\n%s:3 = te.split …\n..."))

    def test_the_first_choice_may_be_wrong(self):
        self.assertTrue(found("...\n%u = te.a %x : …\n...\nreturn %u : tensor<2xf32>\n..."))

    def test_continued_lines_and_spaces(self):
        self.assertTrue(
            found("...\n%v = te.b %u,\n    %y {x = 1 : i32}\n    :   tensor<2xf32>\n...")
        )

    def test_the_missing_statement_is_named(self):
        search = Search("...\n%u = te.a %x : …\n...\nte.c\n...", OUTPUT)
        self.assertFalse(search.run())
        self.assertEqual(search.missing(), "te.c")


if __name__ == "__main__":
    unittest.main()
