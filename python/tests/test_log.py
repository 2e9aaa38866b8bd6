# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import json
import os
import sys
import tempfile
import threading
import time
import types
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from temlir_log import LogError, flatten, follow
from temlir_log.__main__ import main


def step(number, **others):
    return json.dumps({"step": number, "loss": 10.0 / number, **others}) + "\n"


class FakeWandb(types.ModuleType):
    """The functions of wandb that are used, and what they got."""

    def __init__(self):
        super().__init__("wandb")
        self.started, self.logged, self.finished = None, [], False

    def init(self, **arguments):
        self.started = arguments
        return self

    def log(self, numbers, step):
        self.logged.append((step, numbers))

    def finish(self):
        self.finished = True


class FakeMlflow(types.ModuleType):
    def __init__(self):
        super().__init__("mlflow")
        self.calls = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self.calls.append((name, args, kwargs))


class LogTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.run_folder = os.path.join(folder.name, "run-1")
        os.mkdir(self.run_folder)
        self.path = os.path.join(self.run_folder, "metrics.jsonl")

    def write(self, text, mode="w"):
        with open(self.path, mode, encoding="utf-8") as file:
            file.write(text)

    def call(self, *arguments, **modules):
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.dict(sys.modules, modules):
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main(list(arguments))
        return code, out.getvalue() + err.getvalue()

    def test_flatten(self):
        self.assertEqual(
            flatten(
                {
                    "step": 3,
                    "loss": None,
                    "lr": 0.5,
                    "skipped": True,
                    "fallback": "why",
                    "amax": {"h.0.input": 2.0, "h.0.weight": None},
                    "probe": {"loss": 1.5, "layers": {"h.0": {"second_order": 0.25}}},
                    "watch": [{"what": "saturation", "slot": "h.0.input", "value": 0.1, "limit": 1}],
                }
            ),
            {
                "lr": 0.5,
                "skipped": 1.0,
                "amax/h.0.input": 2.0,
                "probe/loss": 1.5,
                "probe/layers/h.0/second_order": 0.25,
                "watch/saturation/h.0.input": 0.1,
            },
        )

    def test_wandb(self):
        self.write(step(1) + "no json\n[1]\n" + step(2, amax={"a": 4.0}) + '{"step": 3, "lo')
        with open(os.path.join(self.run_folder, "run.toml"), "w", encoding="utf-8") as file:
            file.write("lr = 1e-3\nsteps = 7\n")
        wandb = FakeWandb()
        code, text = self.call("wandb", self.run_folder, "--project", "p", wandb=wandb)
        self.assertEqual((code, text), (0, "2 steps logged to wandb\n"))
        self.assertEqual(wandb.logged, [(1, {"loss": 10.0}), (2, {"loss": 5.0, "amax/a": 4.0})])
        self.assertTrue(wandb.finished)
        self.assertEqual((wandb.started["project"], wandb.started["name"]), ("p", "run-1"))
        if sys.version_info >= (3, 11):
            self.assertEqual(wandb.started["config"], {"lr": 1e-3, "steps": 7})

    def test_mlflow(self):
        self.write(step(1) + step(2))
        mlflow = FakeMlflow()
        code, _ = self.call("mlflow", self.path, "--project", "p", "--name", "n", mlflow=mlflow)
        self.assertEqual(code, 0)
        self.assertEqual(
            mlflow.calls,
            [
                ("set_experiment", ("p",), {}),
                ("start_run", (), {"run_name": "n"}),
                ("log_params", ({},), {}),
                ("log_metrics", ({"loss": 10.0},), {"step": 1}),
                ("log_metrics", ({"loss": 5.0},), {"step": 2}),
                ("end_run", (), {}),
            ],
        )

    def test_follows_a_run_that_is_continued(self):
        self.write(step(1) + step(2)[:9])
        logged = []

        def continue_run():
            self.write(step(2)[9:] + step(3), "a")
            while logged[-1:] != [3]:
                time.sleep(0.01)
            # From step 2 again, as te-run replaces the file.
            with open(self.path + ".tmp", "w", encoding="utf-8") as file:
                file.write(step(1) + step(2))
            os.replace(self.path + ".tmp", self.path)
            self.write(step(3) + step(4), "a")

        thread = threading.Thread(target=continue_run)
        thread.start()
        count = follow(self.run_folder, lambda number, _: logged.append(number), 2, 0.01)
        thread.join()
        self.assertEqual(logged, [1, 2, 3, 4])
        self.assertEqual(count, 4)

    def test_mistakes(self):
        with self.assertRaisesRegex(LogError, "metrics.jsonl' does not exist: give the FOLDER"):
            follow(self.run_folder, print)
        self.write(step(1))
        # None in sys.modules: not to be imported.
        code, text = self.call("wandb", self.run_folder, wandb=None)
        self.assertEqual(code, 1)
        self.assertIn("temlir_log: error: the Python package wandb is missing: pip install wandb", text)
        code, text = self.call("mlflow", self.run_folder + "-absent", mlflow=FakeMlflow())
        self.assertEqual(code, 1)
        self.assertIn("does not exist", text)


if __name__ == "__main__":
    unittest.main()
