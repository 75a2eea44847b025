"""The tool `realm` and its command `studio`, as the tests start them."""
import json
import os
import pathlib
import select
import signal
import subprocess
import time
import urllib.error
import urllib.request


class Tool:
    """Runs the commands of one build of `realm`."""

    def __init__(self, path):
        self.path = str(path)

    def run(self, *arguments, status=0):
        """Runs a command and returns its standard output. Fails when the exit status differs."""
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True, timeout=300)
        assert done.returncode == status, f"realm {' '.join(map(str, arguments))}: {done.returncode}: {done.stderr}"
        return done.stdout

    def refuses(self, *arguments):
        """Runs a command that must fail and print nothing, and returns what it says."""
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL)
        assert done.returncode != 0 and done.stdout == "", done
        return done.stderr

    def rows(self, file, class_name, predicate=None, *options):
        """Returns the objects that match, as dictionaries."""
        parts = [predicate] if predicate else []
        # The status is 1 when no object matches.
        done = subprocess.run(
            [self.path, "query", str(file), class_name, *parts, "--format", "jsonl", *map(str, options)],
            capture_output=True, text=True, timeout=300)
        assert done.returncode in (0, 1), done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def content(self, file, *options):
        """Returns the whole content of a file as sorted lines for each class, to compare it."""
        names = [one["name"] for one in json.loads(self.run("schema", file, "--json", *options))["classes"]
                 if not one.get("embedded")]
        return {name: sorted(self.run("export", file, "--class", name, *options).splitlines()) for name in names}


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)


class Studio:
    """A running `realm studio`. Ends with the `with` block."""

    def __init__(self, tool, file, *options):
        self.tool, self.file = tool, pathlib.Path(file)
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [tool.path, "studio", str(file), "--no-browser", *map(str, options)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.link = self.line(30)
        self.announced = time.monotonic()
        assert "#" in self.link, f"no link: {self.link!r} {self.process.stderr.read1().decode()}"
        self.address, self.token = self.link.split("#")
        self.port = int(self.address.rstrip("/").rsplit(":", 1)[1])

    def line(self, seconds):
        """Returns the next line of standard output."""
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        return self.process.stdout.readline().decode().strip() if ready else ""

    def interrupt(self):
        """Sends what Ctrl-C sends, and returns the exit status and the rest of standard output."""
        self.process.send_signal(signal.SIGINT)
        output, _ = self.process.communicate(timeout=20)
        return self.process.returncode, output.decode()

    def request(self, method, path, body=None, token=None, headers=None):
        """Sends a request without a browser. `token` is that of the link unless it is given."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, method=method)
        request.add_header("X-Studio-Token", self.token if token is None else token)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.headers, error.read())

    def view(self, class_name, filter="", sort=()):
        """Makes a view and returns what the server says about it."""
        answer = self.request("POST", "api/view", {
            "class": class_name, "filter": filter, "sort": list(sort)})
        assert answer.status == 200, answer.body
        return answer.json

    def memory(self, kind="RssAnon"):
        """Returns bytes of memory of the server; `RssAnon` leaves the file's map out."""
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith(kind + ":"):
                return int(line.split()[1]) * 1024
        raise AssertionError(f"no {kind}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def is_root():
    return os.geteuid() == 0
