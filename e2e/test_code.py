"""The code desk in the browser: whole games, links, contradiction, undo, by hand and by key.

Long, since a desk's ways through the browser stand in one file; no test needs another.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import address_of, saved
from cluewise.desks.code.position import Clue, Position, Rules
from cluewise.links import encode

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def answer(guess: str, secret: str) -> tuple[int, int]:
    exact = sum(a == b for a, b in zip(guess, secret, strict=True))
    return exact, sum(min(guess.count(c), secret.count(c)) for c in set(guess)) - exact


def best(page: Page) -> Locator:
    return page.locator(".options:not(.stale) .option").first


def best_guess(page: Page) -> str:
    """The first advice for the present rows, once it is no longer an older position's."""
    return best(page).get_attribute("data-key") or ""


def left(page: Page, count: str) -> None:
    expect(page.locator(".left-box:not(.stale) .left b")).to_have_text(count)


def test_mastermind_is_won_by_following_the_advice_with_keys_alone(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    secret, rows = "3142", 0
    while True:
        expect(best(page)).to_be_visible()
        guess = best_guess(page)
        exact, partial = answer(guess, secret)
        page.keyboard.type(f"{guess}{exact}{partial if exact < 4 else ''}")
        page.keyboard.press("Enter")
        rows += 1
        expect(page.locator(".guess")).to_have_count(rows)
        if exact == 4:
            break
        assert rows < 7
    left(page, "1")
    expect(page.get_by_text(f"The code is {secret}")).to_be_visible()


def test_a_round_is_played_by_touch_and_reviewed(watched: Callable[..., Page], site: str) -> None:
    page = watched(site + "#/code", **PHONE)
    page.get_by_text("Play a round").tap()
    expect(page.get_by_text("A code is drawn and sealed")).to_be_visible()
    assert re.search(r"#/code/1/", page.url)
    page.get_by_role("button", name="Show advice").tap()
    for rows in range(1, 9):
        expect(best(page)).to_be_visible()
        for symbol in best_guess(page):
            page.get_by_role("button", name=f"Colour {symbol}", exact=True).tap()
        page.get_by_role("button", name="Guess", exact=True).tap()
        expect(page.locator(".guess")).to_have_count(rows)
        if page.locator(".code-play").get_by_text(re.compile("Found in")).count():
            break
        expect(page.locator(".options.stale")).to_have_count(0)
    expect(page.locator(".code-play").get_by_text(re.compile("Found in"))).to_be_visible()
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()
    expect(page.locator(".table tbody tr")).to_have_count(page.locator(".guess").count())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_contradiction_names_the_rows_and_one_tap_repairs_it(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001100")
    page.keyboard.press("Enter")
    page.keyboard.type("010121")
    page.keyboard.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Rows 1, 2 contradict each other.")
    alert.get_by_role("button").first.click()
    expect(alert).to_have_count(0)
    expect(best(page)).to_be_visible()


def test_undo_goes_back_fifty_steps_and_forth_again(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001110")
    page.keyboard.press("Enter")
    for _ in range(25):  # two steps each: ignore and count again
        for word in ("Ignore this row", "Count this row again"):
            page.locator(".guess .open").click()
            page.get_by_role("button", name=word).click()
    for _ in range(51):
        page.keyboard.press("Control+z")
    expect(page.locator(".guess")).to_have_count(0)
    for _ in range(51):
        page.keyboard.press("Control+Shift+z")
    expect(page.locator(".guess")).to_have_count(1)
    expect(page.locator(".guess.off")).to_have_count(0)


def test_a_link_shows_the_same_board_and_advice_in_a_fresh_profile(
    page: Page, watched: Callable[..., Page], site: str
) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    left(page, "208")
    expect(best(page)).to_contain_text("3.36")
    other = watched(address_of(page))
    left(other, "208")
    expect(best(other)).to_contain_text("3.36")
    assert best_guess(other) == best_guess(page)
    expect(other.locator(".guess .code")).to_have_text("1A1B")


def test_a_bad_link_says_so_and_keeps_the_last_position(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    left(page, "208")
    saved(page)
    page.goto("about:blank")
    page.goto(site + "#/code/1/AAAA")
    expect(page.get_by_role("alert")).to_contain_text("could not be opened")
    expect(page.locator(".guess")).to_have_count(1)


def test_pasted_rows_are_taken_and_bad_ones_stay_with_their_reason(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Paste a history").click()
    box = page.get_by_role("textbox")
    box.fill("0011 1A1B\nhello\n0203: 1 0")
    page.get_by_role("button", name="Add these rows").click()
    expect(page.locator(".guess")).to_have_count(2)
    expect(page.get_by_role("alert")).to_contain_text("1 line could not be read")
    expect(box).to_have_value("hello")


def test_a_typed_guess_is_compared_with_the_best(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("0000")
    expect(page.locator(".mine")).to_contain_text("fewer than the best")


def test_a_long_job_is_cancelled_and_the_page_goes_on(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Change game").click()
    page.get_by_role("button", name="Bulls & Cows").click()
    page.get_by_role("button", name="Start with these rules").click()
    page.get_by_text("Whole strategies").click()
    page.get_by_role("button", name="Optimal, proved").click()
    page.get_by_role("button", name="Work it out").click()
    stop = page.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_visible()
    stop.click()
    expect(page.get_by_text("Stopped.", exact=True)).to_be_visible(timeout=2000)
    page.keyboard.type("012312")
    page.keyboard.press("Enter")
    expect(page.locator(".guess")).to_have_count(1)
    expect(best(page)).to_be_visible()


def test_a_worker_that_dies_mid_run_loses_nothing(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    left(page, "208")
    page.get_by_text("Whole strategies").click()
    page.get_by_role("button", name="From the first guess").click()
    page.get_by_role("button", name="Optimal, proved").click()
    page.get_by_role("button", name="Work it out").click()
    page.workers[0].evaluate("self.close()")  # as if the system had taken it away
    expect(page.get_by_text("5\u202f625 guesses")).to_be_visible(timeout=60_000)
    expect(page.locator(".guess")).to_have_count(1)
    left(page, "208")


def test_the_board_takes_input_before_python_is_there(page: Page, site: str) -> None:
    page.route("**/pyodide/**", lambda route: None)  # Python's files never come
    page.goto(site + "#/code")
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    expect(page.locator(".guess")).to_have_count(1)
    expect(page.get_by_text("Starting the reasoning engine").first).to_be_visible()


def test_the_text_view_tells_the_same_numbers(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    left(page, "208")
    expect(best(page)).to_be_visible()
    page.keyboard.press("Control+e")
    view = page.locator(".text-view")
    expect(view).to_contain_text("208 codes are still possible.")
    expect(view).to_contain_text("3.36 bits")


def test_rows_of_another_game_are_not_taken_by_half_and_the_game_can_follow(
    page: Page, site: str
) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Paste a history").click()
    box = page.get_by_role("textbox")
    box.fill("0011 1A1B\n00112 02")
    page.get_by_role("button", name="Add these rows").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Line 2, place 5")
    expect(alert).to_contain_text("'00112' has 5")
    expect(page.locator(".guess")).to_have_count(0)
    expect(box).to_have_value("0011 1A1B\n00112 02")
    box.fill("00112 1A1B\n70112: 0 2")
    page.get_by_role("button", name="Add these rows").click()
    name = "A new game with 2 rows: 5 pegs, 8 colours, repeats allowed"
    page.get_by_role("button", name=name).click()
    expect(page.locator(".guess")).to_have_count(2)
    expect(page.get_by_role("heading", name="Super Mastermind")).to_be_visible()


def test_an_equal_guess_that_cannot_be_the_code_is_not_called_as_good(
    page: Page, site: str
) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001204")
    page.keyboard.press("Enter")
    left(page, "2")
    page.keyboard.type("0100")
    expect(page.locator(".mine")).to_contain_text("cannot be the code itself, and 1200 can")
    expect(page.locator(".mine")).not_to_contain_text("as good as the best")


def test_a_game_that_was_won_outside_a_round_asks_no_more(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    for row in ("001120", "234502", "05134"):
        page.keyboard.type(row)
        page.keyboard.press("Enter")
    expect(page.get_by_text("Found in 3 guesses.")).to_be_visible()
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()
    expect(page.locator(".table tbody tr")).to_have_count(3)
    expect(page.locator(".options")).to_have_count(0)
    expect(page.locator(".entry")).to_have_count(0)
    page.locator(".guess .open").last.click()
    page.get_by_role("button", name="Ignore this row").click()
    expect(page.locator(".entry")).to_be_visible()
    expect(best(page)).to_be_visible()


def test_a_win_that_contradicts_the_rows_is_a_doubt_and_no_win(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    for row in ("001110", "22334"):
        page.keyboard.type(row)
        page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Rows 1, 2 contradict each other.")
    expect(page.get_by_text("Found in")).to_have_count(0)


def test_a_sealed_round_can_be_given_up_and_undone(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Play a round").click()
    expect(page.get_by_text("A code is drawn and sealed")).to_be_visible()
    page.keyboard.type("0011")
    page.keyboard.press("Enter")
    expect(page.locator(".guess")).to_have_count(1)
    page.get_by_role("button", name="Show the code").click()
    expect(page.get_by_text(re.compile(r"The code was [0-5]{4}\."))).to_be_visible()
    expect(page.locator(".entry")).to_have_count(0)
    expect(page.get_by_role("heading", name="How it went")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.locator(".entry")).to_be_visible()
    expect(page.get_by_text("The code was")).to_have_count(0)


def test_two_guesses_are_compared_as_the_theory_page_compares_them(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001100")
    page.keyboard.press("Enter")
    page.get_by_text("Questions that are the same").click()
    fields = page.locator(".more-box form input")
    for two, said in (
        (("0002", "1112"), "no possible code shows"),
        (("0002", "0200"), "step by step"),
    ):
        expect(fields).to_have_count(2)
        for field, guess in zip(fields.all(), two, strict=True):
            field.fill(guess)
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_text(said)).to_be_visible()


def test_changing_the_game_asks_before_it_drops_rows(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    for row in ("001111", "012311"):
        page.keyboard.type(row)
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Change game").click()
    page.get_by_role("button", name="Bulls & Cows").click()
    page.get_by_role("button", name="Start with these rules").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 row does not fit the new rules and would be removed")
    expect(page.locator(".guess")).to_have_count(2)
    dialog.get_by_role("button", name="Back").click()
    expect(page.get_by_role("button", name="Bulls & Cows")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.get_by_role("button", name="Start with these rules").click()
    page.get_by_role("button", name="Remove 1 row and change the game").click()
    expect(page.locator(".guess")).to_have_count(1)
    expect(page.get_by_role("heading", name="Bulls & Cows")).to_be_visible()


def test_rows_that_imply_each_other_are_not_all_called_idle(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    for row in ("001100", "001100", "001100"):
        page.keyboard.type(row)
        page.keyboard.press("Enter")
    expect(page.get_by_text("rules out nothing that the other rows leave")).to_have_count(2)
    expect(page.locator(".guess").first).not_to_contain_text("rules out nothing")


def test_the_last_two_codes_show_different_questions_only(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001204")
    page.keyboard.press("Enter")
    left(page, "2")
    expect(page.locator(".ask .sub")).to_contain_text("answers alike count once")
    splits = page.locator(".options:not(.stale) .option").all_inner_texts()
    assert len(splits) == 10


def test_the_list_of_codes_takes_the_focus_and_nothing_scrolls_sideways(
    watched: Callable[..., Page], site: str
) -> None:
    page = watched(site + "#/code", **PHONE)
    page.get_by_text("How answers are counted").tap()
    page.get_by_text("Show the possible codes").tap()
    codes = page.locator(".codes")
    expect(codes.locator("li").first).to_be_visible()
    codes.focus()
    expect(codes).to_be_focused()
    expect(codes).to_have_accessible_name("The possible codes, a list to scroll")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_above_a_million_codes_the_page_says_what_each_number_is(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Change game").click()
    for _ in range(4):
        page.get_by_role("button", name="Pegs +").click()
    for _ in range(10):
        page.get_by_role("button", name="Colours +").click()
    page.get_by_role("button", name="Start with these rules").click()
    page.keyboard.type("0123456713")
    page.keyboard.press("Enter")
    left(page, "420\u202f377\u202f160")
    expect(page.locator(".ask .note")).to_contain_text(
        re.compile(r"Estimated from \d+\u202f\d{3} codes")
    )
    expect(page.locator(".ask .note")).to_contain_text("a better one may exist")
    # Which codes are drawn decides the last digit.
    expect(page.locator(".ask .note")).to_contain_text(
        re.compile(r"No guess at all is more than 0\.4\d bits")
    )
    expect(page.locator(".ask .sub")).to_contain_text("of 4\u202f294\u202f967\u202f296 guesses")
    expect(page.locator(".ask")).not_to_contain_text("different question")
    expect(page.locator(".ask")).not_to_contain_text("are exact")


def test_every_option_says_what_it_costs_in_guesses(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    left(page, "208")
    expect(best(page)).to_contain_text("3.45 guesses")
    expect(page.locator(".reason")).to_contain_text("at most 4")


def test_fewest_guesses_ranks_the_first_guess_of_mastermind_as_published(
    page: Page, site: str
) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Fewest guesses").click()
    expect(best(page)).to_have_attribute("data-key", "0012")
    expect(best(page)).to_contain_text("4.340")  # 5625 guesses over 1296 codes


def bulls_and_cows(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Change game").click()
    page.get_by_role("button", name="Bulls & Cows").click()
    page.get_by_role("button", name="Start with these rules").click()
    expect(page.get_by_role("heading", name="Bulls & Cows")).to_be_visible()


@pytest.mark.long
def test_fewest_guesses_gives_the_first_guess_of_bulls_and_cows_its_published_cost(
    page: Page, site: str
) -> None:
    """26 274 guesses over 5 040 codes; it takes longer than the page waits unasked."""
    bulls_and_cows(page, site)
    page.get_by_role("button", name="Fewest guesses").click()
    page.get_by_label("Count guesses to the end").check()
    expect(best(page)).to_have_attribute("data-key", "0123")
    expect(best(page)).to_contain_text(f"{26274 / 5040:.3f}", timeout=300_000)  # 5.213
    expect(best(page)).not_to_contain_text("≤")
    expect(page.locator(".reason")).to_contain_text("at most 7")


def test_costs_that_take_long_are_waited_for_only_where_they_may(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    expect(best(page)).to_be_visible()
    expect(page.get_by_label("Count guesses to the end")).to_have_count(
        0
    )  # Mastermind's are at hand
    bulls_and_cows(page, site)
    expect(page.get_by_label("Count guesses to the end")).not_to_be_checked()


def test_a_game_in_letters_is_pasted_played_on_and_kept_in_its_link(
    page: Page, watched: Callable[..., Page], site: str
) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Paste a history").click()
    page.get_by_role("textbox").fill("RGBY -> Result: 1 black peg and 1 white peg\nOORR ++-")
    page.get_by_role("button", name="Add these rows").click()
    expect(page.locator(".guess")).to_have_count(2)
    expect(page.locator(".guess .pegs").first).to_have_text(re.compile(r"R\s*G\s*B\s*Y"))
    page.keyboard.type("popr1u")
    page.keyboard.press("Enter")
    expect(page.locator(".guess .code").last).to_have_text("1A?B")
    other = watched(address_of(page))
    expect(other.locator(".guess .pegs").last).to_have_text(re.compile(r"P\s*O\s*P\s*R"))
    expect(other.locator(".guess .code").last).to_have_text("1A?B")


def test_how_colours_are_written_is_chosen_with_the_game(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Change game").click()
    page.get_by_role("button", name="1–6").click()
    page.get_by_role("button", name="Start with these rules").click()
    expect(page.locator(".guess .pegs")).to_have_text(re.compile(r"1\s*1\s*2\s*2"))
    left(page, "208")
    expect(page.locator(".reason")).to_contain_text("If you ask 1314")


def test_a_bulls_and_cows_game_without_a_first_zero_counts_its_codes(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Change game").click()
    page.get_by_role("button", name="Bulls & Cows").click()
    page.get_by_label("A code never begins with the first colour (0)").check()
    page.get_by_role("button", name="Start with these rules").click()
    left(page, "4\u202f536")
    expect(best(page)).to_be_visible()


def test_a_game_is_looked_back_on_in_guesses(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Paste a history").click()
    page.get_by_role("textbox").fill("0123 2A0B\n0045 1A1B\n2043 0A2B\n0220 4A0B")
    page.get_by_role("button", name="Add these rows").click()
    summary = "needs 4.34 guesses on average. Yours gave away 0.56, and luck saved 0.90: 4 guesses."
    expect(page.locator(".review .sum")).to_contain_text(summary)
    rows = page.locator(".review tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(1)).to_contain_text("0.09")
    expect(rows.nth(1)).to_contain_text("0245")
    rows.nth(2).get_by_role("button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".codes li")).to_have_count(4)
    expect(dialog).to_contain_text("0220")
    dialog.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Copy the result")).to_be_visible()


def test_an_unfinished_game_can_be_looked_back_on_too(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Look back").click()
    row = page.locator(".review tbody tr")
    expect(row).to_contain_text("208")
    expect(row).to_contain_text(re.compile(r"0\.0\d"))
    expect(page.locator(".entry")).to_be_visible()


def test_a_code_of_ones_own_is_sealed_sent_and_played_for(
    page: Page, watched: Callable[..., Page], site: str
) -> None:
    page.goto(site + "#/code")
    page.get_by_role("button", name="Set a code").click()
    dialog = page.get_by_role("dialog")
    for symbol in "3142":
        dialog.get_by_role("button", name=f"Colour {symbol}", exact=True).click()
    dialog.get_by_role("button", name="Seal this code").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("A code is drawn and sealed")).to_be_visible()
    other = watched(address_of(page))
    expect(other.get_by_text("A code is drawn and sealed")).to_be_visible()
    assert "3142" not in other.content()
    other.keyboard.type("3124")
    other.keyboard.press("Enter")
    expect(other.locator(".guess .code")).to_have_text("2A2B")
    other.get_by_role("button", name="Show the code").click()
    expect(other.get_by_text("The code was 3142.")).to_be_visible()


def test_a_code_of_the_list_goes_into_the_row(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001204")
    page.keyboard.press("Enter")
    left(page, "2")
    page.get_by_text("Show the possible codes").click()
    page.get_by_role("button", name="Put 2100 into the row").click()
    expect(page.locator(".slots")).to_contain_text(re.compile(r"2\s*1\s*0\s*0"))


def test_a_strategy_is_worked_out_from_the_present_position(page: Page, site: str) -> None:
    page.goto(site + "#/code")
    page.keyboard.type("001111")
    page.keyboard.press("Enter")
    left(page, "208")
    page.get_by_text("Whole strategies").click()
    page.get_by_role("button", name="Optimal, proved").click()
    page.get_by_role("button", name="Work it out").click()
    expect(page.locator(".more-box")).to_contain_text("guesses over 208 codes: 3.4")
    page.get_by_role("button", name="From the first guess").click()
    page.get_by_role("button", name="Work it out").click()
    expect(page.get_by_text("5\u202f625 guesses")).to_be_visible(timeout=60_000)


def test_the_tree_of_a_strategy_from_here_is_opened_level_by_level(
    watched: Callable[..., Page], site: str
) -> None:
    """Its counts are those of the split, and what a branch says is there for who only hears it."""
    page = watched(site + encode(Position(Rules(), (Clue("0011", 1, 1),))), **PHONE)
    left(page, "208")
    page.get_by_text("Whole strategies").tap()
    page.get_by_role("button", name="Work it out").tap()
    page.get_by_text("Look at the decision tree").tap()
    tree = page.get_by_role("region", name="The decision tree")
    expect(tree).to_contain_text("is asked of 208 codes.")
    counts = [int(text) for text in tree.locator("> ul > li b").all_inner_texts()]
    assert counts == sorted(counts, reverse=True)
    found = tree.get_by_text("found").count()
    assert sum(counts) + found == 208
    depth = 0
    level = tree.locator("> ul")
    while level.locator("> li > details").count():
        first = level.locator("> li > details > summary").first
        expect(first).to_contain_text(
            re.compile(r"leaves \d+ codes: ask [0-5]{4}, at most \d+ more")
        )
        expect(level.locator("> li > details > ul")).to_have_count(0)  # drawn once it is opened
        if depth:
            first.press("Enter")
        else:
            first.tap()
        level = level.locator("> li > details > ul").first
        expect(level).to_be_visible()
        depth += 1
    assert depth >= 2
    expect(level.locator("> li").first).to_contain_text(re.compile("found|leaves one code"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tree.locator("> ul > li > details > summary").first.tap()
    expect(tree.locator("> ul > li > details > ul")).to_have_count(0)


# ---- one state of the game ------------------------------------------------------------------


def compared(page: Page, rows: str) -> Locator:
    """What is said of these rows beside those on the page."""
    page.get_by_label("Rows of the other game").fill(rows)
    page.get_by_role("button", name="Compare the games").click()
    return page.locator("[data-part=same-state]")


def test_another_game_is_compared_as_a_state_and_what_shows_it_is_drawn(
    page: Page, site: str
) -> None:
    rows = (Clue("000", 1, 0), Clue("011", 2, 0))
    page.goto(site + encode(Position(Rules(3, 4), rows)))
    left(page, "4")
    page.get_by_text("Is another game in the same state?").click()
    said = compared(page, "001 1A1B\n000 2A0B")
    expect(said).to_contain_text("no swap turns one into the other")
    expect(said.locator("li")).to_have_count(4)
    expect(said.locator("li").first).to_contain_text("→")
    said = compared(page, "333 1A0B\n300 2A0B")
    expect(said).to_contain_text("one swap turns the 4 codes")
    expect(said).to_contain_text("colour")
    said = compared(page, "011 2A0B\n000 1A0B")
    expect(said).to_contain_text("both leave the same 4 codes")
    said = compared(page, "012 0A0B")
    expect(said).to_contain_text("yours leaves 4 codes, the other 1 code")
    page.get_by_label("Rows of the other game").fill("01")
    page.get_by_role("button", name="Compare the games").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 1")
