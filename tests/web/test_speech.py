"""Every string of the pages is there in German and Dutch, with the same blanks, and compiled."""

import json
import re

import pytest
from babel.messages import Catalog
from babel.messages.mofile import read_mo

from tests.web.catalogue import WEB, extracted, po, translated
from tests.web.conftest import Device
from web.port import Refused
from web.speech import REFUSALS

FOREIGN = ("de", "nl")


def texts(string: object) -> list[str]:
    return [str(s) for s in string] if isinstance(string, list | tuple) else [str(string)]


@pytest.mark.parametrize("lang", FOREIGN)
def test_every_string_is_translated(lang: str):
    catalogue = translated(lang)
    used = {str(m.id) for m in extracted() if m.id}
    assert used == {str(m.id) for m in catalogue if m.id}
    for message in catalogue:
        assert not message.fuzzy
        assert all(texts(message.string)), message.id


@pytest.mark.parametrize("lang", FOREIGN)
def test_translations_have_the_same_blanks(lang: str):
    blanks = re.compile(r"\{\w+\}|%\(\w+\)s")
    for message in translated(lang):
        wanted = set(blanks.findall(texts(message.id)[-1]))
        for text in texts(message.string):
            assert set(blanks.findall(text)) <= wanted, message.id
        assert set(blanks.findall(texts(message.string)[-1])) == wanted, message.id


def strings(catalogue: Catalog) -> dict[str, list[str]]:
    return {"|".join(texts(m.id)): texts(m.string) for m in catalogue if m.id}


@pytest.mark.parametrize("lang", FOREIGN)
def test_the_compiled_catalogue_is_up_to_date(lang: str):
    with po(lang).with_suffix(".mo").open("rb") as file:
        compiled = strings(read_mo(file))
    assert compiled == strings(translated(lang))


def test_no_string_of_a_script_is_missed():
    """Counted by a search of our own, for an extractor that skips a call would leave it in English."""
    found = " ".join(t for m in extracted() for t in texts(m.id))
    for file in (WEB / "static" / "js").rglob("*.js"):
        for text in re.findall(r'\b(?:_|ngettext)\(\s*"([^"]+)"', file.read_text("utf-8")):
            assert text in found, (file.name, text)


def test_no_string_is_both_plain_and_counted():
    """The catalogue of the scripts has one entry a string: numbers would take the place of the plain one."""
    counted = {texts(m.id)[0] for m in extracted() if isinstance(m.id, list | tuple)}
    for file in (WEB / "static" / "js").rglob("*.js"):
        assert not counted & set(re.findall(r'\b_\(\s*"([^"]+)"', file.read_text("utf-8"))), file.name


def test_no_text_of_a_page_bypasses_the_catalogue():
    """Between tags and in labels stand only blanks, names and signs."""
    for file in (WEB / "templates").glob("*.html"):
        page = re.sub(r"\{% block kind.*?endblock %\}", "", file.read_text("utf-8"))
        bare = re.sub(r"\{[{%#].*?[}%#]\}", "", page, flags=re.S)
        words = re.findall(r">([^<]*[A-Za-z]{3}[^<]*)<", bare) + re.findall(r'(?:alt|aria-label)="([^"]+)"', bare)
        assert {w.strip() for w in words} <= {"Companion", "· Companion"}, file.name


def test_every_refusal_has_its_sentence():
    codes = re.findall(r"`([a-z_]+)`", Refused.__doc__ or "")
    assert set(codes) - {"code", "facts"} == set(REFUSALS)


def test_the_language_is_the_chosen_one_then_the_browsers_then_english(device: Device):
    assert 'lang="nl"' in device.get("/j", headers={"Accept-Language": "fr, nl;q=0.8, de;q=0.5"}).text
    assert 'lang="en"' in device.get("/j", headers={"Accept-Language": "fr"}).text
    assert 'lang="de"' in device.get("/j?lang=de", headers={"Accept-Language": "nl"}).text
    assert 'lang="de"' in device.get("/look", headers={"Accept-Language": "nl"}).text  # remembered
    assert 'lang="de"' in device.get("/j?lang=xx", headers={"Accept-Language": "nl"}).text


def test_the_scripts_get_the_whole_catalogue_as_data(device: Device):
    page = device.get("/look?lang=de").text
    found = re.search(r'<script type="application/json" id="words">(.*?)</script>', page, re.S)
    assert found
    words = json.loads(found[1])
    assert words["Seal"] == "Versiegeln"
    assert words["The seal fits."] == ["Das Siegel passt.", "Alle {n} Siegel passen."]
