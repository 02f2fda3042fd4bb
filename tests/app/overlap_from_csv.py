#!/usr/bin/env python3
"""Computes the overlap of each schedule anew from `weft profile --csv`, in its own way: a sweep over the ends of all
intervals instead of arithmetic on sets. overlap_from_csv.py FILE.csv SCHEDULE=SLOTS... prints JSON:
{schedule: {"overlap": number or null, "frames": steady frames, "ms": their time, "late_uploads": count}}."""

import csv
import json
import sys


def first_starts(kernels):
    first = {}
    for row in kernels:
        tick, start = int(row["frame"]), int(row["start_ns"])
        first[tick] = min(first.get(tick, start), start)
    return first


def busy_times(intervals, window):
    """How long copies, kernels, and both were busy: a sweep through all begins and ends."""
    events = []
    for kind, start, end in intervals:
        start, end = max(start, window[0]), min(end, window[1])
        if start < end:
            events += [(start, 1, kind), (end, -1, kind)]
    running = {"copy": 0, "kernel": 0}
    busy = {"copy": 0, "kernel": 0, "both": 0}
    before = window[0]
    for time, step, kind in sorted(events):
        for name in ("copy", "kernel"):
            busy[name] += (time - before) * (running[name] > 0)
        busy["both"] += (time - before) * (running["copy"] > 0 and running["kernel"] > 0)
        running[kind] += step
        before = time
    return busy


def figures(rows, slots):
    device = [row for row in rows if row["kind"] == "device"]
    kernels = [row for row in device if row["stage"] == "kernel"]
    first = first_starts(kernels)
    low, high = min(first) + 2 * slots, max(first) + 1 - 2 * slots
    window = (first[low], first[high])
    intervals = [("kernel" if row["stage"] == "kernel" else "copy", int(row["start_ns"]), int(row["end_ns"]))
                 for row in device]
    busy = busy_times(intervals, window)
    least = min(busy["copy"], busy["kernel"])
    wall = window[1] - window[0]

    uploaded, last = {}, {}
    for row in device:
        key = (row["what"], row["frame"])
        if row["stage"] == "upload":
            uploaded[key] = max(uploaded.get(key, 0), int(row["end_ns"]))
        if row["stage"] == "kernel":
            last[row["frame"]] = max(last.get(row["frame"], 0), int(row["start_ns"]))
    late = sum(uploaded.get((row["what"], row["picture"]), 0) > last[row["frame"]]
               for row in rows if row["kind"] == "show")
    return {"overlap": busy["both"] / least if least >= 0.02 * wall else None,
            "frames": high - low, "ms": wall * 1e-6, "late_uploads": late}


def main():
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    result = {}
    for word in sys.argv[2:]:
        schedule, slots = word.split("=")
        result[schedule] = figures([row for row in rows if row["schedule"] == schedule], int(slots))
    print(json.dumps(result))


main()
