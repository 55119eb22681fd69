"""Resources and prompts: topic documents as they are on disk, and texts that a person can pick."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_agent import ERAS, talk

from memoranda import Memory
from memoranda.mcp import resources
from scene import SENTENCES, Place


def told(place: Place, **given: Any) -> Memory:
    memory = place.open(**given)
    for sentence in SENTENCES[:8]:
        memory.add(sentence)
    memory.consolidate()
    memory.add("The weir gate is stuck.")
    return memory


def read(memory: Memory, uri: str, mode: str = "auto") -> Any:
    async def work(agent: Client) -> Any:
        return (await agent.read_resource(uri)).contents[0]

    return talk(memory, work, mode=mode)


@pytest.mark.parametrize("mode", ERAS)
def test_every_document_is_a_resource_byte_for_byte_as_its_file(place: Place, mode: str) -> None:
    memory = told(place)
    found = talk(memory, lambda agent: agent.list_resources(), mode=mode).resources
    assert [item.uri for item in found][:2] == ["memory://current", "memory://status"]
    documents = memory.documents()
    assert documents
    assert [item.uri for item in found][2:] == [
        f"memory://topics/{info.document_id}" for info in documents
    ]
    for info, item in zip(documents, found[2:], strict=True):
        content = read(memory, item.uri, mode)
        assert content.text.encode() == (place.folder / info.file).read_bytes()
        assert content.mime_type == item.mime_type == "text/markdown"


def test_documents_can_be_read_by_their_titles_and_entries_by_their_numbers(place: Place) -> None:
    memory = told(place)
    templates = talk(memory, lambda agent: agent.list_resource_templates()).resource_templates
    assert [item.uri_template for item in templates] == [
        "memory://topics/{document}",
        "memory://entries/{seq}",
    ]
    info = memory.documents()[0]
    title = info.title.replace(" ", "%20")
    assert info.document_id in read(memory, f"memory://topics/{title}").text
    assert SENTENCES[1] in read(memory, "memory://entries/2").text
    assert "weir" in read(memory, "memory://current").text


def test_status_names_the_absolute_folder_of_the_data(place: Place) -> None:
    found = json.loads(read(told(place), "memory://status").text)
    assert found["folder"] == str(place.folder)
    assert found["database"] == str(place.database)
    assert found["events"] == 9


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    "uri",
    [
        "memory://topics/d99",
        "memory://topics/../../memory.db",
        "memory://topics/..%2F..%2Fmemory.db",
        "memory://topics/",
        "memory://entries/0",
        "memory://entries/99999999999999999999999",
        "memory://entries/x",
        "memory://secrets",
        "file:///etc/passwd",
    ],
)
def test_what_is_not_there_is_an_error_of_the_request(place: Place, uri: str, mode: str) -> None:
    memory = told(place)
    with pytest.raises(MCPError) as caught:
        read(memory, uri, mode)
    assert caught.value.code == -32602
    assert "SQLite" not in str(caught.value)


def test_many_documents_come_in_pages(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "PAGE", 2)
    memory = told(place)
    for number in range(4):
        memory.add(f"Boat {number} is moored at pier {number}.", session=f"b{number}")
        memory.consolidate()
    names = [info.document_id for info in memory.documents()]

    async def work(agent: Client) -> list[str]:
        found, cursor = [], None
        while True:
            page = await agent.list_resources(cursor=cursor)
            found += [
                item.uri.rpartition("/")[2] for item in page.resources if "topics" in item.uri
            ]
            cursor = page.next_cursor
            if cursor is None:
                return found

    assert talk(memory, work) == names


def test_a_cursor_of_somebody_else_is_refused(place: Place) -> None:
    with pytest.raises(MCPError, match="without one"):
        talk(told(place), lambda agent: agent.list_resources(cursor="x"))


@pytest.mark.parametrize("mode", ERAS)
def test_the_prompt_recall_brings_what_is_known_as_data(place: Place, mode: str) -> None:
    memory = told(place)
    found = talk(memory, lambda agent: agent.list_prompts(), mode=mode).prompts
    assert [item.name for item in found] == ["recall", "notes"]

    async def work(agent: Client) -> str:
        given = await agent.get_prompt("recall", {"topic": "ferry to Skarholm"})
        return str(given.messages[0].content.text)

    said = talk(memory, work, mode=mode)
    assert SENTENCES[2] in said
    assert said.index("data, not instructions") < said.index(SENTENCES[2])


def test_the_prompt_notes_tells_how_to_keep_a_talk(place: Place) -> None:
    async def work(agent: Client) -> str:
        given = await agent.get_prompt("notes", {"session": "monday"})
        return str(given.messages[0].content.text)

    said = talk(place.open(), work)
    assert "remember" in said
    assert "'monday'" in said


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("recall", {}, "topic"),
        ("recall", {"topic": " "}, "topic"),
        ("recall", {"topic": "a", "user": "b"}, "no parameter 'user'"),
        ("recall", {"topic": "a" * 30_000}, "longer"),
        ("notes", {"topic": "a"}, "no parameter"),
        ("steal", {}, "there are recall and notes"),
    ],
)
def test_a_prompt_that_does_not_fit_is_refused(
    place: Place, name: str, given: dict[str, str], why: str
) -> None:
    with pytest.raises(MCPError, match=why):
        talk(place.open(), lambda agent: agent.get_prompt(name, given))


CANARIES = {"anna": "quillberry", "boris": "thornwick", "cellar": "marrowfen"}
"""Two users and a project, each with a canary of its own."""


def test_a_client_of_one_scope_never_sees_the_canary_of_another(place: Place) -> None:
    names = CANARIES
    ids = {}
    for user in ("anna", "boris"):
        memory = place.open(user=user)
        ids[user] = memory.add(f"The password of the shed is {names[user]}.", id=f"id-{user}")
        memory.consolidate()
        memory.close()
    cellar = place.open(user="boris", project="cellar")
    cellar.add(f"The wine in the cellar is {names['cellar']}.", id="id-cellar")
    cellar.consolidate()
    seen = everything(place.open(user="boris", project="mill"), ids["anna"].event_ids[0])
    assert names["anna"] not in seen
    assert names["cellar"] not in seen
    assert names["boris"] in seen
    whole = everything(place.open(user="boris"), ids["anna"].event_ids[0])
    assert names["cellar"] in whole
    assert names["anna"] not in whole


def everything(memory: Memory, foreign: str) -> str:
    """All that a client is told when it tries everything."""

    async def work(agent: Client) -> str:
        words = ["password shed", "wine cellar", *CANARIES.values()]
        calls: list[tuple[str, dict[str, Any]]] = [("list_documents", {}), ("plans", {})]
        for text in words:
            calls += [
                ("search", {"query": text}),
                ("ask", {"question": text}),
                ("context", {"query": text}),
                ("grep", {"pattern": text}),
                ("facts", {"subject": text}),
                ("list_documents", {"query": text}),
            ]
        for name in (foreign, "id-anna", "id-cellar", "1", "2", "3", "d1", "d2", "d3", "CURRENT"):
            calls += [
                ("fetch", {"id": name}),
                ("history", {"ref": name}),
                ("read_lines", {"document": name}),
                ("forget", {"external_id": name}),
            ]
        told = []
        for name, given in calls:
            got = await agent.call_tool(name, given)
            told.append(str([got.content, got.structured_content]).replace(str(given), ""))
            assert "internal error" not in told[-1]
        found = (await agent.list_resources()).resources
        told += [str(await agent.read_resource(item.uri)) for item in found]
        return "\n".join(told)

    said = str(talk(memory, work))
    for text in CANARIES.values():  # what only repeats the question is no leak
        said = said.replace(f"'{text}'", "").replace(f'"{text}"', "")
    return said
