"""Restarts: jobs go on without the daemon, and the next one knows what became of them."""
import os
import signal
import time
import unittest
from pathlib import Path

from daemon import Daemon

VOLATILE = {"elapsed_ms", "now_ms", "usage_as_of_ms", "usage_gpu_hours_milli", "expected_start_ms"}


def books(d):
    """All that the daemon's listings say, less what changes with time alone."""
    return {name: [{k: v for k, v in row.items() if k not in VOLATILE} for row in d.json(name)[name]]
            for name in ("jobs", "nodes", "gpus", "queues")}


class Restart(unittest.TestCase):
    def setUp(self):
        self.d = Daemon()
        self.d.start()

    def tearDown(self):
        self.d.close()

    def restart(self, how):
        if how == "stop":
            self.assertEqual(self.d.stop(), 0)
        else:
            self.d.kill()

    def test_running_jobs_go_on(self):
        for how in ("stop", "kill"):
            job = self.d.submit("--gpus", "1", "--", "sh", "-c", "for i in 1 2 3 4 5 6; do echo $i; sleep 0.25; done")
            self.d.wait_for(job, "running")
            self.restart(how)
            time.sleep(0.3)
            self.d.start()
            row = self.d.wait_for(job, "completed")
            self.assertEqual(row["attempt"], 1)
            self.assertEqual(self.d.ok("logs", job), "1\n2\n3\n4\n5\n6\n")

    def test_what_ended_meanwhile_is_learned(self):
        for how in ("stop", "kill"):
            go = Path(self.d.dir) / f"go-{how}"
            wait = f"while [ ! -e {go} ]; do sleep 0.05; done"
            good = self.d.submit("--", "sh", "-c", wait)
            bad = self.d.submit("--", "sh", "-c", wait + "; exit 9")
            for job in (good, bad):
                self.d.wait_for(job, "running")
            self.restart(how)
            go.touch()
            time.sleep(1)
            self.d.start()
            self.d.wait_for(good, "completed")
            row = self.d.wait_for(bad, "failed")
            self.assertEqual((row["exit_code"], row["attempt"]), (9, 1))

    def test_the_books_are_the_same_afterwards(self):
        for gpus in (1, 1, 2):
            self.d.wait_for(self.d.submit("--gpus", gpus, "--time", "10", "--", "sleep", "120"), "running")
        for _ in range(10):
            self.d.submit("--gpus", "4", "--time", "10", "--", "sleep", "1")
        self.d.ok("drain", "here", "--reason", "kept")
        self.d.wait_for(self.d.submit("--", "true"), "pending")
        for how in ("stop", "kill", "kill"):
            before = books(self.d)
            self.restart(how)
            self.d.start()
            time.sleep(0.5)
            self.assertEqual(books(self.d), before)

    def test_ids_are_never_used_again(self):
        last = self.d.submit("--", "true")
        for how in ("stop", "kill"):
            self.restart(how)
            self.d.start()
            job = self.d.submit("--", "true")
            self.assertGreater(job, last)
            last = job

    def test_cancel_works_on_a_job_taken_up_again(self):
        job = self.d.submit("--", "sh", "-c", "sleep 120 & sleep 120 & wait")
        self.d.wait_for(job, "running")
        self.restart("kill")
        self.d.start()
        self.d.ok("cancel", job)
        self.d.wait_for(job, "cancelled")

    def test_hangup_reads_the_configuration_again(self):
        self.assertEqual(self.d.run("submit", "--queue", "later", "--", "true").returncode, 1)
        text = self.d.config.read_text()
        self.d.write_config(text + '[[queue]]\nname = "default"\ndefault = true\n[[queue]]\nname = "later"\n')
        self.d.process.send_signal(signal.SIGHUP)
        until = time.monotonic() + 20
        while self.d.run("submit", "--queue", "later", "--", "true").returncode != 0:
            self.assertLess(time.monotonic(), until, self.d.log_text())
            time.sleep(0.05)
        self.d.write_config(text + "[[queue]\n")
        self.d.process.send_signal(signal.SIGHUP)
        until = time.monotonic() + 20
        while "stays as it was" not in self.d.log_text():
            self.assertLess(time.monotonic(), until, self.d.log_text())
            time.sleep(0.05)
        self.assertEqual(self.d.run("submit", "--queue", "later", "--", "true").returncode, 0)

    def test_idle_is_idle(self):
        """No wake-ups and little memory while nothing happens."""
        self.d.wait_for(self.d.submit("--", "true"), "completed")
        time.sleep(3)
        before = self.switches()
        time.sleep(5)
        woken = self.switches() - before
        status = Path(f"/proc/{self.d.process.pid}/status").read_text()
        rss_kib = int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])
        print(f"idle: {rss_kib / 1024:.1f} MiB, {woken} wake-ups in 5 s")
        self.assertLessEqual(woken, 2)
        if not os.environ.get("BERTH_SANITIZED"):  # a sanitizer takes several times the memory
            self.assertLess(rss_kib, 40 * 1024)

    def switches(self):
        total = 0
        for task in Path(f"/proc/{self.d.process.pid}/task").iterdir():
            total += int(next(line for line in (task / "status").read_text().splitlines() if line.startswith("voluntary")).split()[1])
        return total


if __name__ == "__main__":
    unittest.main()
