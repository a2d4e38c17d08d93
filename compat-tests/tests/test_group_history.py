"""The judge of group histories finds what is planted, and nothing in a history that is right."""

import copy

import pytest

from harness import group_history
from harness.group_history import Member

A, B = ["t", 0], ["t", 1]
ENDS = {("t", 0): 4, ("t", 1): 2}
COMMITTED = {("t", 0): 4, ("t", 1): 2}


def event(when, name, **rest):
    return {"t": when, "event": name, **rest}


def good():
    """x owns both and is killed with one record of A that it did not commit; y takes over, and gives B to z, which leaves."""
    x = Member("x", [
        event(10, "assigned", partitions=[A, B]),
        event(11, "record", at=["t", 0, 0]),
        event(12, "record", at=["t", 1, 0]),
        event(13, "committed", offsets=[["t", 0, 1], ["t", 1, 1]]),
        event(14, "record", at=["t", 0, 1]),
    ], killed_at=15)
    y = Member("y", [
        event(20, "assigned", partitions=[A, B]),
        event(21, "record", at=["t", 0, 1]),
        event(22, "record", at=["t", 0, 2]),
        event(23, "committed", offsets=[["t", 0, 3]]),
        event(24, "revoked", partitions=[B]),
        event(40, "record", at=["t", 0, 3]),
        event(41, "committed", offsets=[["t", 0, 4]]),
        event(50, "revoked", partitions=[A]),
        event(51, "closed"),
    ])
    z = Member("z", [
        event(30, "assigned", partitions=[B]),
        event(31, "record", at=["t", 1, 1]),
        event(32, "committed", offsets=[["t", 1, 2]]),
        event(33, "closed"),
    ])
    return [x, y, z]


def judge(members, committed=None):
    return group_history.violations(members, ENDS, COMMITTED if committed is None else committed)


def without(member, when):
    member.events = [each for each in member.events if each["t"] != when]


def test_a_history_that_is_right_has_no_violation():
    assert judge(good()) == []


def test_partitions_are_owned_from_assignment_to_revocation_or_kill():
    x, y, z = good()
    assert group_history.intervals(x) == {("t", 0): [(10, 15)], ("t", 1): [(10, 15)]}
    assert group_history.intervals(y) == {("t", 0): [(20, 50)], ("t", 1): [(20, 24)]}
    assert group_history.intervals(z) == {("t", 1): [(30, 33)]}
    assert group_history.owned_now(Member("w", x.events)) == {("t", 0), ("t", 1)}


def test_a_cut_last_line_is_left_out():
    assert group_history.parse('{"t": 1, "event": "closed"}\n{"t": 2, "ev') == [{"t": 1, "event": "closed"}]


def two_owners(members):
    members[1].events[4]["t"] = 35  # y gives B up after z was given it


def an_owner_before_the_kill(members):
    members[0].killed_at = 21


def a_lost_record(members):
    without(members[1], 22)


def a_commit_of_what_was_not_processed(members):
    members[2].events[2]["offsets"] = [["t", 1, 3]]


def a_commit_that_goes_back(members):
    members[1].events[6]["offsets"] = [["t", 0, 2]]


def a_record_after_the_revocation(members):
    members[1].events.insert(5, event(25, "record", at=["t", 1, 1]))


def a_start_behind_the_commit(members):
    members[2].events.insert(1, event(30.5, "record", at=["t", 1, 0]))


def a_start_beyond_the_commit(members):
    """After an orderly revocation there is no excuse."""
    members[1].events.insert(4, event(23, "record", at=["t", 1, 1]))
    members[2].events[1]["at"] = ["t", 1, 2]


PLANTED = {
    two_owners: "belongs to y and z",
    an_owner_before_the_kill: "belongs to x and y",
    a_lost_record: "never processed, the first at 2",
    a_commit_of_what_was_not_processed: "z committed 3",
    a_commit_that_goes_back: "y committed 2 of ('t', 0) after 3",
    a_record_after_the_revocation: "y processed t-1 at 1 without owning it",
    a_start_behind_the_commit: "z began ('t', 1) at 0, committed was 1",
    a_start_beyond_the_commit: "z began ('t', 1) at 2, committed was 1",
}


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_what_is_planted_is_found(plant):
    members = copy.deepcopy(good())
    plant(members)
    found = judge(members)
    assert any(PLANTED[plant] in each for each in found), found


def test_what_the_server_says_is_compared_with_the_end():
    assert judge(good(), {("t", 0): 3, ("t", 1): 2}) == ["('t', 0): 3 is committed, the end is 4"]
    assert judge(good(), {("t", 0): 4}) == ["('t', 1): None is committed, the end is 2"]
