"""A full disk: submits are refused with a clear error, what was acknowledged stays, and all goes on when there is room again.

Needs the right to mount a small tmpfs; without it the test says that it is skipped.
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from daemon import Daemon

SKIPPED = 77


def mount():
    """A file system of 6 MB, or None."""
    where = tempfile.mkdtemp(prefix="berth-disk-")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", where], capture_output=True)
    if done.returncode != 0:
        Path(where).rmdir()
        return None
    return Path(where)


class FullDisk(unittest.TestCase):
    def setUp(self):
        self.disk = DISK
        self.d = Daemon(data=self.disk / "data")
        self.d.start()

    def tearDown(self):
        (self.disk / "filler").unlink(missing_ok=True)
        self.d.close()

    def fill(self):
        with open(self.disk / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(b"x" * 4096)
            except OSError:
                pass

    def test_refuses_and_loses_nothing(self):
        taken = [self.d.submit("--hold", "--comment", "c" * 1000, "--", "true") for _ in range(5)]
        self.fill()
        done = None
        for _ in range(200):
            done = self.d.run("submit", "--hold", "--comment", "c" * 100_000, "--", "true")
            if done.returncode != 0:
                break
        self.assertNotEqual(done.returncode, 0, "the disk never filled")
        self.assertRegex(done.stderr, "(?i)disk|space|full")
        self.assertEqual(self.d.run("queue").returncode, 0)
        known = {job["id"] for job in self.d.jobs("live")}
        self.assertLessEqual(set(taken), known)

        (self.disk / "filler").unlink()
        job = self.d.submit("--", "true")
        self.d.wait_for(job, "completed")
        for each in taken:
            self.d.ok("release", each)
            self.d.wait_for(each, "completed")

    def test_survives_a_kill_while_full(self):
        taken = [self.d.submit("--hold", "--", "true") for _ in range(5)]
        self.fill()
        self.d.run("submit", "--hold", "--comment", "c" * 100_000, "--", "true")
        self.d.kill()
        (self.disk / "filler").unlink()
        self.d.start()
        self.assertLessEqual(set(taken), {job["id"] for job in self.d.jobs("live")})


if __name__ == "__main__":
    DISK = mount()
    if DISK is None:
        print("skipped: no right to mount a file system here")
        sys.exit(SKIPPED)
    try:
        unittest.main()
    finally:
        subprocess.run(["umount", "-l", str(DISK)], check=False)
        DISK.rmdir()
