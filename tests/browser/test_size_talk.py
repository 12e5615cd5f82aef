"""What the size bar and the server say to each other, without a server: an echo is never taken for a choice."""

from __future__ import annotations

import pytest

from pages.ui.token_view import FOLDER

SAY = """says => {
    let now = 0;
    performance.now = () => now;
    const seen = [];
    const talk = new SizeTalk({ tell: ({ size, number }) => seen.push(["told", size, number]),
                                onOutside: size => seen.push(["moved", size]) });
    talk.begin({ size: 422, told: 0 });
    for (const [what, size, told] of says) {
        if (what === "wait") now += size;
        else if (what === "choose") talk.choose(size);
        else talk.hear({ size, told });
    }
    return seen;
}"""
BACK_AND_FORTH = [["choose", 423], ["choose", 424], ["choose", 423], ["choose", 256]]
TOLD = [["told", 423, 1], ["told", 424, 2], ["told", 423, 3], ["told", 256, 4]]


@pytest.fixture
def say(open_page):
    page = open_page("about:blank")
    page.add_script_tag(content=(FOLDER / "size_talk.js").read_text("utf-8") + "window.SizeTalk = SizeTalk;")
    return lambda *says: page.evaluate(SAY, list(says))


def test_late_echoes_of_a_size_that_was_chosen_twice_move_nothing(say):
    echoes = [["hear", 423, 1], ["hear", 424, 2], ["hear", 423, 3], ["hear", 256, 4]]
    assert say(*BACK_AND_FORTH, *echoes) == TOLD


def test_echoes_that_the_server_drew_together_leave_none_to_wait_for(say):
    assert say(*BACK_AND_FORTH, ["hear", 256, 4], ["hear", 424, 4]) == [*TOLD, ["moved", 424]]


def test_a_size_from_outside_moves_the_bar_and_may_be_chosen_again(say):
    says = [["hear", 300, 0], ["choose", 300], ["choose", 422], ["hear", 422, 1], ["hear", 300, 1], ["choose", 422]]
    assert say(*says) == [["moved", 300], ["told", 422, 1], ["moved", 300], ["told", 422, 2]]


def test_a_choice_that_was_never_heard_is_given_up(say):
    says = [["choose", 300], ["hear", 422, 0], ["wait", 10_001], ["hear", 422, 0]]
    assert say(*says) == [["told", 300, 1], ["moved", 422]]
