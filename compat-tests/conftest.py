"""Fixtures and options of the black-box tests. What they start lives in harness/; README.md says how to use them."""

import contextlib
import itertools
import os
import pathlib
import shutil
import signal
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from harness import clients, corpus, raw, report, server as servers, toolchain, tools as tool_runner  # noqa: E402

LIMIT_SECONDS = 120
outcomes = {}
topic_numbers = itertools.count(1)
not_run = {}


def pytest_addoption(parser):
    group = parser.getgroup("dohle")
    group.addoption("--server", choices=["dohle", "reference", "both"], default="dohle", help="which server is tested")
    group.addoption("--long", action="store_true", help="run the long forms too")


def kinds_of(config):
    chosen = config.getoption("--server")
    return ["dohle", "reference"] if chosen == "both" else [chosen]


def pairs_of(config):
    """Swap tests: who leaves the directory, and who takes it over."""
    return {
        "dohle": [("dohle", "reference"), ("reference", "dohle")],
        "reference": [("reference", "reference")],
        "both": [("dohle", "reference"), ("reference", "dohle"), ("reference", "reference")],
    }[config.getoption("--server")]


def pytest_generate_tests(metafunc):
    only, reason = next((mark.args for mark in metafunc.definition.iter_markers("only")), (None, None))
    if "server_pair" in metafunc.fixturenames:
        pairs = pairs_of(metafunc.config)
        metafunc.parametrize("server_pair", pairs, ids=["-then-".join(pair) for pair in pairs])
    if "server_kind" in metafunc.fixturenames:
        skip = pytest.mark.skip(reason=f"for {only} alone: {reason}")
        kinds = [kind if only in (None, kind) else pytest.param(kind, marks=skip) for kind in kinds_of(metafunc.config)]
        metafunc.parametrize("server_kind", kinds, scope="session")
    if "size" in metafunc.fixturenames:
        metafunc.parametrize("size", ["short", pytest.param("long", marks=pytest.mark.long)])


def pytest_collection_modifyitems(config, items):
    if config.getoption("--long") or "long" in (config.getoption("-m") or ""):
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


def pytest_collection_finish(session):
    """Installs before the first test, so that a cold cache is not on the time of a test; what fails here fails there too."""
    if session.items and not session.config.option.collectonly:
        for step in toolchain.STEPS.values():
            with contextlib.suppress(toolchain.NotRun, RuntimeError):
                step()


# -- time limits -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def limited(item):
    mark = item.get_closest_marker("limit")
    seconds = mark.args[0] if mark else LIMIT_SECONDS

    def expired(*_):
        raise TimeoutError(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, expired)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup(item):
    with limited(item):
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    with limited(item):
        yield


# -- the report --------------------------------------------------------------------------------------------------------


def server_of(item):
    params = getattr(item, "callspec", None) and item.callspec.params or {}
    if "server_kind" in params:
        return params["server_kind"]
    if "server_pair" in params:
        return "reference" if params["server_pair"] == ("reference", "reference") else "dohle"
    return None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    made = (yield).get_result()
    setattr(item, f"report_{made.when}", made)
    server = server_of(item)
    if server is None:
        return
    result = "fail" if made.failed else "skip" if made.skipped else "pass" if made.when == "call" else None
    if result is None:
        return
    mark = item.get_closest_marker("cell")
    names = {key: str(value) for key, value in item.callspec.params.items()}
    outcomes.setdefault(server, {})[item.nodeid] = {
        "suite": getattr(item.module, "SUITE", item.module.__name__),
        "version": getattr(item.module, "VERSION", toolchain.KAFKA_VERSION),
        "case": item.module.case_of(item.callspec.params) if hasattr(item.module, "case_of") and "key" in item.callspec.params else None,
        "client": mark.args[0].format(**names) if mark else None,
        "scenario": mark.args[1].format(**names) if mark else None,
        "result": result,
    }


def pytest_sessionfinish(session):
    if outcomes:
        report.merge(outcomes)


def pytest_terminal_summary(terminalreporter):
    for language, reason in sorted(not_run.items()):
        terminalreporter.write_line(f"not run: {language}: {reason}")


@pytest.fixture
def need():
    """need(step) runs a step of the set-up; a missing toolchain is a counted skip, and with CI=true a failure."""

    def run(step):
        try:
            return step()
        except toolchain.NotRun as reason:
            not_run[reason.language] = reason.reason
            if os.environ.get("CI") == "true":
                pytest.fail(str(reason))
            pytest.skip(str(reason))

    return run


# -- servers -----------------------------------------------------------------------------------------------------------


def clear(folder):
    """Throws the data of a test away that passed, and leaves the logs."""
    for path in pathlib.Path(folder).rglob("data*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def make_server(request, tmp_path, need):
    """make_server(kind, properties) -> a Server in a directory of its own, not started; it is ended with the test."""
    made = []

    def make(kind, properties=None, **options):
        if kind == "reference":
            need(toolchain.reference_libs)
        made.append(servers.Server(kind, tmp_path / f"server-{len(made)}", properties, **options))
        return made[-1]

    yield make
    failures = []
    for each in made:
        try:
            each.check()
        except AssertionError as failure:
            failures.append(str(failure))
        each.kill()
    if not failures and not (hasattr(request.node, "report_call") and request.node.report_call.failed):
        clear(tmp_path)
    assert not failures, "\n".join(failures)


@pytest.fixture
def server(make_server, server_kind):
    """A started server that the test has for itself."""
    return make_server(server_kind).start()


@pytest.fixture(scope="session")
def shared_server(server_kind, tmp_path_factory):
    """One server for all tests that only need some server; use `broker`, which watches over it."""
    try:
        made = servers.Server(server_kind, tmp_path_factory.mktemp(f"shared-{server_kind}")).start()
    except toolchain.NotRun as reason:
        pytest.skip(str(reason))
    yield made
    made.kill()
    clear(made.folder)


@pytest.fixture
def broker(shared_server):
    """The shared server: alive before the test; alive, answering and without a new ERROR line after it.

    One that died or hangs is the failure of the test that it served, and is started again for the next.
    """
    if shared_server.process is None:
        shared_server.start()
    yield shared_server
    shared_server.check()
    try:
        with raw.connected(shared_server.port, seconds=10) as connection:
            connection.api_versions()
    except (OSError, raw.Closed) as failure:
        shared_server.kill()
        pytest.fail(f"the server does not answer any more: {failure!r}\n{shared_server.log()[-3000:]}")


@pytest.fixture
def topic(request):
    """A name that no other test uses."""
    name = "".join(c if c.isalnum() else "-" for c in request.node.name)[:60].strip("-")
    return f"{name}-{next(topic_numbers)}"


# -- tools and files -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def tool_jvm(tmp_path_factory):
    runner = tool_runner.ToolRunner(tmp_path_factory.mktemp("tools"))
    yield runner
    runner.stop()


@pytest.fixture
def tools(tool_jvm, need):
    """tools("kafka-topics", "--list", ...) runs one of Kafka's own tools; see harness/tools.py."""
    need(toolchain.java_classes)
    return tool_jvm


@pytest.fixture
def client(request, tool_jvm, need, client_name):
    """The driver of the parameter `client_name`."""
    driver = clients.drivers(tool_jvm)[client_name]
    need(driver.prepare)
    return driver


@pytest.fixture
def text(size):
    """The corpus in the form that is asked for: about 5 MB, or more than 50 MB."""
    return corpus.corpus(corpus.SHORT_BYTES if size == "short" else corpus.LONG_BYTES)
