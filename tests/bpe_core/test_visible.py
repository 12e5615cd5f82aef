"""What a token looks like on the screen, by value; and the alphabet in which files spell bytes."""

import unicodedata

import pytest
import regex

from bpe_core.visible import BYTE_ALPHABET, BYTE_OF_SYMBOL, hex_bytes, spell, visible


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" the", "·the"),
        ("a\tb", "a→b"),
        ("a\n\n", "a↵↵"),
        ("\r\n", "⟨0D⟩↵"),
        ("a\x00", "a⟨00⟩"),
        ("\x7f", "⟨7F⟩"),
        ("\xa0", "⟨NBSP⟩"),
        ("\xad", "⟨SHY⟩"),
        ("\u200b", "⟨ZWSP⟩"),
        ("👩\u200d🔬", "👩⟨ZWJ⟩🔬"),
        ("\u2028", "⟨LSEP⟩"),
        ("\u202ea", "⟨RLO⟩a"),
        ("\ufeffa", "⟨BOM⟩a"),
        ("❤\ufe0f", "❤⟨VS16⟩"),
        ("漢\U000e0100", "漢⟨U+E0100⟩"),
        ("\u2003", "⟨U+2003⟩"),
        ("\u3000", "⟨U+3000⟩"),
        ("\u3164", "⟨U+3164⟩"),
        ("\u2800", "⟨U+2800⟩"),
        ("\u0378", "⟨U+0378⟩"),
        ("\ue000", "⟨U+E000⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("\ufffd", "\ufffd"),
        ("naïve 漢🙂", "naïve·漢🙂"),
        ("", ""),
    ],
)
def test_visible_hides_no_character(text, expected):
    assert visible(text.encode()) == expected


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        pytest.param(b"\xe2\x80", "⟨E2⟩⟨80⟩", id="first bytes of a character"),
        pytest.param(b"\x99s", "⟨99⟩s", id="last byte of a character"),
        pytest.param(b"a\xff", "a⟨FF⟩", id="no UTF-8"),
        pytest.param(b"\xed\xa0\x80", "⟨ED⟩⟨A0⟩⟨80⟩", id="half a surrogate pair"),
        pytest.param(b"\xc0\x80", "⟨C0⟩⟨80⟩", id="too long a spelling of 0"),
    ],
)
def test_visible_shows_bytes_that_are_no_character_in_hex(token, expected):
    assert visible(token) == expected


def test_hex_bytes_has_two_digits_for_each_byte():
    assert hex_bytes(b"\x00a\xff") == "00 61 FF"


def test_byte_alphabet_moves_68_bytes_to_letters_from_u_0100_on():
    moved = [byte for byte in range(256) if BYTE_ALPHABET[byte] != chr(byte)]

    assert moved == [*range(0x21), *range(0x7F, 0xA1), 0xAD]
    assert [BYTE_ALPHABET[byte] for byte in moved] == [chr(code) for code in range(0x100, 0x144)]
    assert (len(moved), len({*BYTE_ALPHABET})) == (68, 256)


def test_spell_writes_the_symbols_that_files_have():
    assert spell(b"\ta\r\n b\x00") == "ĉačĊĠbĀ"
    assert spell("é\xa0\xad".encode()) == "Ã©ÂłÂŃ"
    assert bytes(BYTE_OF_SYMBOL[symbol] for symbol in "ĉačĊĠb") == b"\ta\r\n b"


@pytest.mark.parametrize(
    "mark",
    ["\u0301", "\u0901", "\u0903", "\u093e", "\u0488", "\u20dd"],
    ids=["accent", "candrabindu", "visarga", "vowel sign", "enclosing", "circle"],
)
def test_visible_puts_a_mark_that_leads_on_a_circle(mark):
    assert visible(f"{mark}x".encode()) == f"◌{mark}x"
    assert visible(f"x{mark}".encode()) == f"x{mark}"


def test_visible_puts_every_mark_that_leads_on_a_circle_or_names_it():
    marks = [chr(code) for code in range(0x3000) if unicodedata.category(chr(code))[0] == "M"]

    assert [mark for mark in marks if not visible(mark.encode()).startswith(("◌", "⟨"))] == []


def test_visible_names_every_character_that_unicode_says_to_ignore():
    ignorable = [chr(code) for code in range(0x20000) if regex.match(r"\p{Default_Ignorable_Code_Point}", chr(code))]

    assert [character for character in ignorable if not visible(character.encode()).startswith("⟨")] == []


def test_visible_puts_a_mark_on_a_circle_behind_what_is_not_drawn_as_itself():
    assert visible(" \u0301\u0302a".encode()) == "·◌\u0301\u0302a"
    assert visible(b"\xff\xcc\x81") == "⟨FF⟩◌\u0301"
    assert visible("\x85\u0301".encode()) == "⟨U+0085⟩◌\u0301"
