"""Progress for a person to follow: a spinner while a step runs, a line with its time when it is done.

Where the output is no terminal, only the lines are printed, without any control characters.
"""

import contextlib
import sys
import time

from rich.console import Console
from rich.markup import escape


class Step:
    """A step under way; its text is what the closing line says, and may be replaced while it runs."""

    def __init__(self, text, status, width):
        self.text = text
        self._width = width
        self._status = status

    def detail(self, text):
        """Show `text` beside the spinner until the next call."""
        self._status.update(escape(text[: self._width]))


class Progress:
    """Prints steps and findings to standard output."""

    def __init__(self):
        sys.stdout.reconfigure(errors="replace")  # a terminal without a tick mark still gets the text
        self.console = Console(highlight=False, soft_wrap=True)

    @contextlib.contextmanager
    def step(self, text):
        """Show `text` while the block runs, then the step's final text and its seconds. Gives the Step."""
        started = time.monotonic()
        with self.console.status(escape(text)) as status:
            step = Step(text, status, self.console.width - 4)  # room for the spinner
            yield step
        self.console.print(f"[green]✓[/] {escape(step.text):<72} {time.monotonic() - started:6.1f} s")

    def heading(self, text):
        """Print a line that stands out, with an empty one before it."""
        self.console.print(f"\n[bold]{escape(text)}[/]\n")

    def finding(self, name, text):
        """Print one labelled line of the summary."""
        self.console.print(f"  [cyan]{escape(name):<15}[/] {escape(text)}")

    def failure(self, text):
        """Print an error so that it is not overlooked."""
        self.console.print(f"\n[bold red]{escape(text)}[/]")
