"""A real daemon in a directory of its own, and the programs of berth run against it. For the end-to-end tests.

BERTH_BIN names the directory of the programs.
"""
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

BIN = Path(os.environ.get("BERTH_BIN", Path(__file__).resolve().parents[2] / "build/dev/bin"))
PATIENCE_S = 60


class Daemon:
    """`berth serve` with virtual GPUs; leaves nothing behind after close()."""

    def __init__(self, gpus="4 x H100-80GB", cpus=64, extra="", data=None):
        self.dir = Path(tempfile.mkdtemp(prefix="berth-e2e-"))
        self.data = Path(data) if data else self.dir / "data"
        self.socket = self.dir / "s"
        self.work = self.dir / "work"
        self.work.mkdir()
        self.config = self.dir / "berth.toml"
        self.write_config(f'[local]\nnode = "here"\ncpus = {cpus}\nmemory = "64G"\ngpus = "{gpus}"\n{extra}')
        self.log = self.dir / "log"
        self.process = None

    def write_config(self, text):
        self.config.write_text(text)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.close()

    def spawn(self):
        command = [str(BIN / "berth"), "--socket", str(self.socket), "serve", "--data", str(self.data), "--config", str(self.config),
                   "--listen", "none"]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
        return self.process

    def start(self):
        self.spawn()
        until = time.monotonic() + PATIENCE_S
        while self.run("nodes").returncode != 0:
            if self.process.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"the daemon does not answer:\n{self.log.read_text(errors='replace')}")
            time.sleep(0.02)

    def stop(self):
        """A clean stop; jobs go on."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(PATIENCE_S)
        return self.process.returncode if self.process else None

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def close(self):
        if self.process and self.process.poll() is None:
            for job in self.jobs("live"):
                self.run("cancel", str(job["id"]))
            until = time.monotonic() + 20
            while self.jobs("live") and time.monotonic() < until:
                time.sleep(0.05)
            self.stop()
        shutil.rmtree(self.dir, ignore_errors=True)

    def environment(self, **more):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("BERTH_", "SLURM_", "SBATCH_"))}
        env.update({"BERTH_SOCKET": str(self.socket), "TZ": "UTC", **more})
        return env

    def run(self, *words, program="berth", stdin=b"", env=None, timeout=PATIENCE_S):
        """Runs a program of berth; output as text."""
        done = subprocess.run([str(BIN / program), *map(str, words)], cwd=self.work, env=self.environment(**(env or {})),
                              input=stdin, capture_output=True, timeout=timeout)
        done.stdout = done.stdout.decode(errors="replace")
        done.stderr = done.stderr.decode(errors="replace")
        return done

    def ok(self, *words, **more):
        done = self.run(*words, **more)
        if done.returncode != 0:
            raise AssertionError(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def json(self, *words):
        return json.loads(self.ok(*words, "--json"))

    def submit(self, *words, **more):
        """The id of the job."""
        return int(self.ok("submit", "--parsable", *words, **more))

    def jobs(self, state="all"):
        done = self.run("jobs", "--json", "--state", state)
        return json.loads(done.stdout)["jobs"] if done.returncode == 0 else []

    def job(self, job):
        return self.json("show", str(job))

    def wait_for(self, job, state, timeout=PATIENCE_S):
        until = time.monotonic() + timeout
        while True:
            row = self.job(job)
            if row["state"] == state:
                return row
            if time.monotonic() > until:
                raise AssertionError(f"job {job} is {row['state']}, not {state}: {row['reason_text']}\n{self.log.read_text(errors='replace')}")
            time.sleep(0.05)

    def log_text(self):
        return self.log.read_text(errors="replace")


class Api(http.client.HTTPConnection):
    """The daemon's HTTP API over its Unix socket. OSError or HTTPException while it is away."""

    def __init__(self, socket_path, timeout=PATIENCE_S):
        super().__init__("berth", timeout=timeout)
        self.socket_path = str(socket_path)

    def __del__(self):
        self.close()

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.socket_path)

    def call(self, method, path, body=None):
        """Status and the answer's JSON."""
        data = None if body is None else json.dumps(body).encode()
        self.request(method, path, data, {"Content-Type": "application/json"} if data else {})
        response = self.getresponse()
        return response.status, json.loads(response.read())
