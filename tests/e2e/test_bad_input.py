"""What bad input gets: an error that names flag, value and line, and says what would be right; nothing lost."""
import os
import shutil
import sqlite3
import threading
import time
import unittest

from daemon import Api, Daemon

TREE = """
[[queue]]
name = "default"
default = true
[[queue]]
name = "orphan"
parent = "nobody"
"""


class BadInput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.d = Daemon(extra=TREE)
        cls.d.start()

    @classmethod
    def tearDownClass(cls):
        cls.d.close()

    def refused(self, *words, says=(), status=None, **more):
        """Refused, with all these words in the error, and nothing submitted."""
        before = len(self.d.jobs())
        done = self.d.run(*words, **more)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stderr)
        for word in says:
            self.assertIn(word, done.stderr)
        self.assertEqual(len(self.d.jobs()), before)
        return done.stderr

    def test_limits_that_do_not_parse(self):
        for flag, value in (("--time", "4x"), ("--time", "-5"), ("--time", "1:2:3:4:5"), ("--time", ""), ("--mem", "40potatoes"),
                            ("--gpus", "many"), ("--gpus", "-1"), ("--cpus-per-task", "0x"), ("--array", "5-1"), ("--begin", "yesterday-ish"),
                            ("--signal", "SIGNOPE"), ("--time", "99999999999999999999"), ("--priority", "1e9"), ("--nodes", "two")):
            self.refused("submit", f"{flag}={value}", "--", "true", says=[flag, value], status=2)

    def test_unknown_options_name_the_nearest(self):
        self.refused("submit", "--gpu-s", "1", "--", "true", says=["--gpu-s"], status=2)
        self.refused("submit", "--tme=5", "--", "true", says=["--tme", "--time"], status=2)
        script = self.d.work / "bad.sh"
        script.write_text("#!/bin/bash\n#SBATCH --time=10\n#SBATCH --colour=red\ntrue\n")
        self.refused("submit", script, says=["bad.sh:3", "--colour"], status=2)
        toml = self.d.work / "bad.toml"
        toml.write_text('command = "true"\n\ngpuss = 1\n')
        self.refused("submit", toml, says=["bad.toml:3", "gpuss", "gpus"], status=2)

    def test_a_job_that_can_never_fit(self):
        self.refused("submit", "--gpus", "64", "--", "true", says=["4 GPUs"], status=1)
        self.refused("submit", "--gpus", "1", "--gpu-type", "T4", "--", "true", says=["H100-80GB"])
        self.refused("submit", "--tasks", "9", "--gpus", "1", "--", "true", says=["4"])
        self.refused("submit", "--mem", "1000G", "--", "true")

    def test_unknown_queue_names_those_there_are(self):
        self.refused("submit", "--queue", "nlp", "--", "true", says=["nlp", "default"], status=1)

    def test_a_broken_queue_tree_turns_off_only_that_queue(self):
        self.refused("submit", "--queue", "orphan", "--", "true", says=["orphan", "nobody"])
        self.d.wait_for(self.d.submit("--", "true"), "completed")
        self.assertIn("off", self.d.ok("queues"))
        self.assertIn("nobody", self.d.log_text())

    def test_dependency_on_a_job_that_does_not_exist(self):
        self.refused("submit", "--dependency", "afterok:999999", "--", "true", says=["999999"], status=1)

    def test_a_script_that_is_not_there(self):
        self.refused("submit", "nowhere.sh", says=["nowhere.sh"], status=1)
        self.refused("nowhere.sh", program="sbatch", says=["nowhere.sh"], status=1)

    def test_a_script_without_a_shebang(self):
        (self.d.work / "plain.sh").write_text("echo hi\n")
        self.refused("submit", "plain.sh", says=["#!"])

    def test_a_working_directory_that_vanished(self):
        gone = self.d.work / "gone"
        gone.mkdir()
        job = self.d.submit("--chdir", gone, "--hold", "--", "true")
        gone.rmdir()
        self.d.ok("release", job)
        row = self.d.wait_for(job, "failed")
        self.assertIn("gone", row["reason_text"])
        self.assertEqual(row["attempt"], 1)

    def test_a_program_that_is_not_there(self):
        row = self.d.wait_for(self.d.submit("--", "./no-such-program"), "failed")
        self.assertIn("no-such-program", row["reason_text"])

    def test_a_log_path_that_cannot_be_written(self):
        row = self.d.wait_for(self.d.submit("--output", "/proc/nope/log", "--", "true"), "failed")
        self.assertIn("/proc/nope/log", row["reason_text"])

    def test_a_script_of_50_mb(self):
        big = self.d.work / "big.sh"
        with open(big, "wb") as out:
            out.write(b"#!/bin/bash\n")
            for _ in range(50):
                out.write(b"# " + b"x" * (1 << 20) + b"\n")
        self.refused("submit", big, says=["big.sh", "4 MiB"])
        self.refused(big, program="sbatch", says=["big.sh"])
        api = Api(self.d.socket)
        try:
            status, answer = api.call("POST", "/v1/jobs", {"spec": {"script": big.read_text()}})
            self.assertEqual((status, answer["error"]["code"]), (413, "too_large"))
        except OSError:
            pass  # it may hang up before all is sent
        self.assertEqual(self.d.run("nodes").returncode, 0)

    def test_nul_bytes(self):
        (self.d.work / "nul.sh").write_bytes(b"#!/bin/bash\necho a\0b\n")
        self.refused("submit", "nul.sh", says=["nul.sh"])
        (self.d.work / "nul.toml").write_bytes(b'command = "a\0b"\n')
        self.refused("submit", "nul.toml", says=["nul.toml"])
        status, answer = Api(self.d.socket).call("POST", "/v1/jobs", {"spec": {"name": "a\0b", "command": ["true"]}})
        self.assertEqual(status, 400, answer)

    def test_invalid_utf8(self):
        (self.d.work / "latin.sh").write_bytes(b"#!/bin/bash\n#SBATCH -J gr\xfc\xdfe\ntrue\n")
        self.refused("submit", "latin.sh", says=["latin.sh", "UTF-8"])
        (self.d.work / "latin.toml").write_bytes(b'command = "true"\nname = "\xff"\n')
        self.refused("submit", "latin.toml", says=["latin.toml"])
        self.refused("submit", "--name", b"\xff\xfe".decode(errors="surrogateescape"), "--", "true", says=["--name"])
        done = self.d.run("submit", "--", "true", env={"ODD": b"\xff".decode(errors="surrogateescape")})
        self.assertEqual(done.returncode, 0)
        self.assertIn("ODD", done.stderr)

    def test_broken_json_and_unknown_routes(self):
        api = Api(self.d.socket)
        for body in (b"{", b"[]", b'{"spec":1}', b'{"spec":{"colour":1}}', b"\xff", b"[" * 100000):
            api.request("POST", "/v1/jobs", body, {"Content-Type": "application/json"})
            response = api.getresponse()
            text = response.read()
            self.assertEqual(response.status, 400, body[:20])
            self.assertIn(b'"message"', text)
        self.assertEqual(api.call("GET", "/v1/colours")[0], 404)
        self.assertEqual(api.call("POST", "/v1/nodes")[0], 405)

    def test_a_terminal_is_not_driven_by_a_name(self):
        job = self.d.submit("--name", "a\x1b[31mb", "--hold", "--", "true")
        self.assertNotIn("\x1b", self.d.ok("queue"))
        self.d.ok("cancel", job)


