"""The pictures of the benchmark's results; rows are those of the CSV."""

import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

CHOSEN = "chosen"  # in the column bin_size: none was given
AS_RUN = ", measured"  # after a size there: the data was measured first, as `dbt run` does
COLOURS = {
    "package": "#1b6ca8", "package_bin_size_only": "#5aa2d6", "package_bin_size_as_run": "#3d86bd", "package_p90": "#a8cdea", "package_no_bin_size": "#0d3b66",
    "article": "#e08e45", "article_large_bins": "#f0b98a",
    "spark_plain": "#b5483a", "spark_asof": "#8b5fa8", "duckdb": "#d9b310", "duckdb_asof": "#ecd67a", "polars": "#5a9e6f", "polars_asof": "#a5cfb2",
}  # fmt: skip


def draw_engines(rows, folder: Path):
    """Seconds by engine, one panel a workload, all on one scale; hatched where extrapolated."""
    workloads = list(dict.fromkeys(row["workload"] for row in rows))
    figure, axes = plt.subplots(len(workloads), 1, figsize=(9, 2.3 * len(workloads) + 0.6), squeeze=False, sharex=True, layout="constrained")
    for axis, workload in zip(axes[:, 0], workloads, strict=True):
        timed = [row for row in rows if row["workload"] == workload and row.get("median_seconds")]
        timed.sort(key=lambda row: row.get("extrapolated_seconds") or row["median_seconds"], reverse=True)
        for place, row in enumerate(timed):
            seconds = row.get("extrapolated_seconds") or row["median_seconds"]
            extrapolated = bool(row.get("extrapolated_seconds"))
            axis.barh(place, seconds, color=COLOURS.get(row["engine"], "#777777"), hatch="//" if extrapolated else None, edgecolor="white")
            axis.annotate(f" {seconds:,.{0 if seconds >= 100 else 1}f} s" + (" (extrapolated)" if extrapolated else ""), (seconds, place), va="center", fontsize=8)
        axis.set_yticks(range(len(timed)), [row["engine"] for row in timed], fontsize=8)
        axis.set_xscale("log")
        axis.tick_params(labelbottom=True)
        axis.set_title(workload, loc="left", fontsize=10)
        axis.spines[["top", "right"]].set_visible(False)
    # One scale for all, from a whole power of ten: on a logarithmic one, bars that begin just below the least would make 4 and 5 seconds look far apart.
    seconds = [row.get("extrapolated_seconds") or row["median_seconds"] for row in rows if row.get("median_seconds")]
    axes[-1, 0].set_xlim(10 ** math.floor(math.log10(min(seconds))), max(seconds) * 20)
    axes[-1, 0].set_xlabel("seconds, median (logarithmic)")
    _save(figure, folder / "engines.png")


def draw_bin_sizes(rows, folder: Path):
    """Seconds over bin size as multiples of the least, a line a workload and a panel a kind of them; dotted, the time of the size that the package chooses itself."""
    workloads = list(dict.fromkeys(row["workload"] for row in rows))
    kinds = list(dict.fromkeys(workload[0] for workload in workloads))
    figure, axes = plt.subplots(1, len(kinds), figsize=(1 + 5 * len(kinds), 4.5), layout="constrained", sharey=True, squeeze=False)
    for axis, kind in zip(axes[0], kinds, strict=True):
        for workload in (name for name in workloads if name[0] == kind):
            timed = [row for row in rows if row["workload"] == workload and row.get("median_seconds")]
            seconds = {row["bin_size"]: row["median_seconds"] for row in timed}
            chosen = seconds.pop(CHOSEN, math.nan)
            best = min(seconds.values(), default=math.nan)
            fixed = [of_size / best for size, of_size in seconds.items() if not size.endswith(AS_RUN)]
            line = axis.plot([2.0 ** (2 * n - 4) for n in range(len(fixed))], fixed, marker="o", label=workload)
            axis.axhline(chosen / best, color=line[0].get_color(), linestyle=":")
        axis.set_xscale("log", base=2)
        axis.set_yscale("log", base=2)
        axis.yaxis.set_major_formatter("{x:g}")
        if len(axis.lines) > 2 * 14:
            axis.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5), ncols=-(-len(axis.lines) // 2 // 14), fontsize="x-small")
        else:
            axis.legend(frameon=False, loc="upper left")
        axis.spines[["top", "right"]].set_visible(False)
    figure.supxlabel("bin size, as a multiple of the length that nine of ten intervals do not exceed", fontsize="medium")
    axes[0][0].set_ylabel("time, as a multiple of the best\n(dotted: without a bin_size)")
    _save(figure, folder / "bin_size.png")


def rows_of(row) -> int:
    """The rows of both inputs and of the result."""
    return row["left_rows"] + row["right_rows"] + row["pairs"]


def seconds_a_row(row, join: bool = False) -> float:
    """The time over the rows of input and result. join: whether only that of the join counts, without what was measured before it."""
    return (row["median_seconds"] - (row.get("measuring_seconds") or 0) * join) / rows_of(row)


def draw_scales(rows, folder: Path):
    """Time a row over the scale, as a multiple of that of the largest input: a panel a way to call the package, a line a workload. Dotted: 1.3 times more, or less."""
    engines = list(dict.fromkeys(row["engine"] for row in rows))
    figure, axes = plt.subplots(1, len(engines), figsize=(2 + 5 * len(engines), 4.5), layout="constrained", sharey=True, squeeze=False)
    for axis, engine in zip(axes[0], engines, strict=True):
        for workload in dict.fromkeys(row["workload"] for row in rows):
            timed = [row for row in rows if (row["workload"], row["engine"]) == (workload, engine) and row.get("median_seconds")]
            axis.plot([row["scale"] for row in timed], [seconds_a_row(row) / seconds_a_row(timed[-1]) for row in timed], marker="o", label=workload)
        for bound in (1 / 1.3, 1.3):
            axis.axhline(bound, color="#777777", linestyle=":", linewidth=1)
        axis.set_title({"package": "best fixed size and settings", "package_no_bin_size": "no bin_size, with what it takes to measure"}.get(engine, engine), loc="left", fontsize=10)
        axis.set_xscale("log", base=2)
        axis.xaxis.set_major_formatter("{x:g}")
        axis.spines[["top", "right"]].set_visible(False)
    axes[0][0].set_ylim(bottom=0)
    axes[0][-1].legend(frameon=False)
    figure.supxlabel("scale", fontsize="medium")
    axes[0][0].set_ylabel("time a row of input and result,\nover that of the largest input")
    _save(figure, folder / "scale.png")


def _save(figure, path: Path):
    figure.savefig(path, dpi=130)
    plt.close(figure)
