"""Every command of berth against a real daemon, with its exit status."""
import json
import re
import signal
import subprocess
import time
import unittest

from daemon import BIN, Daemon


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.d = Daemon(extra='[[queue]]\nname = "default"\ndefault = true\n[[queue]]\nname = "small"\nlimit = 1\n')
        cls.d.start()

    @classmethod
    def tearDownClass(cls):
        cls.d.close()

    def test_submit_prints_the_id_and_what_was_understood(self):
        out = self.d.ok("submit", "--gpus", "2", "--time", "1h", "--name", "two", "--", "true")
        lines = out.splitlines()
        self.assertRegex(lines[0], r"^Submitted job \d+$")
        self.assertIn("2 GPUs", out)

    def test_submit_wait_has_the_status_of_the_job(self):
        self.assertEqual(self.d.run("submit", "--wait", "--", "true").returncode, 0)
        self.assertEqual(self.d.run("submit", "--wait", "--", "sh", "-c", "exit 3").returncode, 1)

    def test_submit_json(self):
        answer = json.loads(self.d.ok("submit", "--json", "--", "true"))
        self.assertEqual(len(answer["jobs"]), 1)
        self.assertTrue(answer["understood"])

    def test_dry_run_submits_nothing(self):
        before = max((job["id"] for job in self.d.jobs()), default=0)
        out = self.d.ok("submit", "--dry-run", "--gpus", "1", "--", "true")
        self.assertIn("1 GPU", out)
        self.assertEqual(max((job["id"] for job in self.d.jobs()), default=0), before)

    def test_script_and_toml(self):
        script = self.d.work / "s.sh"
        script.write_text("#!/bin/bash\n#SBATCH -J scripted --gres=gpu:1\necho from script $1\n")
        job = self.d.submit(str(script), "word")
        self.d.wait_for(job, "completed")
        self.assertEqual(self.d.ok("logs", job), "from script word\n")
        (self.d.work / "j.toml").write_text('name = "t"\ngpus = 1\ncommand = "echo from toml"\n')
        job = self.d.submit("j.toml")
        self.d.wait_for(job, "completed")
        self.assertEqual(self.d.ok("logs", job), "from toml\n")

    def test_queue_columns(self):
        job = self.d.submit("--gpus", "1", "--name", "sleeper", "--", "sleep", "60")
        self.d.wait_for(job, "running")
        out = self.d.ok("queue")
        self.assertRegex(out.splitlines()[0], r"^\s*JOBID\s+QUEUE\s+NAME\s+USER\s+ST\s+TIME\s+TASKS\s+GPUS\s+WHERE/WHY")
        self.assertRegex(out, rf"(?m)^\s*{job}\s+default\s+sleeper\s+\S+\s+R\s+\S+\s+1\s+1\s+here/\d")
        self.assertNotIn("JOBID", self.d.ok("queue", "--no-header"))
        row = [row for row in self.d.json("queue")["jobs"] if row["id"] == job][0]
        self.assertEqual(row["state"], "running")
        self.assertEqual(self.d.ok("queue", "--no-header", "--name", "nobody"), "")
        self.d.ok("cancel", job)
        self.d.wait_for(job, "cancelled")

    def test_every_screen_says_that_gpus_are_virtual(self):
        for screen in ("queue", "jobs", "nodes", "gpus", "queues", "plan"):
            done = self.d.run(screen)
            self.assertIn("virtual", done.stdout + done.stderr, screen)

    def test_listings_have_json(self):
        for screen in ("queue", "jobs", "nodes", "gpus", "queues", "plan"):
            json.loads(self.d.ok(screen, "--json"))

    def test_gpus_name_their_holder(self):
        job = self.d.submit("--gpus", "1", "--", "sleep", "60")
        self.d.wait_for(job, "running")
        holders = [h["job"] for gpu in self.d.json("gpus")["gpus"] for h in gpu["holders"]]
        self.assertIn(job, holders)
        self.assertIn(f"{job}", self.d.ok("gpus"))
        self.d.ok("cancel", job)

    def test_show_why_hold_release(self):
        job = self.d.submit("--gpus", "1", "--hold", "--name", "held", "--", "true")
        self.assertIn("held", self.d.ok("why", job))
        self.assertEqual(self.d.json("why", job)["blockers"][0]["reason"], "user_hold")
        self.assertIn("pending", self.d.ok("show", job))
        self.d.ok("release", job)
        self.d.wait_for(job, "completed")

    def test_why_has_numbers_and_a_fix_or_a_time(self):
        first = self.d.submit("--queue", "small", "--gpus", "1", "--time", "10", "--", "sleep", "60")
        self.d.wait_for(first, "running")
        second = self.d.submit("--queue", "small", "--gpus", "1", "--", "true")
        why = self.d.ok("why", second)
        self.assertIn("small", why)
        self.assertIn("1 GPU", why)
        self.d.ok("cancel", first)
        self.d.wait_for(second, "completed")

    def test_cancel_hold_of_what_is_not_there(self):
        for action in ("cancel", "hold", "release", "requeue", "show", "why", "logs", "wait"):
            done = self.d.run(action, "999999")
            self.assertEqual(done.returncode, 1, action)
            self.assertIn("999999", done.stderr)

    def test_requeue_runs_again(self):
        job = self.d.submit("--", "sh", "-c", "test $BERTH_ATTEMPT -gt 1 || sleep 60")
        self.d.wait_for(job, "running")
        self.d.ok("requeue", job)
        self.assertEqual(self.d.wait_for(job, "completed")["attempt"], 2)

    def test_logs_follow_until_the_end(self):
        job = self.d.submit("--", "sh", "-c", "for i in 1 2 3; do echo line $i; sleep 0.2; done")
        self.assertEqual(self.d.ok("logs", "-f", job), "line 1\nline 2\nline 3\n")

    def test_wait_gives_up_in_time(self):
        job = self.d.submit("--", "sleep", "60")
        begin = time.monotonic()
        done = self.d.run("wait", job, "--timeout", "1")
        self.assertEqual(done.returncode, 1)
        self.assertLess(time.monotonic() - begin, 10)
        self.d.ok("cancel", job)
        self.assertEqual(self.d.run("wait", job).returncode, 1)

    def test_drain_and_undrain(self):
        self.d.ok("drain", "here", "--reason", "new fan")
        job = self.d.submit("--gpus", "1", "--", "true")
        self.assertIn("new fan", self.d.ok("nodes"))
        self.assertEqual(self.d.job(job)["state"], "pending")
        self.d.ok("undrain", "here")
        self.d.wait_for(job, "completed")
        self.assertEqual(self.d.run("drain", "nowhere", "--reason", "x").returncode, 1)

    def test_array_and_its_elements(self):
        job = self.d.submit("--array", "0-3%2", "--output", "a-%a.out", "--", "sh", "-c", "echo $SLURM_ARRAY_TASK_ID")
        for index in range(4):
            self.d.ok("wait", f"{job}_{index}")
            self.assertEqual((self.d.work / f"a-{index}.out").read_text(), f"{index}\n")

    def test_gang_has_ranks(self):
        job = self.d.submit("--tasks", "2", "--gpus", "2", "--output", "g.%t", "--", "sh", "-c", "echo $RANK/$WORLD_SIZE $CUDA_VISIBLE_DEVICES")
        self.d.wait_for(job, "completed")
        seen = [(self.d.work / f"g.{rank}").read_text().split() for rank in (0, 1)]
        self.assertEqual([s[0] for s in seen], ["0/2", "1/2"])
        devices = [uuid for s in seen for uuid in s[1].split(",")]
        self.assertEqual(len(set(devices)), 4)

    def test_dependency_chain(self):
        first = self.d.submit("--", "sh", "-c", "sleep 1; echo 1 >> chain")
        second = self.d.submit("--dependency", f"afterok:{first}", "--", "sh", "-c", "echo 2 >> chain")
        self.assertIn(f"afterok:{first}", self.d.job(second)["reason_text"] or "")
        self.d.wait_for(second, "completed")
        self.assertEqual((self.d.work / "chain").read_text(), "1\n2\n")

    def test_time_limit_ends_it(self):
        job = self.d.submit("--time", "1s", "--", "sleep", "60")
        self.d.wait_for(job, "timeout")

    def test_usage_is_status_2(self):
        for words in (["queue", "--colour"], ["show"], ["frobnicate"], [], ["drain", "here"], ["completion", "tcsh"], ["queue", "--watch", "x"]):
            done = self.d.run(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("--help", done.stderr)

    def test_no_daemon_is_status_3_and_says_what_to_do(self):
        done = self.d.run("queue", env={"BERTH_SOCKET": "/nonexistent/s"})
        self.assertEqual(done.returncode, 3)
        self.assertIn("berth serve", done.stderr)
        self.assertIn("/nonexistent/s", done.stderr)

    def test_socket_is_named_before_or_behind_the_command(self):
        elsewhere = {"BERTH_SOCKET": "/nonexistent/s"}
        for words in (["--socket", self.d.socket, "submit", "--", "true"], ["submit", "--socket", self.d.socket, "--", "true"],
                      ["submit", f"--socket={self.d.socket}", "--", "true"], ["queue", "--socket", self.d.socket]):
            self.assertEqual(self.d.run(*words, env=elsewhere).returncode, 0, words)
        done = self.d.run("submit", "--gpus", "1", "--socket", self.d.socket, "--", "true")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--socket", done.stderr)

    def test_help_has_examples(self):
        for words in (["--help"], ["queue", "--help"], ["submit", "--help"], ["serve", "--help"]):
            self.assertIn("xample", self.d.ok(*words))

    def test_version_names_both(self):
        self.assertRegex(self.d.ok("version"), r"(?s)berth \d.*daemon \d")

    def test_completion_is_valid_bash(self):
        script = self.d.ok("completion", "bash")
        check = 'COMP_WORDS=(berth que); COMP_CWORD=1; _berth 2> /dev/null; echo "${COMPREPLY[*]}"'
        out = subprocess.run(["bash", "-c", script + "\n" + check], capture_output=True, text=True, check=True).stdout
        self.assertEqual(out.split(), ["queue", "queues"])
        check = 'COMP_WORDS=(berth submit --gp); COMP_CWORD=2; _berth 2> /dev/null; echo "${COMPREPLY[*]}"'
        out = subprocess.run(["bash", "-c", script + "\n" + check], capture_output=True, text=True, check=True).stdout
        self.assertIn("--gpus", out.split())

    def test_watch_shows_it_again(self):
        watch = subprocess.Popen([str(BIN / "berth"), "queue", "--watch", "1"], cwd=self.d.work, env=self.d.environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        seen = 0
        while seen < 2:
            seen += "JOBID" in watch.stdout.readline()
        watch.send_signal(signal.SIGINT)
        watch.wait(10)
        watch.stdout.close()

    def test_check_files(self):
        good = self.d.work / "good.toml"
        good.write_text('[local]\ngpus = "2 x T4"\n[[queue]]\nname = "a"\ndefault = true\n')
        self.assertIn("nothing is wrong", self.d.ok("check", good))
        bad = self.d.work / "bad.toml"
        bad.write_text('[local]\ngpus = "2 x T4"\ncolour = "red"\n')
        done = self.d.run("check", bad)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"bad\.toml:3")
        tree = self.d.work / "tree.toml"
        tree.write_text('[[queue]]\nname = "a"\nparent = "nobody"\n[[queue]]\nname = "b"\ndefault = true\n')
        done = self.d.run("check", tree)
        self.assertEqual(done.returncode, 1)
        self.assertIn("queue a would be off", done.stderr)


if __name__ == "__main__":
    unittest.main()
