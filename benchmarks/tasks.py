"""What the tasks of a run took: how long each ran, and how much memory its operators held at most.

Spark keeps this for its web page, and keeps it with the page switched off.
"""

import itertools
from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """One stage of a run.

    seconds: of each task, ascending. peak_bytes: the most that the operators of one task held. times: when each task began and
    ended, in seconds since 1970. cpu_seconds: processor time of all tasks. rows_read: from tables and from shuffles.
    """

    number: int
    seconds: tuple
    peak_bytes: int
    times: tuple = ()
    cpu_seconds: float = 0
    rows_read: int = 0


def busy_seconds(stages) -> float:
    """How long at least one task of these stages ran."""
    busy, until = 0.0, 0.0
    for began, ended in sorted(span for stage in stages for span in stage.times):
        busy += max(0.0, ended - max(began, until))
        until = max(until, ended)
    return busy


class TaskWatch:
    """The stages that ran since it was made, or last asked."""

    def __init__(self, spark):
        self._gateway = spark.sparkContext._gateway
        self._store = spark.sparkContext._jsc.sc().statusStore()
        self._newest = next((stage.stageId() for stage in self._since(-1)), -1)

    def _since(self, newest: int):
        """The stages of higher numbers, in the order in which Spark keeps the last thousand: the newest first."""
        stages = self._store.stageList(None, False, False, self._gateway.new_array(self._gateway.jvm.double, 0), None)
        return itertools.takewhile(lambda stage: stage.stageId() > newest, (stages.apply(i) for i in range(stages.length())))

    def stages(self) -> list[Stage]:
        """The new stages that ran tasks, those of the most work first."""
        found = []
        for stage in self._since(self._newest):
            self._newest = max(self._newest, stage.stageId())
            tasks = self._store.taskList(stage.stageId(), stage.attemptId(), 100_000)
            seconds, times, peak, cpu, rows = [], [], 0, 0.0, 0
            for task in (tasks.apply(i) for i in range(tasks.length())):
                if task.duration().isDefined() and task.taskMetrics().isDefined():
                    metrics = task.taskMetrics().get()
                    seconds.append(metrics.executorRunTime() / 1000)
                    cpu += (metrics.executorCpuTime() + metrics.executorDeserializeCpuTime()) / 1e9
                    rows += metrics.inputMetrics().recordsRead() + metrics.shuffleReadMetrics().recordsRead()
                    began = task.launchTime().getTime() / 1000
                    times.append((began, began + task.duration().get() / 1000))
                    peak = max(peak, metrics.peakExecutionMemory())
            if seconds:
                found.append(Stage(stage.stageId(), tuple(sorted(seconds)), peak, tuple(times), cpu, rows))
        return sorted(found, key=lambda stage: -sum(stage.seconds))
