# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first scales of delayed scaling."""

import jax
import jax.numpy as jnp

_PASSES = 8


def are_settled(pairs):
    """Whether no scale has changed by a factor of 2, of pairs of before and after."""
    return all(bool(jnp.all((a <= 2 * b) & (b <= 2 * a))) for a, b in pairs)


def calibrate(update, states, passes=_PASSES):
    """Scales for the first step, from its data: with those of fp8_state() alone,
    which are 1, small gradients would be flushed to zero.

    update   a function that runs the forward and backward passes of the first step
             with the given states and returns the new ones, as
             lambda s: jax.grad(loss, argnums=1)(params, s, batch)
    states   one tree of states, or a tree of those of several functions

    Repeats `update` until no scale changes by a factor of 2, since a value that was
    flushed to zero hides those behind it.
    """
    for _ in range(passes):
        new = update(states)
        settled = are_settled(
            (old, scale)
            for (path, old), scale in zip(
                jax.tree_util.tree_flatten_with_path(states)[0], jax.tree.leaves(new)
            )
            if jax.tree_util.keystr(path[-1:], simple=True) == "fp8.scales"
        )
        states = new
        if settled:
            break
    return states
