"""kill9.py SEED [--kills N] [--jobs N]: kill -9 of the daemon at random moments while jobs run and arrive.

Afterwards: no job lost (every acknowledged id has ended, as it should), none run twice at the same attempt (each task
writes down that it began), no GPU given twice (by the intervals that the jobs themselves recorded, per device), and the
books before a kill are those after the recovery. The same seed gives the same jobs and the same moments.
"""
import argparse
import collections
import http.client
import random
import sqlite3
import sys
import threading
import time

from daemon import Api, Daemon
from test_restart import books

GPUS = 8

# Writes down that it began and, at its end, which devices it had from when to when. Appends of one short line are atomic.
SCRIPT = """#!/bin/sh
begin=$(date +%s%N)
echo "$BERTH_JOB_ID $BERTH_ATTEMPT $RANK" >> "$BOOK/starts"
sleep "$LASTS"
echo "$BERTH_JOB_ID $BERTH_ATTEMPT $RANK $begin $(date +%s%N) $CUDA_VISIBLE_DEVICES" >> "$BOOK/intervals"
[ "$BERTH_ATTEMPT" -gt "$FAILS" ]
"""


class Plan:
    """What is submitted: single GPUs, gangs, arrays, jobs that fail and are retried, jobs that fail for good, CPU jobs."""

    def __init__(self, prng, where):
        self.prng, self.where, self.number = prng, where, 0

    def next(self):
        """A spec, the number of jobs that it makes, attempts that each needs, and the state that each ends in."""
        kind = self.prng.choices(["one", "gang", "array", "retried", "hopeless", "cpu"], [40, 15, 10, 15, 10, 10])[0]
        fails = {"retried": self.prng.randint(1, 2), "hopeless": 99}.get(kind, 0)
        gpus = {"gang": 2, "cpu": 0}.get(kind, 1)
        self.number += 1
        spec = {
            "name": f"{kind}-{self.number}",
            "command": ["/bin/sh", str(self.where / "job.sh")],
            "workdir": str(self.where),
            "env": {"PATH": "/usr/bin:/bin", "BOOK": str(self.where), "FAILS": str(fails), "LASTS": f"{self.prng.uniform(0.02, 0.6):.2f}"},
            "stdout_path": "/dev/null",
            "groups": [{"count": 2 if kind == "gang" else 1, "gpus": {"count": gpus}, "cpus_milli": 100}],
            "time_limit_ms": 600_000,
            "retry": {"attempts": {"retried": 3, "hopeless": 1}.get(kind, 0), "backoff_ms": 50},
        }
        jobs = 1
        if kind == "array":
            jobs = self.prng.randint(2, 4)
            spec["array"] = {"indexes": list(range(jobs)), "throttle": 2}
        attempts = {"retried": fails + 1, "hopeless": 2}.get(kind, 1)
        return spec, jobs, attempts, "failed" if kind == "hopeless" else "completed"


