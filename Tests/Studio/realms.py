"""The realm files of the tests, made by `realm import`."""
import base64
import json
import pathlib
import shutil
import subprocess

COLORS = ["brown", "black", "white", "golden", "grey"]

PEOPLE = {"classes": [
    {"name": "Dog", "properties": [
        {"name": "id", "type": "int", "primaryKey": True},
        {"name": "name", "type": "string"},
        {"name": "age", "type": "int"},
        {"name": "color", "type": "string", "optional": True},
        {"name": "owner", "type": "object", "class": "Person"},
        {"name": "weight", "type": "double"},
        {"name": "born", "type": "date"},
        {"name": "vaccinated", "type": "bool"}]},
    {"name": "Person", "properties": [
        {"name": "id", "type": "int", "primaryKey": True},
        {"name": "name", "type": "string"},
        {"name": "email", "type": "string", "optional": True}]},
]}


def person_line(number):
    return f'{{"id":{number},"name":"Person {number}","email":"person{number}@example.org"}}\n'


def dog_line(number, people):
    day = 1 + number % 28
    return (f'{{"id":{number},"name":"Dog {number}","age":{number % 17},"color":"{COLORS[number % 5]}",'
            f'"owner":{number % people},"weight":{5 + number % 400 / 10},"born":"20{10 + number % 15}-05-{day:02}",'
            f'"vaccinated":{"true" if number % 3 else "false"}}}\n')


def people_file(tool, path, dogs, people):
    """Makes a file of dogs and their owners. Dog n belongs to person n % people."""
    folder = path.with_suffix(".import")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schema.json").write_text(json.dumps(PEOPLE))
    with open(folder / "Person.jsonl", "w") as lines:
        lines.writelines(person_line(number) for number in range(people))
    with open(folder / "Dog.jsonl", "w") as lines:
        lines.writelines(dog_line(number, people) for number in range(dogs))
    tool.run("import", path, folder / "Person.jsonl", folder / "Dog.jsonl", "--schema", folder / "schema.json")
    shutil.rmtree(folder)
    return path


SINGLE = ["int", "bool", "string", "data", "date", "float", "double", "objectId", "decimal128", "uuid"]
SCRIPT = "<script>window.isInjected = true</script>"
IMAGE = '"><img src=x onerror="window.isInjected = true">'
EMOJI = "👩‍👩‍👧‍👦 🇳🇴 🐕‍🦺"
RIGHT_TO_LEFT = "כלב גדול – كلب كبير"
LONG_TEXT = "Lorem ipsum dolor sit amet. " * 8_000
PIXEL = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

EVERYTHING = {"classes": [
    {"name": "Everything", "properties": [
        {"name": "key", "type": "string", "primaryKey": True},
        *[{"name": f"{kind} value", "type": kind, "optional": True} for kind in SINGLE],
        {"name": SCRIPT, "type": "string", "optional": True},
        {"name": "any", "type": "mixed"},
        {"name": "friend", "type": "object", "class": "Everything"},
        {"name": "part", "type": "object", "class": "Part <b>"},
        *[{"name": f"{kind} list", "type": kind, "collection": "list"} for kind in SINGLE],
        {"name": "any list", "type": "mixed", "collection": "list"},
        {"name": "friends", "type": "object", "class": "Everything", "collection": "list"},
        {"name": "string set", "type": "string", "collection": "set"},
        {"name": "int map", "type": "int", "collection": "map"},
    ]},
    {"name": "Part <b>", "embedded": True, "properties": [
        {"name": "a name", "type": "string", "optional": True}, {"name": "size", "type": "double", "optional": True}]},
]}

VALUES = {
    "int": 9223372036854775807, "bool": True, "string": "plain", "data": base64.b64encode(b"12345678").decode(),
    "date": "2024-05-17T08:30:00.123Z", "float": 1.5, "double": -0.1, "objectId": "507f1f77bcf86cd799439011",
    "decimal128": "1234567890.123456789", "uuid": "123e4567-e89b-12d3-a456-426614174000",
}


def everything_lines():
    full = {"key": "full", **{f"{kind} value": value for kind, value in VALUES.items()},
            **{f"{kind} list": [value] * 2 for kind, value in VALUES.items()},
            SCRIPT: IMAGE, "any": {"deep": [1, {"deeper": ["leaf", SCRIPT, None, 2.5]}]}, "friend": "nil",
            "part": {"a name": IMAGE, "size": 2.5}, "any list": [1, "two", [3, {"four": 5}], None],
            "friends": ["nil", "full"], "string set": ["a", "b", SCRIPT], "int map": {"one": 1, "<b>two</b>": 2}}
    return [
        full, {"key": "nil"},
        {"key": "empty", "string value": "", "data value": "", "any": ""},
        {"key": "emoji", "string value": EMOJI, "any": EMOJI},
        {"key": "right to left", "string value": RIGHT_TO_LEFT, "any": RIGHT_TO_LEFT},
        {"key": "long", "string value": LONG_TEXT, "any": "x" * 5_000},
        {"key": "markup", "string value": SCRIPT, "any": IMAGE},
        {"key": "image", "data value": PIXEL},
        {"key": "list", "any": [[[[["deep"]]]]], "int list": list(range(1_000))},
        {"key": IMAGE, "string value": "a markup key"},
    ]


def everything_file(tool, path, *options):
    """Makes a file that has every property type, with values that a page can get wrong."""
    folder = path.with_suffix(".import")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schema.json").write_text(json.dumps(EVERYTHING))
    with open(folder / "Everything.jsonl", "w") as lines:
        lines.writelines(json.dumps(line) + "\n" for line in everything_lines())
    tool.run("import", path, folder / "Everything.jsonl", "--schema", folder / "schema.json", *options)
    shutil.rmtree(folder)
    return path


def copied(path, name):
    """Copies a file that no process has open."""
    target = pathlib.Path(path).with_name(name + ".realm")
    subprocess.run(["cp", "--reflink=auto", str(path), str(target)], check=True)
    return target
