"""What the public may not read: secret totals, in state, quotes, messages and workings.

Fighters' pools can be secret (S2): then a report for others than staff holds changes since the
battle's start only. Numbers that a post gives away must not be repeated either, so a quoted total
(`HP 168`, `Chakra: 17/90`) loses its number; signed changes and Loss Tags keep theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from referee.model.claims import Claim
from referee.model.report import Evidence, Finding, PoolState, PostReport, State, ThreadReport, Working

#: Stands in the place of a number that is not shown.
HIDDEN = "(not shown)"
#: Usual spellings of pools beside their own names.
_SPELLINGS = {
    "hp": ("health", "hit points"),
    "chakra": ("chk", "cp", "ch"),
    "stamina": ("stm", "stam", "sta"),
}
#: Codes of findings about a posted total end like this.
_SHOWN = "/secret-shown"

Hide = Callable[[str], str]


def public_thread(thread: ThreadReport) -> ThreadReport:
    """The thread's report without any secret total."""
    pools = sorted(_secret_pools(thread))
    findings = tuple(_without_staff_lines(finding) for finding in thread.findings)
    if not pools:
        posts = tuple([replace(post, state=_public_state(post.state)) for post in thread.posts])
        return replace(thread, posts=posts, findings=findings)
    bare, tags = _hider(pools, keep_tags=False), _hider(pools, keep_tags=True)
    posts = tuple([_public_post(post, bare) for post in thread.posts])
    return replace(thread, posts=posts, findings=tuple(_public_finding(finding, bare, tags) for finding in findings))


def _secret_pools(thread: ThreadReport) -> Iterator[str]:
    """Names of the pools whose totals are secret in this thread."""
    named = {
        name for post in thread.posts for pools in post.state.values() for name, pool in pools.items() if pool.secret
    }
    yield from named or (_SPELLINGS if any(f.code.endswith(_SHOWN) for f in thread.findings) else ())


def _public_state(state: State) -> State:
    return {name: {pool: _public_pool(value) for pool, value in pools.items()} for name, pools in state.items()}


def _public_pool(pool: PoolState) -> PoolState:
    """A secret pool as change since the battle's start (contract: never a total or what was left)."""
    if not pool.secret or not pool.start:
        return pool
    claimed = None if pool.claimed is None else pool.claimed - pool.start
    return PoolState(claimed, pool.computed.minus(pool.start), 0, secret=True)


def _public_post(post: PostReport, hide: Hide) -> PostReport:
    claims = tuple([claim if claim.kind == "loss" else _public_claim(claim, hide) for claim in post.claims])
    unread = tuple([hide(text) for text in post.unread])
    return replace(post, claims=claims, unread=unread, state=_public_state(post.state))


def _public_claim(claim: Claim, hide: Hide) -> Claim:
    quote = hide(claim.quote)
    return claim if quote == claim.quote else replace(claim, quote=quote)


def _without_staff_lines(finding: Finding) -> Finding:
    return replace(finding, trace=tuple(Working(line.text) for line in finding.trace))


def _public_finding(finding: Finding, bare: Hide, tags: Hide) -> Finding:
    """A finding whose words repeat no total; Loss Tags stay, unless nobody could read what was meant.

    A post that is gone may have held a block of totals, of which a bracket looks like a Loss Tag.
    """
    shown = finding.code in ("post/unread-tag", "post/deleted") or finding.code.endswith(_SHOWN)
    hide = bare if shown else tags
    return replace(
        finding,
        message=_unset(hide(finding.message)),
        trace=tuple(Working(_unset(hide(line.text))) for line in finding.trace),
        evidence=tuple(Evidence(one.post, hide(one.quote)) for one in finding.evidence),
    )


def _unset(text: str) -> str:
    """What a ruling puts a pool to is a total too."""
    return _SET.sub("set " + HIDDEN, text)


#: What a ruling puts a pool to, as the engine says it.
_SET = re.compile(r"\bset \{[^{}]{0,300}\}")
#: A bracket without brackets inside.
_TAG = re.compile(r"[(\[][^()\[\]]{0,400}[)\]]")


def _hider(pools: list[str], *, keep_tags: bool) -> Hide:
    """A function that takes unsigned numbers away from behind the names of the pools.

    `keep_tags`: a bracket that names two pools or more is a Loss Tag and stays as it is.
    """
    words = [re.escape(word) for pool in pools for word in (pool.casefold(), *_SPELLINGS.get(pool.casefold(), ()))]
    label = rf"(?<![\w])(?:{'|'.join(sorted(words, key=len, reverse=True))})(?!\w)"
    number = r"\d[\d.,]{0,11}"
    total = re.compile(
        rf"(?P<label>{label}(?:[ ]?(?:left|total|remaining|now|max))?\s{{0,5}}[:=|]?\s{{0,5}})"
        rf"(?!0(?![\d.,/]))(?P<number>{number}(?:\s?(?:/|of)\s?{number})?)"
        rf"|(?P<before>{number}\s?(?:/|of)\s?{number})(?P<after>\s?{label})",
        re.IGNORECASE,
    )
    named = re.compile(label, re.IGNORECASE)

    def hide(text: str) -> str:
        return total.sub(lambda m: f"{m['label'] or ''}{HIDDEN}{m['after'] or ''}", text)

    def hide_outside_tags(text: str) -> str:
        out, place = [], 0
        for tag in _TAG.finditer(text):
            if len(named.findall(tag[0])) >= 2:
                out += [hide(text[place : tag.start()]), tag[0]]
                place = tag.end()
        return "".join([*out, hide(text[place:])])

    return hide_outside_tags if keep_tags else hide
