"""Draws one day of planes in the air, minute by minute."""

import os
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # no display needed; before pyplot is imported

import matplotlib.dates as mdates  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import MultipleLocator  # noqa: E402

_BLUE, _GREY, _INK = "#1f6fb2", "#6b7280", "#111827"


def draw_day(day, path):
    """Draw a day's planes in the air as a PNG, with its busiest minute marked.

    Args:
        day: DataFrame with the columns `minute` (timestamps of one day, ascending) and `planes`.
        path: file to write; it appears complete or not at all.
    """
    figure, axes = plt.subplots(figsize=(11, 5.4), dpi=150, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.2, h_pad=0.15)  # inches of white around
    _plot_counts(axes, day)
    _mark_peak(axes, day.loc[day["planes"].idxmax()])
    _dress(axes, day)
    unfinished = Path(path).with_suffix(".unfinished.png")
    figure.savefig(unfinished)
    plt.close(figure)
    os.replace(unfinished, path)


def _plot_counts(axes, day):
    """The line and the area under it; a step, as each count holds for its minute."""
    axes.fill_between(day["minute"], day["planes"], step="post", color=_BLUE, alpha=0.15, linewidth=0)
    axes.step(day["minute"], day["planes"], where="post", color=_BLUE, linewidth=1.3)


def _mark_peak(axes, peak):
    """A dot on the busiest minute, with its time and count."""
    axes.plot(peak["minute"], peak["planes"], "o", color=_BLUE, markersize=6)
    axes.annotate(
        f"{peak['minute']:%H:%M}: {peak['planes']} planes",
        (peak["minute"], peak["planes"]),
        xytext=(0, 12),
        textcoords="offset points",
        ha="center",
        color=_INK,
        fontsize=11,
        fontweight="bold",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 2},  # keeps the grid out of the text
    )


def _dress(axes, day):
    """Title, labels, scales, and no more lines than are read."""
    date, peak, plane_hours = day["minute"].iloc[0], day["planes"].max(), day["planes"].sum() / 60
    axes.set_title(
        f"{date.day} {date:%B %Y}, the year's busiest day: up to {peak} planes in the air at once",
        loc="left", color=_INK, fontsize=14, fontweight="bold", pad=26,
    )  # fmt: skip
    axes.text(
        0, 1.025,
        f"Flights that left New York (EWR, JFK, LGA), from departure to arrival, counted every minute; {plane_hours:,.0f} hours in the air in all",
        transform=axes.transAxes, color=_GREY, fontsize=10.5,
    )  # fmt: skip
    axes.set_xlabel("New York time", color=_GREY)
    axes.set_ylabel("planes in the air", color=_GREY)
    axes.set_xlim(date, date + mdates.num2timedelta(1))
    axes.set_ylim(0, peak * 1.15)
    axes.yaxis.set_major_locator(MultipleLocator(50))
    axes.xaxis.set_major_locator(mdates.HourLocator(byhour=range(0, 24, 3)))
    axes.xaxis.set_major_formatter(mdates.DateFormatter("%H:%M"))
    axes.grid(axis="y", color="#e5e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=_GREY, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color("#9ca3af")
