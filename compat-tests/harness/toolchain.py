"""Pinned set-up from package registries, kept in the cache between runs.

Every step has a stamp (the digest of its pins), so a second run costs nothing. A missing toolchain raises NotRun, which
the tests turn into a counted skip that names the language, and with CI=true into a failure.
"""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPAT = ROOT / "compat-tests"
SETUP = COMPAT / "setup"
CLIENTS = COMPAT / "clients"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "dohle"
KAFKA_VERSION = "4.4.0"
STEP_SECONDS_MAX = 600
JSON_JARS = ("jackson-core-", "jackson-databind-", "jackson-annotations-")
# Of a client that is a process of its own.
JVM = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"]


class NotRun(Exception):
    """A language whose toolchain is missing: `language` names it, the text says what is missing."""

    def __init__(self, language, reason):
        super().__init__(f"not run: {language}: {reason}")
        self.language = language
        self.reason = reason


def _program(name, language):
    path = shutil.which(name)
    if path is None:
        raise NotRun(language, f"{name} is not installed")
    return path


def _run(command, language, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=STEP_SECONDS_MAX,
                          stdin=subprocess.DEVNULL, check=False, **options)
    if done.returncode != 0:
        raise RuntimeError(f"set-up of {language} failed: {' '.join(map(str, command))}\n{done.stdout[-4000:]}")
    return done.stdout


def _digest(*files):
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


@contextlib.contextmanager
def _locked(folder):
    """One process at a time installs into `folder`; the others wait and then find it done."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _stamped(folder, digest):
    stamp = folder / ".stamp"
    return stamp.exists() and stamp.read_text() == digest


def java():
    """The path of the Java launcher (17 or later)."""
    return _program("java", "Java")


def _maven_libs(folder, pom, jars):
    """The folder with the jars that `pom` names and what these need, from Maven; its content is exactly the list `jars`."""
    libs = folder / "libs"
    digest = _digest(pom, jars)
    if _stamped(folder, digest):
        return libs
    expected = sorted(jars.read_text().split())
    java()
    with _locked(folder):
        if not libs.exists() or sorted(p.name for p in libs.iterdir()) != expected:
            maven = _program("mvn", "Java")
            fresh = folder / "libs.new"
            shutil.rmtree(fresh, ignore_errors=True)
            _run([maven, "-q", "-B", "-f", pom, "dependency:copy-dependencies", "-DincludeScope=runtime",
                  f"-DoutputDirectory={fresh}"], "Java")
            found = sorted(p.name for p in fresh.iterdir())
            if found != expected:
                raise RuntimeError(f"Maven served other jars than {jars.name}: {set(found) ^ set(expected)}")
            shutil.rmtree(libs, ignore_errors=True)
            fresh.rename(libs)
        (folder / ".stamp").write_text(digest)
    return libs


def reference_libs():
    """The folder with the jars of the reference."""
    return _maven_libs(CACHE / "reference", SETUP / "pom.xml", SETUP / "reference-jars.txt")


def streams_smoke_libs():
    """The folder with Kafka Streams and its smoke test."""
    return _maven_libs(CACHE / "streams-smoke", SETUP / "streams-smoke-pom.xml", SETUP / "streams-smoke-jars.txt")


def java_classes():
    """The folder with the compiled Java programs of setup/java and clients/java."""
    sources = sorted([*(SETUP / "java").glob("*.java"), *(CLIENTS / "java").glob("*.java")])
    digest = _digest(*sources)
    folder = CACHE / "java-classes" / digest[:16]
    if _stamped(folder, digest):
        return folder
    libs = reference_libs()
    with _locked(folder):
        _run([_program("javac", "Java"), "-nowarn", "-cp", f"{libs}/*", "-d", folder, *sources], "Java")
        (folder / ".stamp").write_text(digest)
    return folder


def python_clients():
    """The interpreter of a venv that has the Python clients of setup/requirements.txt."""
    pins = SETUP / "requirements.txt"
    digest = _digest(pins)
    folder = CACHE / "python" / digest[:16]
    interpreter = folder / "venv" / "bin" / "python"
    if _stamped(folder, digest) and interpreter.exists():
        return interpreter
    system = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else _program("python3", "Python")
    with _locked(folder):
        (folder / ".stamp").unlink(missing_ok=True)
        shutil.rmtree(folder / "venv", ignore_errors=True)
        try:
            _run([system, "-m", "venv", folder / "venv"], "Python")
        except RuntimeError as error:
            raise NotRun("Python", "the venv module is missing (package python3-venv)") from error
        _run([interpreter, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "-r", pins], "Python")
        (folder / ".stamp").write_text(digest)
    return interpreter


def go_client(name):
    """The program `name` of clients/go as a binary: a driver, and a group member where it has one."""
    sources = sorted(p for p in (CLIENTS / "go").rglob("*") if p.suffix in (".go", ".mod", ".sum"))
    digest = _digest(*sources)
    folder = CACHE / "go-client" / digest[:16] / name
    if _stamped(folder, digest):
        return folder / "client"
    go = _program("go", "Go")
    with _locked(folder):
        try:
            _run([go, "build", "-o", folder / "client", f"./{name}"], "Go", cwd=CLIENTS / "go",
                 env={**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false"})
        except RuntimeError as error:
            # Debian 12's own Go is older than the module asks for, and can't fetch a newer one.
            if "requires go" in str(error) or "invalid go version" in str(error):
                raise NotRun("Go", str(error).splitlines()[-1]) from error
            raise
        (folder / ".stamp").write_text(digest)
    return folder / "client"


def java_client(version):
    """The first words of the Java driver over kafka-clients `version`, with the jars that setup/java-client-jars.txt pins."""
    pom, pins = SETUP / "java-client-pom.xml", SETUP / "java-client-jars.txt"
    source = CLIENTS / "java" / "JavaClient.java"
    libs = reference_libs()
    json_jars = sorted(str(jar) for jar in libs.glob("jackson-*.jar") if jar.name.startswith(JSON_JARS))
    expected = sorted(line.split()[1] for line in pins.read_text().splitlines() if line.split()[:1] == [version])
    digest = _digest(pom, pins, source)
    folder = CACHE / "java-clients" / digest[:16] / version
    words = [java(), *JVM, "-cp", ":".join([str(folder / "classes"), *json_jars, f"{folder}/libs/*"]), "JavaClient"]
    if _stamped(folder, digest):
        return words
    maven = _program("mvn", "Java")
    with _locked(folder):
        shutil.rmtree(folder / "libs", ignore_errors=True)
        _run([maven, "-q", "-B", "-f", pom, "dependency:copy-dependencies", "-DincludeScope=runtime", f"-Dclients.version={version}",
              f"-DoutputDirectory={folder / 'libs'}"], "Java")
        found = sorted(p.name for p in (folder / "libs").iterdir())
        if found != expected:
            raise RuntimeError(f"Maven served other jars for {version} than setup/java-client-jars.txt: {set(found) ^ set(expected)}")
        class_path = ":".join([*json_jars, f"{folder}/libs/*"])
        _run([_program("javac", "Java"), "-nowarn", "-cp", class_path, "-d", folder / "classes", source], "Java")
        (folder / ".stamp").write_text(digest)
    return words


def node_modules(pins):
    """The folder node_modules that `pins` (a folder with package.json and package-lock.json) asks for; no package's scripts run."""
    digest = _digest(pins / "package.json", pins / "package-lock.json")
    folder = CACHE / "node" / digest[:16]
    if _stamped(folder, digest):
        return folder / "node_modules"
    npm = _program("npm", "Node")
    with _locked(folder):
        for name in ("package.json", "package-lock.json"):
            shutil.copy(pins / name, folder / name)
        _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], "Node", cwd=folder)
        (folder / ".stamp").write_text(digest)
    return folder / "node_modules"


