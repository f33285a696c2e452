"""Pages in the wrappings of browsers: as browsers write them, and as somebody writes them who means harm."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from referee.app.saved_forms import unwrapped

HEAD = b'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n'
CHROME = b"""From: <Saved by Blink>
Snapshot-Content-Location: https://f.example/viewtopic.php?t=7
Subject: =?utf-8?Q?Bridge?=
Date: Mon, 30 Nov 2026 12:00:00 -0000
MIME-Version: 1.0
Content-Type: multipart/related;
\ttype="text/html";
\tboundary="----MultipartBoundary--abc----"


------MultipartBoundary--abc----
Content-Type: text/html
Content-ID: <frame-2@mhtml.blink>
Content-Transfer-Encoding: quoted-printable
Content-Location: https://ads.example/

<html>buy=21</html>
------MultipartBoundary--abc----
Content-Type: text/html; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable
Content-Location: https://f.example/viewtopic.php?t=7

<!DOCTYPE html><html>10 =3D 1=
0

=E9</html>
------MultipartBoundary--abc----
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: https://f.example/a.png

iVBORw0KGgo=
------MultipartBoundary--abc------
"""


@pytest.mark.parametrize("data", [CHROME, CHROME.replace(b"\n", b"\r\n")], ids=["lf", "crlf"])
def test_a_page_as_chrome_saves_it(data: bytes) -> None:
    found = unwrapped(data)
    assert found is not None
    assert found.body.strip() == b"<!DOCTYPE html><html>10 = 10\n\n\xe9</html>"
    assert (found.url, found.content_type) == ("https://f.example/viewtopic.php?t=7", "text/html; charset=iso-8859-1")
    assert found.saved_at == datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "data",
    [
        b"<html>MIME-Version: 1.0 multipart/related</html>",
        HEAD,
        HEAD.replace(b'"b"', b'""'),
        HEAD + b"\n--b\nContent-Type: image/png\n\nx\n",
        b"bplist00\xd1\x01\x02",
        b"bplist00" + b"\xa1" * 100_000,
        b"",
    ],
)
def test_what_holds_no_page(data: bytes) -> None:
    assert unwrapped(data) is None


@pytest.mark.parametrize(
    "data",
    [
        HEAD + b"--b\n\nx\n" * 2_000_000,
        HEAD
        + b"".join(
            b'--b%s\nContent-Type: multipart/mixed; boundary="b%d"\n\n' % (b"%d" % (n - 1) if n else b"", n)
            for n in range(200)
        )
        + b"x\n" * 2_000_000,
        HEAD + b"A: " + b"x" * 10_000_000,
    ],
    ids=["parts", "parts in parts", "long head"],
)
def test_wrappings_that_mean_harm(data: bytes) -> None:
    begun = time.monotonic()
    unwrapped(data)
    assert time.monotonic() - begun < 10
