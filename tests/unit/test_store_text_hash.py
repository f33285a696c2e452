"""What makes a new revision: the poster's own words, where they link to, and the edit notice. Nothing else."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from referee.model.battle import Edit, Post, Revision
from referee.model.text import Block, Mark
from referee.store.encoding import pack_blocks, text_hash, unpack_blocks

AT = datetime(2026, 3, 1, tzinfo=UTC)
LINK = "http://dice.test/r?id=7&sid=0123456789abcdef0123456789abcdef"
OWN = Block("own", "rolled 70", marks=(Mark(7, 9, LINK),))
BASE = Post("1", "Ren", (Revision((OWN, Block("quote", "q", "Aya", "4"), Block("signature", "sig"))),), AT)


def with_blocks(*blocks):
    return replace(BASE, revisions=(Revision(blocks),))


def linked(url):
    return with_blocks(replace(OWN, marks=(Mark(7, 9, url),)), *BASE.blocks[1:])


SAME = {
    "author renamed": replace(BASE, author="Ren II", number=4, permalink="x", at=AT + timedelta(hours=1)),
    "signature": with_blocks(*BASE.blocks[:2], Block("signature", "new")),
    "attachment": with_blocks(*BASE.blocks, Block("attachment", "17 downloads")),
    "caption of a quote": with_blocks(
        OWN, Block("quote", "q", "Aya on Today at 12:08", "5"), Block("signature", "sig")
    ),
    "session": linked("http://dice.test/r?id=7&sid=ffffffffffffffffffffffffffffffff"),
    "no session": linked("http://dice.test/r?id=7"),
}
OTHER = {
    "text": with_blocks(replace(OWN, text="rolled 71"), *BASE.blocks[1:]),
    "link": linked("http://dice.test/r?id=8"),
    "short s is no session": linked("http://dice.test/r?id=7&s=8"),
    "quote": with_blocks(OWN, Block("quote", "other", "Aya", "4"), Block("signature", "sig")),
    "kind": with_blocks(replace(OWN, kind="spoiler"), *BASE.blocks[1:]),
    "notice": replace(BASE, edited=Edit(AT, "Ren")),
}


@pytest.mark.parametrize("name", SAME)
def test_no_revision(name):
    assert text_hash(SAME[name]) == text_hash(BASE)


@pytest.mark.parametrize("name", OTHER)
def test_a_revision(name):
    assert text_hash(OTHER[name]) != text_hash(BASE)


def test_hostile_links_do_no_harm():
    for url in (
        "http://[bad?x=1",
        "http://x/?" + "&".join(f"a{n}=1" for n in range(500)),
        "http://x/?\ud800=\x00&sid=" + "a" * 40,
    ):
        assert text_hash(linked(url)) != text_hash(BASE)


def test_blocks_come_back():
    assert unpack_blocks(pack_blocks(BASE.blocks)) == BASE.blocks
