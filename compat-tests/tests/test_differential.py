"""The differential walk: every case of the table on the reference and on the server under test, the answers compared.

One test is one case of one API at one version. The whole table is walked once per module, so that a part that is chosen
with -k finds the state that it needs. With --server=reference two references are compared: what differs there is noise
that the normal form has to lose. differential/README.md says how to add a case.
"""

import pytest

from differential import allowed, table, walker
from harness import server as servers
from harness import toolchain

SUITE = "differential"


def listed():
    """The cases as the table says, without a server: (walk, API, version, case)."""
    return [pytest.param(key, id="-".join(map(str, key[:1] + (f"v{key[2]}",) + key[3:])).replace(" ", "_"))
            for walk in table.WALKS for key in walker.keys_of(walk)]


def case_of(params):
    """For the report: which API and version a test counts for."""
    return params["key"][1:3]


@pytest.fixture(scope="module")
def walked(server_kind, tmp_path_factory):
    """{(walk, API, version, case): Result} of the whole table."""
    try:
        toolchain.reference_libs()
    except toolchain.NotRun as reason:
        pytest.skip(str(reason))
    folder = tmp_path_factory.mktemp(f"differential-{server_kind}")
    pair = [servers.Server(kind, folder / f"{place}-{kind}", table.PROPERTIES)
            for place, kind in (("left", "reference"), ("right", server_kind))]
    try:
        for each in pair:
            each.start()
        walk = walker.Walker(*pair)
        for each in table.WALKS:
            walk.walk(each)
        walk.stop()
        pair[1].check()
    finally:
        for each in pair:
            each.kill()
    return {result.key: result for result in walk.results}


@pytest.mark.limit(280)
@pytest.mark.parametrize("key", listed())
def test_answers_do_not_differ(walked, key, server_kind):
    result = walked[key]
    reason = allowed.reason(result)
    if reason is not None:
        assert server_kind == "reference" or result.lines, f"allowed to differ ({reason}), and does not any more: take it from allowed.py"
        pytest.skip(f"differs by decision: {reason}")
    assert not result.lines, "\n".join([*result.lines, f"request: {result.requests[1]!r:.1000}"])