def node_client(program):
    """The first words of a program of clients/node; it finds its packages by `client_environment`."""
    node_modules(CLIENTS / "node")
    return [_program("node", "Node"), CLIENTS / "node" / program]


def client_environment():
    """The environment of every client program."""
    return {**os.environ, "DOHLE_NODE_MODULES": str(CACHE / "node" / _digest(
        CLIENTS / "node" / "package.json", CLIENTS / "node" / "package-lock.json")[:16] / "node_modules")}


def librdkafka_oldest():
    """librdkafka as a shared library, built from the sources inside the npm package that setup/librdkafka-oldest pins."""
    sources = node_modules(SETUP / "librdkafka-oldest") / "node-rdkafka" / "deps" / "librdkafka"
    folder = CACHE / "librdkafka" / _digest(SETUP / "librdkafka-oldest" / "package-lock.json")[:16]
    built = folder / "src" / "librdkafka.so.1"
    if _stamped(folder, "built") and built.exists():
        return built
    make = _program("make", "C")
    _program("gcc", "C")
    with _locked(folder):
        shutil.copytree(sources, folder, dirs_exist_ok=True)
        _run(["bash", "./configure", "--disable-ssl", "--disable-sasl"], "C", cwd=folder)
        _run([make, "-j2", "-C", "src", "librdkafka.so.1"], "C", cwd=folder)
        (folder / ".stamp").write_text("built")
    return built


def librdkafka_suite():
    """The folder of librdkafka 2.15.1's own tests, built: `test-runner` and the libraries in ../src and ../src-cpp."""
    pins = SETUP / "librdkafka-suite"
    sources = node_modules(pins) / "@confluentinc" / "kafka-javascript" / "deps" / "librdkafka"
    folder = CACHE / "librdkafka-suite" / _digest(pins / "package-lock.json")[:16]
    if _stamped(folder, "built"):
        return folder / "tests"
    make = _program("make", "C")
    _program("g++", "C")
    with _locked(folder):
        shutil.copytree(sources, folder, dirs_exist_ok=True)
        # Not the system's lz4, and nothing of SASL by Kerberos or OAuth: those tests need servers that are not here.
        _run(["bash", "./configure", "--disable-lz4-ext", "--disable-gssapi", "--disable-curl"], "C", cwd=folder)
        _run([make, "-j2", "libs"], "C", cwd=folder)
        _run([make, "-j2", "-C", "tests", "build"], "C", cwd=folder)
        (folder / ".stamp").write_text("built")
    return folder / "tests"


def librdkafka_debian():
    """The shared library of Debian's librdkafka1."""
    for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib"):
        path = pathlib.Path(folder, "librdkafka.so.1")
        if path.exists():
            return path
    raise NotRun("librdkafka", "librdkafka1 is not installed")


def kcat():
    """The path of kcat (Debian's package of that name)."""
    return _program("kcat", "kcat")


STEPS = {
    "Java": lambda: (reference_libs(), java_classes()),
    "Python": python_clients,
    "Go": lambda: go_client("franz"),
    "Node": lambda: node_client("kafkajs_client.js"),
    "kcat": kcat,
}
