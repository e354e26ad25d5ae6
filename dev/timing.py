"""Fair timings of two or more ways to the same answer."""

import statistics
import time


def alternate(actions, rounds):
    """Time each of `actions` once per round, in turn, so that whatever else the machine does meets them alike.

    Args:
        actions: dict of name to a function without arguments.
        rounds: how many times to run each.

    Returns:
        Dict of name to its median time in seconds.
    """
    seconds = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            started = time.perf_counter()
            action()
            seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(times) for name, times in seconds.items()}
