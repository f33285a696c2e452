"""The pass over all boards: what is asked for, what is judged, the lock, and a kill at any moment."""

import fcntl
import importlib
import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
toy = importlib.import_module("toy_forum")

from referee.app.conversation import now_utc  # noqa: E402
from referee.app.cycle import CycleOptions, run_cycle  # noqa: E402
from referee.app.due import FULL_AFTER, quick_pause  # noqa: E402
from referee.app.errors import UsageError  # noqa: E402
from referee.model.battle import RollRecord, Ruling  # noqa: E402
from referee.store import StoreError, open_store  # noqa: E402

SCRIPT = HERE / "toy_forum.py"


@pytest.fixture
def forum():
    with toy.Server(toy.Forum()) as forum:
        forum.fill("1", 25)
        yield forum


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    with toy.empty_database(request.param, tmp_path) as place, open_store(place) as store:
        yield store


class Desk:
    """A place to run passes from; keeps what was judged and told."""

    def __init__(self, folder, forum, store, *threads, **more):
        self.config = toy.config_for(folder, *(threads or [forum.url()]), **more)
        self.forum = forum
        self.store = store
        self.judged = []
        self.events = []
        self.judge = lambda work: self.judged.append((work.url, len(work.read().posts)))

    def run(self, later=timedelta(0), **options):
        self.forum.asked.clear()
        self.judged.clear()
        self.events.clear()
        return run_cycle(
            self.config,
            self.store,
            toy.session_for(self.forum.base, self.store.memory),
            [toy.TOY],
            lambda work: self.judge(work),
            self.events.append,
            CycleOptions(clock=lambda: now_utc() + later, **options),
        )


@pytest.fixture
def desk(tmp_path, forum, store):
    return Desk(tmp_path, forum, store)


def test_an_unchanged_thread_is_not_judged_again(desk, forum):
    assert desk.run().status == 0 and desk.judged == [(forum.url(), 25)]
    second = desk.run()
    assert not desk.judged and second.judged == 0 and forum.asked == ["/t/1?page=3"]
    forum.threads["1"].append(toy.ToyPost(90, "new"))
    assert desk.run().changed == 1 and desk.judged == [(forum.url(), 26)]


def test_whatever_a_judgement_rests_on_has_it_judged_again(desk, forum, store):
    stamp = ["1"]
    look = {"stamp": lambda board, settings: stamp}
    desk.run(**look)
    desk.run(**look)
    assert not desk.judged
    stamp[0] = "2"
    desk.run(**look)
    assert desk.judged
    thread = store.threads.find("toy", forum.url()).id
    number = store.decisions.add_ruling(thread, Ruling("3", {"hit_chance": -10}))
    desk.run(**look)
    assert desk.judged
    store.decisions.withdraw_ruling(number)
    desk.run(**look)
    assert desk.judged
    store.rolls.keep(RollRecord("http://dice.test/r/1", "unreachable"), thread=thread)
    for _ in range(2):
        desk.run(**look)
        assert desk.judged, "a link that did not answer is tried again each time"
    store.rolls.keep(RollRecord("http://dice.test/r/1", "found", values=(3,)), thread=thread)
    desk.run(**look)
    assert desk.judged
    desk.run(**look)
    assert not desk.judged
    forum.threads["1"].pop(12)
    desk.run(later=timedelta(hours=1), **look)
    assert desk.judged


def test_rolls_found_while_judging_do_not_count_as_a_change(desk, store):
    record = RollRecord("http://dice.test/r/1", "found", values=(3,))
    desk.judge = lambda work: desk.judged.append(store.rolls.keep(record, thread=work.thread))
    desk.run()
    assert desk.judged
    desk.run()
    assert not desk.judged


