"""README.md taken apart: what stands under each heading, its code blocks and its tables."""

import re
from dataclasses import dataclass, field

NULL = "NULL"


@dataclass(frozen=True)
class Block:
    """A fenced code block. language: what follows its fence. caption: the paragraph right before it, if any."""

    language: str
    text: str
    caption: str


@dataclass(frozen=True)
class Table:
    """Columns by name and rows of their texts, None for NULL."""

    columns: tuple[str, ...]
    rows: list[tuple[str | None, ...]]


@dataclass
class Section:
    """What stands under a heading, until the next one of any level. tables: with their names, see _named_tables."""

    heading: str
    prose: str = ""
    blocks: list[Block] = field(default_factory=list)
    tables: list[tuple[str, Table]] = field(default_factory=list)

    def block(self, language: str) -> str:
        """The text of the only block in a language."""
        texts = [block.text for block in self.blocks if block.language == language]
        assert len(texts) == 1, f"{self.heading!r} has {len(texts)} blocks in {language!r}"
        return texts[0]

    def block_after(self, words: str) -> str:
        """The text of the only block whose caption has these words."""
        texts = [block.text for block in self.blocks if words in block.caption]
        assert len(texts) == 1, f"{self.heading!r} has {len(texts)} blocks after {words!r}"
        return texts[0]

    def table(self, name: str = "") -> Table:
        """The only table of a name."""
        tables = [table for own_name, table in self.tables if own_name == name]
        assert len(tables) == 1, f"{self.heading!r} has {len(tables)} tables {name!r}"
        return tables[0]

    def files(self) -> dict[str, str]:
        """Blocks by path, of those whose caption begins with the path of a file."""
        named = [(re.match(r"`([\w./-]+/[\w./-]+\.\w+)`", block.caption), block.text) for block in self.blocks]
        return {match.group(1): text for match, text in named if match}


def read_sections(text: str) -> dict[str, Section]:
    """The sections of a Markdown file by heading. No two have the same."""
    sections, section = {}, Section("")
    paragraph, caption = [], ""
    lines = iter(text.split("\n"))
    for line in lines:
        if paragraph and (not line.strip() or line.startswith(("#", "```"))):
            _take(section, paragraph)
            paragraph, caption = [], " ".join(paragraph)
        if line.startswith("```"):
            section.blocks.append(Block(line[3:].strip(), _until_fence(lines), caption))
            caption = ""
        elif heading := re.match(r"#+ (.*)", line):
            section, caption = Section(heading.group(1)), ""
            assert section.heading not in sections, f"two headings {section.heading!r}"
            sections[section.heading] = section
        elif line.strip():
            paragraph.append(line)
    if paragraph:
        _take(section, paragraph)
    return sections


def _until_fence(lines) -> str:
    block = []
    for line in lines:
        if line.startswith("```"):
            return "\n".join(block) + "\n"
        block.append(line)
    raise AssertionError("a code block has no end")


def _take(section: Section, paragraph: list[str]) -> None:
    """Take a paragraph into the section, as prose or as tables."""
    if paragraph[0].startswith("|"):
        section.tables += _named_tables(paragraph)
    else:
        section.prose += " ".join(paragraph) + "\n"


def _named_tables(lines: list[str]) -> list[tuple[str, Table]]:
    """
    The tables that stand side by side in one, between columns that have no heading. "`orders`: order_id" as the heading of a first column names
    its table; one without has the name "". Where one has fewer rows than those beside it, all its cells are blank.
    """
    header, rule, *rows = [_cells(line) for line in lines]
    assert all(re.fullmatch(r":?-+:?", cell) for cell in rule), f"no table: {lines[0]}"
    assert all(len(row) == len(header) for row in (rule, *rows)), f"rows of unequal length under {lines[0]}"
    tables, first = [], 0
    for last in [place for place, cell in enumerate(header) if not cell and place] + [len(header)]:
        name, colon, column = header[first].rpartition(": ")
        parts = [row[first:last] for row in rows]
        shown = [tuple(None if cell == NULL else cell for cell in part) for part in parts if any(part)]
        tables.append((name.strip("`"), Table((column, *header[first + 1 : last]), shown)))
        first = last + 1
    return tables


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
