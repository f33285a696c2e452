"""Dates as boards write them, to UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.times.clock import (
    Clock,
    from_attribute,
    order_by_clock,
    order_shown,
)
from scrapers.times.notices import bracketed_notice, edit_notice
from scrapers.times.zones import Deduced, Shown, settled, zone_by_clock, zone_named, zone_written

NOW = datetime(2026, 11, 30, 2, 10, 5, tzinfo=UTC)


def clock(zone=None, now=NOW, **options):
    evidence = options.pop("evidence", ())
    default = options.pop("default", False)
    page = Page("http://f.example/", b"", fetched_at=now)
    return Clock(page, ReadOptions(**options), zone=zone, day_first=default, evidence=evidence)


@pytest.mark.parametrize(
    ("text", "wanted", "precision"),
    [
        ("Thu Nov 12, 2026 6:20 pm", (2026, 11, 12, 18, 20), "minute"),
        ("Nov 12, 2026, 06:20 PM", (2026, 11, 12, 18, 20), "minute"),
        ("November 12, 2026, 12:05:09 AM", (2026, 11, 12, 0, 5, 9), "second"),
        ("12:05:09 PM, 12 Nov 2026", (2026, 11, 12, 12, 5, 9), "second"),
        ("2026-11-12 18:20:03", (2026, 11, 12, 18, 20, 3), "second"),
        ("2026/11/12 18:20", (2026, 11, 12, 18, 20), "minute"),
        ("25.11.2026, 20:36:58", (2026, 11, 25, 20, 36, 58), "second"),
        ("05.11.2026 07:42", (2026, 11, 5, 7, 42), "minute"),
        ("25. November 2026, 06:44", (2026, 11, 25, 6, 44), "minute"),
        ("Do 12. Nov 2026, 18:20", (2026, 11, 12, 18, 20), "minute"),
        ("3. März 2026, 06:44 Uhr", (2026, 3, 3, 6, 44), "minute"),
        ("Tuesday, 24 November 2026, 01:26 PM", (2026, 11, 24, 13, 26), "minute"),
        ("Sunday, 15th November 2026, 4:34 AM", (2026, 11, 15, 4, 34), "minute"),
        ("November 23rd, 2026 7:42 am", (2026, 11, 23, 7, 42), "minute"),
        ("12 Ноября 2026, 18:20:03", (2026, 11, 12, 18, 20, 3), "second"),
        ("Ноябрь 12, 2026, 18:20:03", (2026, 11, 12, 18, 20, 3), "second"),
        ("12 novembre 2026, 18:20", (2026, 11, 12, 18, 20), "minute"),
        ("12 de noviembre de 2026, 18:20", (2026, 11, 12, 18, 20), "minute"),
        ("11-28-2026, 01:51 PM", (2026, 11, 28, 13, 51), "minute"),
        ("28.11.2026", (2026, 11, 28), "day"),
        ("Nov 28, 2026", (2026, 11, 28), "day"),
        ("2026年11月12日(木) 18:20", (2026, 11, 12, 18, 20), "minute"),
        ("2026년 11월 12일 오후 6:20에", (2026, 11, 12, 18, 20), "minute"),
        ("Prş Kas 12, 2026 6:20 pm", (2026, 11, 12, 18, 20), "minute"),
        ("12 листопада 2026, 18:20", (2026, 11, 12, 18, 20), "minute"),
        ("Πέμ 12 Νοέμ 2026, 18:20", (2026, 11, 12, 18, 20), "minute"),
        ("12 noiembrie 2026, 18:20", (2026, 11, 12, 18, 20), "minute"),
    ],
)
def test_dates_in_text(text, wanted, precision):
    moment = clock().read(text)
    assert (moment.at, moment.precision, moment.origin) == (datetime(*wanted, tzinfo=UTC), precision, "text")


@pytest.mark.parametrize(
    ("text", "wanted", "precision"),
    [
        ("Today at 01:09:37 AM", (2026, 11, 30, 1, 9, 37), "second"),
        ("Yesterday at 10:43 AM", (2026, 11, 29, 10, 43), "minute"),
        ("Heute um 01:09", (2026, 11, 30, 1, 9), "minute"),
        ("Gestern, 17:17", (2026, 11, 29, 17, 17), "minute"),
        ("Сегодня в 01:09:11", (2026, 11, 30, 1, 9, 11), "second"),
        ("Вчера в 23:09:11", (2026, 11, 29, 23, 9, 11), "second"),
        ("43 minutes ago", (2026, 11, 30, 1, 27, 5), "minute"),
        ("an hour ago", (2026, 11, 30, 1, 10, 5), "day"),
        ("vor 5 Minuten", (2026, 11, 30, 2, 5, 5), "minute"),
        ("2 часа назад", (2026, 11, 30, 0, 10, 5), "day"),
        ("less than a minute ago", (2026, 11, 30, 2, 10, 5), "minute"),
    ],
)
def test_relative_dates_count_from_the_answer(text, wanted, precision):
    moment = clock().read(text)
    assert (moment.at, moment.precision, moment.origin) == (datetime(*wanted, tzinfo=UTC), precision, "relative")


@pytest.mark.parametrize("text", ["Today at 01:09 AM", "43 minutes ago", "Gestern, 17:17"])
def test_relative_dates_without_the_time_of_the_answer_are_unknown(text):
    moment = clock(now=None).read(text)
    assert (moment.at, moment.precision, moment.origin) == (None, "unknown", "relative")


def test_today_is_the_boards_day():
    berlin = zone_named("Europe/Berlin")
    late = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)
    assert clock(zone=berlin, now=late).read("Today 00:15").at == datetime(2026, 11, 29, 23, 15, tzinfo=UTC)
    assert clock(zone=berlin, now=late).read("Yesterday 23:15").at == datetime(2026, 11, 29, 22, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *("", ", 03:40 AM", "18:20", "Guest", "99.99.2026, 10:00", "32 Nov 2026", "reply #12", None),
        # Neither a time of day nor a weekday is a day, and no time of day is a year.
        *("10:20 Uhr", "lundi 10:20", "mar 10:20", "Monday 10:20", "12.11. 18:20"),
    ],
)
def test_what_is_no_date_is_never_guessed(text):
    assert clock().read(text).at is None


def test_the_order_of_figures_is_taken_from_the_page():
    assert clock(evidence=["11-28-2026"]).read("11-12-2026, 10:00").at == datetime(2026, 11, 12, 10, tzinfo=UTC)
    assert clock(evidence=["28-11-2026"]).read("11-12-2025, 10:00").at == datetime(2025, 12, 11, 10, tzinfo=UTC)
    # The 12th of November is past, the 11th of December is still to come.
    seen = clock(evidence=["12-11-2026"])
    assert seen.read("12-11-2026").at == datetime(2026, 11, 12, tzinfo=UTC) and seen.problems == []
    assert order_shown(["05-06-2026"], NOW) is None


def test_a_boards_own_clock_shows_its_order():
    now = datetime(2026, 6, 5, 10, 0, tzinfo=UTC)
    assert order_by_clock("06-05-2026, 10:00 AM", now) is False
    assert order_by_clock("05-06-2026, 10:00", now) is True
    assert order_by_clock("06-06-2026, 01:00 AM", now) is None
    assert order_by_clock("Jun 5, 2026", now) is None and order_by_clock("05-06-2026", None) is None


def test_without_evidence_the_option_counts_and_else_a_line_says_so():
    told = clock(day_first=True, timezone="Europe/Berlin")
    assert told.read("05-06-2026, 10:00").at == datetime(2026, 6, 5, 8, tzinfo=UTC) and told.problems == []
    month, day = clock(), clock(default=True)
    assert month.read("05-06-2026").at == datetime(2026, 5, 6, tzinfo=UTC)
    assert day.read("05-06-2026").at == datetime(2026, 6, 5, tzinfo=UTC)
    month.read("06-07-2026")
    assert month.problems == ["dates in figures may be read two ways: taken as month first"]
    assert day.problems == ["dates in figures may be read two ways: taken as day first"]


@pytest.mark.parametrize(
    ("line", "hours"),
    [
        ("All times are UTC", 0),
        ("All times are UTC+01:00", 1),
        ("All times are UTC + 1 hour [ DST ]", 2),
        ("Alle Zeiten sind UTC-05:00", -5),
        ("All times are GMT - 3.5 Hours", -3.5),
        ("Все даты в формате UTC+03:00", 3),
    ],
)
def test_zones_as_pages_print_them(line, hours):
    assert zone_written(line).utcoffset(None).total_seconds() == hours * 3600


def test_zones_by_name_and_by_clock():
    assert zone_named("Europe/Berlin") is not None and zone_named("Nowhere/None") is None and zone_named(None) is None
    assert zone_written("nothing here") is None
    assert zone_by_clock(datetime(2026, 11, 30, 7, 40), NOW).utcoffset(None).total_seconds() == 5.5 * 3600
    assert zone_by_clock(datetime(2026, 12, 25), NOW) is None
    assert clock(timezone="Europe/Berlin").read("2026-11-12 18:20").at == datetime(2026, 11, 12, 17, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("2026-11-12T18:20:06+00:00", datetime(2026, 11, 12, 18, 20, 6, tzinfo=UTC)),
        ("2026-11-12T18:20:00.175331+01:00", datetime(2026, 11, 12, 17, 20, tzinfo=UTC)),
        ("2026-11-12T18:20:06Z", datetime(2026, 11, 12, 18, 20, 6, tzinfo=UTC)),
        ("1795164508631", datetime(2026, 11, 20, 8, 48, 28, tzinfo=UTC)),
        ("1795164508", datetime(2026, 11, 20, 8, 48, 28, tzinfo=UTC)),
    ],
)
def test_machine_times(value, wanted):
    moment = from_attribute(value)
    assert (moment.at, moment.precision, moment.origin) == (wanted, "second", "attribute")


@pytest.mark.parametrize(
    "value", ["", None, "Invalid Date", "2026-11-12T18:20:06", "0", "9" * 30, "2026-13-45T00:00:00Z"]
)
def test_what_is_no_machine_time(value):
    assert from_attribute(value) is None


def test_a_language_of_its_own_goes_to_the_large_parser():
    assert clock().read("12 marraskuuta 2026 18:20").at == datetime(2026, 11, 12, 18, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "by", "count", "reason"),
    [
        (
            "Last edited by Bram Oduya on Fri Nov 20, 2026 10:30 pm, edited 3 times in total. Reason: typo",
            "Bram Oduya",
            3,
            "typo",
        ),
        ("Zuletzt geändert von Bram Oduya am Fr 20. Nov 2026, 22:30, insgesamt 1-mal geändert.", "Bram Oduya", 1, None),
    ],
)
def test_edit_notices(text, by, count, reason):
    edit = edit_notice(text, clock(), by)
    assert (edit.at, edit.by, edit.count, edit.reason) == (
        datetime(2026, 11, 20, 22, 30, tzinfo=UTC),
        by,
        count,
        reason,
    )


def test_edit_notices_whose_author_is_only_text():
    edit = edit_notice("Nov 21, 2026, 08:12 AM by Bram 2 Oduya", clock())
    assert (edit.by, edit.at) == ("Bram 2 Oduya", datetime(2026, 11, 21, 8, 12, tzinfo=UTC))
    assert edit_notice("  ", clock()) is None


# --- halves of the day, dots, other languages ---------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted", "precision"),
    [
        # A word behind the time is no half of the day.
        ("09-28-2026, 11:41 por", (2026, 9, 28, 11, 41), "minute"),
        ("28 wrz 2026, 11:41 przez", (2026, 9, 28, 11, 41), "minute"),
        ("28 Sep 2026 9:41 a", (2026, 9, 28, 9, 41), "minute"),
        ("Sep 28, 2026 6:20p", (2026, 9, 28, 18, 20), "minute"),
        ("28 Sep 2026, 6:20 p. m.", (2026, 9, 28, 18, 20), "minute"),
        ("28 Sep 2026, 18:20 PM", (2026, 9, 28, 18, 20), "minute"),
        ("2026-09-28 下午 6:20", (2026, 9, 28, 18, 20), "minute"),
        ("28/09/2026 06:20 μμ", (2026, 9, 28, 18, 20), "minute"),
        # Times with dots.
        ("14.09.2026, 01.28", (2026, 9, 14, 1, 28), "minute"),
        ("2026-09-14 01.28.33", (2026, 9, 14, 1, 28, 33), "second"),
        ("14.09.2026, 01.28.", (2026, 9, 14, 1, 28), "minute"),
        ("01.28.33, 5 Sep 2026", (2026, 9, 5, 1, 28, 33), "second"),
        # Figures without marks between them.
        ("20261114 18:20", (2026, 11, 14, 18, 20), "minute"),
        ("14 11 2026, 18:20", (2026, 11, 14, 18, 20), "minute"),
    ],
)
def test_times_of_day(text, wanted, precision):
    moment = clock().read(text)
    assert (moment.at, moment.precision) == (datetime(*wanted, tzinfo=UTC), precision)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I dag 01:09:37", (30, 1, 9, 37)),
        ("I går 22:43:00", (29, 22, 43, 0)),
        ("Astăzi 01:09:37", (30, 1, 9, 37)),
        ("Včera 22:43:00", (29, 22, 43, 0)),
        ("Бүгін", None),
        ("5 minut temu", (30, 2, 5, 5)),
        ("5 minuti fa", (30, 2, 5, 5)),
        ("5 minuten geleden", (30, 2, 5, 5)),
        ("Χθες στις 22:43", (29, 22, 43)),
        ("本日 01:09", (30, 1, 9)),
        ("Danes ob 01:09", (30, 1, 9)),
    ],
)
def test_relative_words_of_other_languages(text, wanted):
    moment = clock().read(text)
    assert moment.at == (datetime(2026, 11, *wanted, tzinfo=UTC) if wanted else None)


@pytest.mark.parametrize(
    ("language", "text", "month"),
    [
        ("hr", "12 lis 2026, 18:20", 10),
        ("hr", "12 lip 2026, 18:20", 6),
        ("hr", "čet 12 srp 2026, 18:20", 7),
        ("hr", "2026-10-12 18:20", 10),
        ("pl", "12 lis 2026, 18:20", 11),
        ("cs", "12 srp 2026, 18:20", 8),
    ],
)
def test_months_that_croatian_names_otherwise(language, text, month):
    page = Page("http://f.example/", f"<!DOCTYPE html>\n<html dir='ltr' lang='{language}'>".encode(), fetched_at=NOW)
    read = Clock(page, ReadOptions()).read(text)
    assert (read.at.month, read.at.day, read.at.hour) == (month, 12, 18)


def test_dots_do_not_prove_that_the_day_comes_first():
    shown = clock(evidence=["09.28.2026, 11:41"])
    assert shown.read("09.12.2026, 01:28 AM").at == datetime(2026, 9, 12, 1, 28, tzinfo=UTC) and not shown.problems
    unknown = clock()
    assert unknown.read("05.11.2026, 01:28").at == datetime(2026, 11, 5, 1, 28, tzinfo=UTC)
    assert unknown.problems == ["dates in figures may be read two ways: taken as day first"]


def test_years_of_two_figures_show_the_order_too():
    assert order_by_clock("01/12/26, 03:52", datetime(2026, 11, 30, 16, 52, tzinfo=UTC)) is True
    assert order_shown(["12/09/26"], datetime(2026, 9, 20, tzinfo=UTC)) is True


# --- summer time --------------------------------------------------------------------------------------

WINTER = datetime(2026, 11, 30, 17, 0, tzinfo=UTC)


def of_clock(hours, *names, **more):
    return settled((Shown(WINTER, timedelta(hours=hours)), *more.pop("pairs", ())), *names)


def test_a_place_is_found_however_it_is_written():
    assert zone_named("America/New York").key == "America/New_York"
    assert zone_named("Europa/Berlin").key == "Europe/Berlin"
    assert zone_named("Nirgends/Nirgendwo") is None and zone_named("../../etc/passwd") is None


def test_a_named_zone_counts_only_if_it_agrees_with_the_page():
    assert of_clock(-5, None, "America/New_York").key == "America/New_York"
    assert isinstance(of_clock(1, "America/New York", "UTC"), Deduced)
    assert settled((), "America/New_York") is None


def test_an_offset_in_winter_says_nothing_of_summer():
    made = clock(zone=of_clock(-5), now=WINTER)
    assert made.read("Nov 20, 2026, 10:00 AM").precision == "minute" and not made.problems
    summer = made.read("Sep 20, 2026, 10:00 AM")
    # The earliest that it may have been: nothing is called too early by it.
    assert (summer.at, summer.precision) == (datetime(2026, 9, 20, 14, 0, tzinfo=UTC), "day")
    assert made.read("Sep 21, 2026, 10:00 AM").precision == "day" and len(made.problems) == 1
    today = made.read("Today at 10:00 AM")
    assert (today.at, today.precision) == (datetime(2026, 11, 30, 15, 0, tzinfo=UTC), "minute")
    # No zone so far east has summer time.
    assert clock(zone=of_clock(8), now=WINTER).read("Jul 20, 2026, 10:00 AM").precision == "minute"


def test_what_the_page_shows_elsewhere_tells_summer_time():
    pair = Shown(datetime(2026, 9, 1, 12, tzinfo=UTC), timedelta(hours=2))
    berlin = clock(zone=of_clock(1, pairs=(pair,)), now=WINTER)
    july, december = berlin.read("20 Jul 2026, 10:00"), berlin.read("20 Dec 2025, 10:00")
    assert (july.at.hour, july.precision, december.at.hour, december.precision) == (8, "minute", 9, "minute")


def test_an_hour_that_comes_twice_is_not_certain():
    made = clock(zone=zone_named("Europe/Berlin"), now=WINTER)
    twice = made.read("25 Oct 2026, 02:30")
    assert (twice.at, twice.precision) == (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "day")


# --- edit notices ------------------------------------------------------------------------------------


def test_an_edit_of_which_only_the_day_is_known_has_no_time():
    edit = edit_notice("Nov 21, 2026 by Bram", clock())
    assert (edit.at, edit.by) == (None, "Bram")


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("09-28-2026, 11:41 por alice", "alice"),
        ("09-28-2026, 11:41 przez 2026", "2026"),
        ("09-28-2026, 11:41 par 11", "11"),
    ],
)
def test_the_editors_name_is_no_part_of_the_date(text, by):
    edit = edit_notice(text, clock(), by)
    assert (edit.at, edit.by) == (datetime(2026, 9, 28, 11, 41, tzinfo=UTC), by)


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("Изменено bob (2026-09-28 11:41:49)", "bob"),
        ("Изменено Boss bob (2026-09-28 11:41:49)", "Boss bob"),
        ("Ultima modifica di Dr. No (x) (2026-09-28 11:41:49)", "Dr. No (x)"),
        ("Ostatnio edytowany przez bob (2026-09-28 11:41:49)", "bob"),
        ("Sidst redigeret af: bob (2026-09-28 11:41:49)", "bob"),
        ("Qoribuq bob (2026-09-28 11:41:49)", "bob"),
        ("bob qoribuq (2026-09-28 11:41:49)", "bob"),
        ("Qoribuqbob (2026-09-28 11:41:49)", None),
        ("Qoribuq somebody (2026-09-28 11:41:49)", None),
        ("Upravila bob (2026-09-28 11:41:49)", "bob"),
        # PunBB 1.4: all of it in brackets.
        ("(edited by bob 2026-09-28 11:41:49)", "bob"),
        ("(edited by Boss bob 28 September 2026 11:41:49)", "Boss bob"),
        ("(edited by Dr. No (x) 2026-09-28 11:41:49)", "Dr. No (x)"),
        ("(edited by 12345 2026-09-28 11:41:49)", "12345"),
        ("(Qoribuq bob, 2026-09-28 11:41:49)", "bob"),
        ("(Qoribuq somebody 2026-09-28 11:41:49)", None),
    ],
)
def test_notices_with_their_date_in_brackets(text, by):
    edit = bracketed_notice(text, clock(), lambda: ["bo", "bob", "alice"])
    assert (edit.at, edit.by) == (datetime(2026, 9, 28, 11, 41, 49, tzinfo=UTC), by)