class BadDataDirectory(unittest.TestCase):
    def setUp(self):
        self.d = Daemon()

    def tearDown(self):
        self.d.close()

    def refuses_to_start(self, *says):
        process = self.d.spawn()
        self.assertNotEqual(process.wait(60), 0)
        for word in says:
            self.assertIn(word, self.d.log_text())

    def database(self):
        return next(path for path in self.d.data.iterdir() if path.suffix in (".db", ".sqlite", ".sqlite3"))

    def test_in_use_by_another_daemon(self):
        self.d.start()
        job = self.d.submit("--", "true")
        first, other = self.d.process, self.d.dir / "s2"
        self.d.socket, kept = other, self.d.socket
        self.refuses_to_start(str(first.pid))
        self.d.process, self.d.socket = first, kept
        self.d.wait_for(job, "completed")

    def test_written_by_a_newer_version(self):
        self.d.start()
        self.d.stop()
        with sqlite3.connect(self.database()) as db:
            db.execute("UPDATE meta SET schema_version = 999")
        db.close()
        self.refuses_to_start("999", "newer")

    def test_damaged(self):
        self.d.start()
        for _ in range(20):
            self.d.submit("--hold", "--", "true")
        self.d.stop()
        file = self.database()
        with open(file, "r+b") as db:
            db.seek(4096)
            db.write(os.urandom(8192))
        before = file.read_bytes()
        self.refuses_to_start(file.name)
        self.assertEqual(file.read_bytes(), before)

    def test_no_database_of_berth(self):
        self.d.start()
        self.d.stop()
        file = self.database()
        for path in self.d.data.glob(file.name + "*"):
            path.unlink()
        file.write_text("hello")
        self.refuses_to_start(file.name)

    def test_bad_configuration_names_file_and_line(self):
        self.d.write_config('[local]\ngpus = "4 x H100-80GB"\n[policy]\nbackfil = "easy"\n')
        self.refuses_to_start("berth.toml:4", "backfil", "backfill")
        self.d.write_config('[local\n')
        self.refuses_to_start("berth.toml:1")
        self.d.config.unlink()
        self.refuses_to_start("berth.toml")

    def test_a_directory_that_cannot_be_made(self):
        self.d.data = self.d.dir / "log" / "below-a-file"
        self.d.log.write_text("")
        self.refuses_to_start("below-a-file")

    def test_a_socket_path_that_is_too_long(self):
        self.d.socket = self.d.dir / ("x" * 200)
        self.refuses_to_start("socket")


class ManySubmits(unittest.TestCase):
    def test_100_000_at_once(self):
        d = Daemon()
        try:
            d.start()
            ids, problems = [], []
            spec = {"command": ["true"], "hold": True, "workdir": "/tmp"}

            def submit():
                api = Api(d.socket, timeout=600)
                for _ in range(25):
                    status, answer = api.call("POST", "/v1/jobs", {"specs": [spec] * 1000})
                    if status != 201:
                        problems.append(answer)
                    ids.extend(answer["jobs"])

            threads = [threading.Thread(target=submit) for _ in range(4)]
            begin = time.monotonic()
            for thread in threads:
                thread.start()
            slowest = 0
            while any(thread.is_alive() for thread in threads):
                asked = time.monotonic()
                d.ok("nodes")
                slowest = max(slowest, time.monotonic() - asked)
                time.sleep(0.2)
            print(f"100,000 jobs in {time.monotonic() - begin:.1f} s; slowest listing meanwhile {slowest:.2f} s")
            self.assertEqual(problems, [])
            self.assertEqual(sorted(ids), list(range(1, 100_001)))
            _, status = Api(d.socket).call("GET", "/v1/status")
            self.assertEqual(status["jobs"]["pending"], 100_000)
            d.kill()
            d.start()
            _, status = Api(d.socket).call("GET", "/v1/status")
            self.assertEqual(status["jobs"]["pending"], 100_000)
        finally:
            d.kill()
            shutil.rmtree(d.dir, ignore_errors=True)


if __name__ == "__main__":
    unittest.main()