def test_rolls_are_looked_at_again_after_a_week_with_the_reading_of_all_pages(desk, store):
    desk.judge = lambda work: desk.judged.append(store.rolls.keep(RollRecord("http://d.test/1"), thread=work.thread))
    desk.run()
    desk.run(later=timedelta(days=2))
    assert not desk.judged
    desk.run(later=timedelta(days=8))
    assert desk.judged


def test_a_wrong_configuration_met_while_judging(desk, store):
    def judge(work):
        raise UsageError("tables.shinobi.cap: expected a number")

    desk.judge = judge
    result = desk.run()
    assert result.status == 2 and result.troubles == ["tables.shinobi.cap: expected a number"]


def test_a_judge_that_crashes_is_an_incident_and_does_not_stop_the_others(tmp_path, forum, store):
    forum.fill("2", 3)
    desk = Desk(tmp_path, forum, store, forum.url("1"), forum.url("2"))
    judged = desk.judge

    def judge(work):
        if work.url.endswith("1"):
            raise ZeroDivisionError("odd table")
        judged(work)

    desk.judge = judge
    result = desk.run()
    assert result.status == 3 and desk.judged == [(forum.url("2"), 3)] and "odd table" in result.troubles[0]
    assert [i.kind for i in store.incidents.all()] == ["judge"]
    desk.judge = judged
    assert desk.run().status == 0 and desk.judged == [(forum.url("1"), 25)]
    assert not store.incidents.all()


def test_readings_of_all_pages_grow_rarer_and_come_soon_after_a_change(desk, forum, store):
    start = now_utc()
    desk.run()
    gaps = []
    for _ in range(7):
        due = store.threads.find("toy", forum.url()).next_full
        desk.run(later=due - now_utc() + timedelta(seconds=1))
        assert len(forum.pages) == 3
        gaps.append(round((store.threads.find("toy", forum.url()).next_full - due) / timedelta(minutes=1)))
    assert gaps == [60, 240, 1440, 4320, 4320, 4320, 4320]
    assert len(FULL_AFTER) == 5 and start < due
    forum.threads["1"][0].text = "silent edit on the first page"
    later = store.threads.find("toy", forum.url()).next_full - now_utc() + timedelta(seconds=1)
    assert desk.run(later=later).changed == 1
    soon = store.threads.find("toy", forum.url()).next_full - now_utc() - later
    assert soon < timedelta(minutes=16)


def test_a_quiet_thread_is_left_alone_for_a_while(desk, forum):
    desk.run()
    desk.run(later=timedelta(days=2))
    desk.run(later=timedelta(days=2, minutes=5))
    assert not forum.asked and [event.kind for event in desk.events] == ["waiting", "done"]
    assert desk.run(later=timedelta(days=2, minutes=5), fresh=True).asked == 3
    assert [quick_pause(timedelta(days=days)) for days in (0, 3, 20, 90)] == [
        timedelta(0),
        timedelta(minutes=15),
        timedelta(hours=1),
        timedelta(hours=4),
    ]


def test_a_board_that_does_not_answer_is_not_asked_for_every_thread(tmp_path, forum, store):
    desk = Desk(tmp_path, forum, store, *(forum.url(str(n)) for n in range(6)))
    forum.status.update({f"/t/{n}": 503 for n in range(6)})
    result = desk.run()
    assert len(forum.pages) == 2 and result.status == 3 and "4 more threads" in desk.events[-2].text


def test_only_one_board_and_unknown_boards(desk, forum):
    assert desk.run(only="toy").threads == 1
    with pytest.raises(UsageError, match="configured: toy"):
        desk.run(only="toi")


def test_a_second_run_leaves_at_once(desk, tmp_path, forum):
    handle = os.open(tmp_path / "run.lock", os.O_RDWR | os.O_CREAT)
    os.write(handle, b"process 77\n")
    fcntl.flock(handle, fcntl.LOCK_EX)
    result = desk.run()
    assert result.busy and result.status == 0 and not forum.asked and "process 77" in desk.events[0].text
    os.close(handle)
    assert not desk.run().busy