class Storm:
    def __init__(self, daemon, seed, kills, jobs):
        self.d, self.kills, self.jobs = daemon, kills, jobs
        self.prng = random.Random(seed)
        self.plan = Plan(random.Random(seed + 1), daemon.work)
        self.expected = {}      # acknowledged id -> (attempts, state)
        self.by_name = {}       # name -> (attempts, state), also of jobs that were never acknowledged
        self.unsure = 0
        (daemon.work / "job.sh").write_text(SCRIPT)

    def submit_all(self):
        """Goes on whatever happens to the daemon; what was not acknowledged is submitted anew."""
        api = Api(self.d.socket, timeout=20)
        pause = 0.35 * self.kills / self.jobs
        while len(self.expected) < self.jobs:
            spec, _, attempts, state = self.plan.next()
            self.by_name[spec["name"]] = (attempts, state)
            try:
                status, answer = api.call("POST", "/v1/jobs", {"spec": spec})
            except (OSError, http.client.HTTPException, ValueError):
                api.close()
                self.unsure += 1
                time.sleep(0.02)
                continue
            if status != 201:
                raise AssertionError(f"refused: {answer}")
            for job in answer["jobs"]:
                if job in self.expected:
                    raise AssertionError(f"id {job} was given twice")
                self.expected[job] = (attempts, state)
            time.sleep(pause * len(answer["jobs"]))

    def rage(self):
        """Some kills hit the recovery itself, most hit work."""
        for count in range(1, self.kills + 1):
            time.sleep(self.prng.uniform(0.005, 0.15) if self.prng.random() < 0.3 else self.prng.uniform(0.15, 0.7))
            code = self.d.process.poll()
            if code is not None:
                raise AssertionError(f"the daemon ended by itself with {code}:\n{self.d.log_text()[-3000:]}")
            self.d.kill()
            self.check_database(count)
            self.d.spawn()
            if count % 20 == 0:
                print(f"{count} kills, {len(self.expected)} jobs acknowledged", flush=True)

    def check_database(self, count):
        """Now and then: what lies on the disk is whole. The daemon is dead, so reading it disturbs nobody."""
        if count % 10:
            return
        file = next(self.d.data.glob("*.db"))
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as db:
            verdict = db.execute("PRAGMA integrity_check").fetchone()[0]
        db.close()
        if verdict != "ok":
            raise AssertionError(f"after kill {count}: {verdict}")

    def run(self):
        failures = []

        def submit():
            try:
                self.submit_all()
            except BaseException as error:  # shown by the main thread
                failures.append(error)

        thread = threading.Thread(target=submit, daemon=True)
        thread.start()
        self.rage()
        thread.join(300)
        self.d.kill()
        self.d.start()
        if failures:
            raise failures[0]
        assert not thread.is_alive(), "submitting did not come to its end"

    def await_ends(self):
        until = time.monotonic() + 300
        while live := self.d.jobs("live"):
            if time.monotonic() > until:
                rows = [(r["id"], r["state"], r["attempt"], r["reason_text"]) for r in live[:10]]
                raise AssertionError(f"{len(live)} jobs never end: {rows}\n{self.d.log_text()[-3000:]}")
            time.sleep(0.3)

    def check(self):
        rows = {row["id"]: row for row in self.d.jobs("all")}
        problems = [f"job {job} was acknowledged and is lost" for job in self.expected if job not in rows]
        for job, row in rows.items():
            attempts, state = self.by_name[row["name"]]
            if (row["state"], row["attempt"]) != (state, attempts):
                problems.append(f"job {job} {row['name']}: {row['state']} after {row['attempt']} attempts ({row['reason_text']}), not {state} after {attempts}")
        problems += self.check_starts(rows) + self.check_intervals()
        return problems

    def check_starts(self, rows):
        """Every attempt of every task began exactly once."""
        lines = (self.d.work / "starts").read_text().splitlines()
        problems = [f"begun {n} times: job, attempt, rank {line}" for line, n in collections.Counter(lines).items() if n > 1]
        begun = collections.defaultdict(set)
        for line in lines:
            job, attempt, rank = map(int, line.split())
            begun[job].add((attempt, rank))
        for job, row in rows.items():
            wanted = {(attempt, rank) for attempt in range(1, row["attempt"] + 1) for rank in range(row["tasks"])}
            if begun[job] != wanted:
                problems.append(f"job {job} began {sorted(begun[job])}, not {sorted(wanted)}")
        return problems

    def check_intervals(self):
        """No device is held by two at any time."""
        held = collections.defaultdict(list)
        for line in (self.d.work / "intervals").read_text().splitlines():
            job, attempt, rank, begin, end, *devices = line.split()
            for uuid in devices[0].split(",") if devices else []:
                held[uuid].append((int(begin), int(end), f"{job}.{attempt}.{rank}"))
        problems = [] if len(held) == GPUS else [f"{len(held)} devices were used, not {GPUS}"]
        for uuid, spans in held.items():
            spans.sort()
            for (_, end, first), (begin, _, second) in zip(spans, spans[1:]):
                if begin < end:
                    problems.append(f"{uuid} was given to {first} and {second} at once")
        self.spans = sum(map(len, held.values()))
        return problems


def check_books(d, times):
    """With long jobs running and others waiting, nothing that the listings say may change over a kill."""
    jobs = [d.submit("--gpus", 2, "--time", "10", "--chdir", d.work, "--output", "/dev/null", "--", "sleep", "120") for _ in range(3)]
    for job in jobs:
        d.wait_for(job, "running")
    jobs += [d.submit("--gpus", 4, "--time", "10", "--output", "/dev/null", "--", "true") for _ in range(20)]
    for _ in range(times):
        before = books(d)
        d.kill()
        d.start()
        time.sleep(0.3)
        after = books(d)
        assert after == before, f"the books differ:\n{before}\n{after}"
    for job in reversed(jobs):
        d.ok("cancel", job)
    for job in jobs:
        d.wait_for(job, "cancelled")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=500)
    arguments = parser.parse_args()
    began = time.monotonic()
    with Daemon(gpus=f"{GPUS} x H100-80GB", extra="[policy]\nkeep_ended = \"1h\"\n") as d:
        check_books(d, times=5)
        aside = {row["id"] for row in d.jobs("all")}
        storm = Storm(d, arguments.seed, arguments.kills, arguments.jobs)
        storm.d_jobs = d.jobs
        d.jobs = lambda state="all": [row for row in storm.d_jobs(state) if row["id"] not in aside]
        storm.run()
        storm.await_ends()
        problems = storm.check()
        total = len(d.jobs("all"))
        idle = all(not gpu["holders"] for gpu in d.json("gpus")["gpus"])
    if not idle:
        problems.append("a device is still held though no job lives")
    for problem in problems[:20]:
        print(problem)
    print(f"seed {arguments.seed}: {arguments.kills} kills, {len(storm.expected)} jobs acknowledged, {storm.unsure} submits broken off, "
          f"{total} jobs ended, {storm.spans} device intervals, {len(problems)} problems, {time.monotonic() - began:.0f} s")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
