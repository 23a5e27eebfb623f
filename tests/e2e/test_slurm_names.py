"""The names of Slurm's programs: what scripts written for Slurm rely on."""
import re
import unittest

from daemon import Daemon


class SlurmNames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.d = Daemon(extra='[[queue]]\nname = "main"\ndefault = true\n[[queue]]\nname = "other"\n')
        cls.d.start()
        cls.script = cls.d.work / "job.sh"
        cls.script.write_text("#!/bin/bash\n#SBATCH --job-name=batch\n#SBATCH --gres=gpu:1\nsleep ${1:-0}; exit ${2:-0}\n")

    @classmethod
    def tearDownClass(cls):
        cls.d.close()

    def sbatch(self, *words):
        return int(self.d.ok("--parsable", *words, program="sbatch"))

    def test_sbatch_says_what_slurm_says(self):
        self.assertRegex(self.d.ok(self.script, program="sbatch"), r"^Submitted batch job \d+\n$")

    def test_sbatch_parsable_wrap_wait(self):
        job = self.sbatch("--wrap", "echo wrapped", "-o", "wrapped.out")
        self.d.wait_for(job, "completed")
        self.assertEqual((self.d.work / "wrapped.out").read_text(), "wrapped\n")
        self.assertEqual(self.d.run("--wait", self.script, "0", "7", program="sbatch").returncode, 7)
        self.assertEqual(self.d.run("--wait", self.script, program="sbatch").returncode, 0)

    def test_sbatch_test_only(self):
        before = max((job["id"] for job in self.d.jobs()), default=0)
        done = self.d.run("--test-only", self.script, program="sbatch")
        self.assertEqual(done.returncode, 0)
        self.assertIn("1 GPU", done.stderr)
        self.assertEqual(max((job["id"] for job in self.d.jobs()), default=0), before)

    def test_sbatch_from_standard_input(self):
        self.assertRegex(self.d.ok(program="sbatch", stdin=b"#!/bin/sh\ntrue\n"), r"^Submitted batch job")

    def test_sbatch_refuses_what_it_does_not_understand(self):
        done = self.d.run("--colour=red", self.script, program="sbatch")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--colour", done.stderr)

    def test_squeue_columns(self):
        job = self.sbatch(self.script, "60")
        self.d.wait_for(job, "running")
        out = self.d.ok("-j", job, program="squeue")
        header, row = out.splitlines()
        self.assertEqual(header.split(), ["JOBID", "PARTITION", "NAME", "USER", "ST", "TIME", "NODES", "NODELIST(REASON)"])
        self.assertEqual(header[:18], "             JOBID")
        self.assertRegex(row, rf"^\s+{job}\s+main\s+batch\s+\S+\s+R\s+0:0\d\s+1 here")
        self.assertEqual(self.d.ok("-h", "-j", job, "-o", "%i|%T|%P|%u", program="squeue").split("|")[:3], [str(job), "RUNNING", "main"])
        self.assertIn("TIME_LIMI", self.d.ok("-l", "-j", job, program="squeue"))
        self.assertEqual(self.d.ok("-h", "-t", "PD", "-j", job, program="squeue"), "")
        self.assertIn(str(job), self.d.ok("-h", "--me", program="squeue"))
        self.assertEqual(self.d.ok("-h", "-p", "other", program="squeue"), "")
        self.assertEqual(self.d.ok("-h", "-u", "nobody", program="squeue"), "")
        self.d.ok(job, program="scancel")
        self.d.wait_for(job, "cancelled")

    def test_squeue_reasons_and_start(self):
        held = self.sbatch("--hold", self.script)
        self.assertIn("(JobHeldUser)", self.d.ok("-h", "-j", held, program="squeue"))
        self.assertIn("START_TIME", self.d.ok("--start", program="squeue"))
        self.assertIn("CA", self.d.ok(held, program="scancel") or "CA")
        self.assertIn("CANCELLED", self.d.ok("-h", "-t", "all", "-j", held, "-o", "%T", program="squeue"))

    def test_squeue_refuses_what_it_does_not_understand(self):
        for words, named in ((["--colour"], "--colour"), (["-o", "%i %x"], "%x"), (["-t", "sleepy"], "sleepy"), (["12"], "12")):
            done = self.d.run(*words, program="squeue")
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(named, done.stderr)

    def test_scancel_by_name_state_and_element(self):
        jobs = [self.sbatch("-J", "doomed", self.script, "60") for _ in range(2)]
        self.d.ok("-n", "doomed", program="scancel")
        for job in jobs:
            self.d.wait_for(job, "cancelled")
        array = self.sbatch("--array=1-4", "--hold", self.script)
        self.d.ok(f"{array}_[2-3]", program="scancel")
        states = {row["array_index"]: row["state"] for row in self.d.jobs() if row["array_first"] == array}
        self.assertEqual(states, {1: "pending", 2: "cancelled", 3: "cancelled", 4: "pending"})
        self.d.ok(array, program="scancel")
        states = {row["state"] for row in self.d.jobs() if row["array_first"] == array}
        self.assertEqual(states, {"cancelled"})
        self.assertEqual(self.d.run("-t", "PENDING", program="scancel").returncode, 0)

    def test_scancel_refusals(self):
        self.assertEqual(self.d.run(program="scancel").returncode, 2)
        self.assertIn("--signal", self.d.run("--signal=USR1", "1", program="scancel").stderr)
        self.assertEqual(self.d.run("999999", program="scancel").returncode, 1)

    def test_sinfo(self):
        header, *rows = self.d.ok(program="sinfo").splitlines()
        self.assertEqual(header.split(), ["PARTITION", "AVAIL", "TIMELIMIT", "NODES", "STATE", "NODELIST"])
        self.assertTrue(any(re.match(r"^main\*\s+up\s+infinite\s+1\s+\w+ here", row) for row in rows), rows)
        self.assertIn("NODELIST", self.d.ok("-N", program="sinfo"))
        self.assertIn("gpu:H100-80GB:4", self.d.ok("-h", "-o", "%G", program="sinfo"))
        self.assertEqual(self.d.run("--colour", program="sinfo").returncode, 2)


if __name__ == "__main__":
    unittest.main()