def test_a_pass_that_is_stopped_says_so_and_goes_on_later(desk, forum):
    result = desk.run(stop=lambda: len(forum.pages) >= 2)
    assert result.stopped and result.status == 0 and not desk.judged
    assert desk.run().asked == 1 and desk.judged == [(forum.url(), 25)]


def _process(action, folder, *urls):
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), action, str(folder), *urls],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_second_run_asks_little_and_needs_little_time(tmp_path, forum):
    forum.fill("1", 500)
    out, err = _process("run", tmp_path, forum.url()).communicate(timeout=60)
    assert "judged 500" in out, err
    forum.asked.clear()
    out, err = _process("run", tmp_path, forum.url()).communicate(timeout=60)
    assert len(forum.asked) <= 2, forum.asked
    assert "unchanged" in out and "judged 500" not in out
    assert float(out.split("seconds ")[1]) < 0.5


@pytest.mark.parametrize("at", [0, 1, 3, 9, 14, 19])
def test_a_kill_loses_nothing_and_the_next_run_goes_on(tmp_path, forum, at):
    forum.fill("1", 100)
    forum.fill("2", 100)
    forum.delay = 0.01
    urls = [forum.url("1"), forum.url("2")]
    process = _process("run", tmp_path, *urls)
    while len(forum.pages) <= at and process.poll() is None:
        time.sleep(0.001)
    assert process.poll() is None, "killed while at work"
    process.send_signal(signal.SIGKILL)
    out, _ = process.communicate(timeout=30)
    # A page that was asked for last may have been on its way.
    received = len(forum.pages) - 1
    with open_store(tmp_path / "referee.db") as store:
        archived = sum(
            len(store.archive.history(toy.Wish(url + page)))
            for url in urls
            for page in ["", *(f"?page={n}" for n in range(2, 11))]
        )
        done = [thread for thread in store.threads.all() if len(store.threads.posts(thread.id)) == 100]
        assert archived >= received - 1
        assert len(done) == len(store.threads.all()) >= out.count("read 100 new")
    before = len(forum.pages)
    out, err = _process("run", tmp_path, *urls).communicate(timeout=60)
    assert "done" in out, err
    assert len(forum.pages) - before <= 20 - archived + 1
    with open_store(tmp_path / "referee.db") as store:
        assert [len(store.threads.posts(thread.id)) for thread in store.threads.all()] == [100, 100]
        assert [thread.judged_key is not None for thread in store.threads.all()] == [True, True]


def test_a_full_disk_ends_the_pass_with_one_line_and_leaves_all_as_it_was(tmp_path, forum):
    """The limit on file sizes makes the file system itself refuse to write."""
    forum.fill("1", 30)
    _process("run", tmp_path, forum.url()).communicate(timeout=60)
    forum.fill("2", 3000)
    size = (tmp_path / "referee.db").stat().st_size
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size + 60_000},) * 2);"
        f"sys.path.insert(0, {str(HERE)!r}); import toy_forum;"
        "from referee.store import StoreError\n"
        "try: toy_forum.main('run', *sys.argv[1:])\n"
        "except StoreError as error: print('LINE', error); sys.exit(5)"
    )
    command = [sys.executable, "-c", code, str(tmp_path), forum.url("1"), forum.url("2")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 5, done
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("LINE")]
    assert "disk" in line and "referee.db" in line
    with open_store(tmp_path / "referee.db") as store:
        assert [len(store.threads.posts(thread.id)) for thread in store.threads.all()] == [30]
    out, _ = _process("run", tmp_path, forum.url("1"), forum.url("2")).communicate(timeout=120)
    assert "judged 3000" in out


def test_store_errors_are_not_taken_for_crashes_of_a_judge(desk):
    def judge(work):
        raise StoreError("the disk is full")

    desk.judge = judge
    with pytest.raises(StoreError):
        desk.run()
