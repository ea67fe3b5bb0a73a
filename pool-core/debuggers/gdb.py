"""Shows the types of typed-pool in gdb: embedded into programs that use the crate, and loaded with them."""

import gdb
import gdb.printing

TAG_SHIFT = 24  # of a handle's word, which is `base/handle.rs`'s: tag, generation, and a bit that is 1 in a handle


def inner(value):
    """The number or pointer within wrappers such as `Cell`, `NonNull` and `NonZero`."""
    while value.type.strip_typedefs().code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        value = value[[field for field in value.type.strip_typedefs().fields() if field.type.sizeof][0]]
    return value


def linked(link):
    """The chunk to which a `ChunkLink` leads, or `None`."""
    chunk = gdb.lookup_type("pool_core::memory::chunk::Chunk").pointer()
    chunk = link.address.cast(chunk.pointer()).dereference()
    return chunk.dereference() if int(chunk) else None


def vector(value):
    """The start, as an address, and the length of a `PoolVec`."""
    vec = value["__0"]
    return int(inner(vec["buf"]["inner"]["ptr"])), int(vec["len"])


def handle(slot, word):
    generation = (word & ((1 << TAG_SHIFT) - 1)) >> 1
    return f"slot {slot}, generation {generation}, tag {word >> TAG_SHIFT}"


def plural(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "s")


class Printer:
    def __init__(self, value):
        self.value = value


class PoolBox(Printer):
    """The element. Of a trait object, the pointers."""

    def to_string(self):
        return "PoolBox"

    def children(self):
        pointer = self.value["element"]["pointer"]
        yield "element", pointer.dereference() if pointer.type.code == gdb.TYPE_CODE_PTR else pointer


class Handle(Printer):
    """Slot, generation and tag."""

    def to_string(self):
        slot, word = int(self.value["index"]), int(inner(self.value["word"]))
        return "Handle(dangling)" if slot == word == 0xFFFF_FFFF else f"Handle({handle(slot, word)})"


class Roster(Printer):
    """The live elements, each behind its handle."""

    def __init__(self, value):
        super().__init__(value)
        self.words = vector(value["directory"]["words"])
        self.bases = vector(value["store"]["bases"])

    def live(self):
        start, length = self.words
        memory = gdb.selected_inferior().read_memory(start, 4 * length) if length else b""
        words = [int.from_bytes(memory[4 * slot : 4 * slot + 4], "little") for slot in range(length)]
        return [(slot, word) for slot, word in enumerate(words) if word & 1]

    def to_string(self):
        return f"Roster of {plural(len(self.live()), 'element')}"

    def children(self):
        element = self.value.type.strip_typedefs().template_argument(0)
        size = element.sizeof
        # As `granule_bits` in `roster/store.rs`.
        granule = 16 if size == 0 else min(16, 1 << max(0, (1024 // size).bit_length() - 1))
        word = gdb.lookup_type("usize").pointer()
        for number, (slot, bits) in enumerate(self.live()):
            base = int((gdb.Value(self.bases[0]).cast(word) + slot // granule).dereference())
            yield f"[{number}]", handle(slot, bits)
            yield f"[{number}]", gdb.Value(base + slot * size).cast(element.pointer()).dereference()

    def display_hint(self):
        return "map"


class Rewind(Printer):
    """How many marks are open, and the roster."""

    def to_string(self):
        return f"Rewind with {plural(int(self.value['log']['segments']['len']), 'open mark')}"

    def children(self):
        yield "roster", self.value["roster"]


class TypedPool(Printer):
    """A `FreeList` or `PointerStack`: its live slots and its chunks."""

    def to_string(self):
        slots = self.value["slots"]
        cursor, strategy = slots["cursor"], slots["strategy"]
        element = self.value.type.strip_typedefs().template_argument(0)
        word = gdb.lookup_type("usize").sizeof
        align = max(element.alignof, word)
        size = -(-max(element.sizeof, align) // align) * align
        chunks, capacity, chunk = 0, 0, linked(cursor["chain"]["first"])
        while chunk is not None:
            chunks, capacity, chunk = chunks + 1, capacity + int(chunk["slots"]), linked(chunk["next"])
        bump = int(inner(cursor["bump"]))
        if "InFreeList" in str(strategy.type):
            name, live = "FreeList", 0
            if bump:
                # As `Slots::live` in `strategy/free_list.rs`.
                live = (bump - int(inner(strategy["floor"]))) // size + 1 - (int(inner(strategy["last"])) > 1)
        else:
            # With the feature `hardened` a free list has one in its place.
            name = "FreeList" if "InPointerStack<true>" in str(strategy.type) else "PointerStack"
            current = linked(cursor["chain"]["current"])
            used = (bump - int(inner(current["start"]))) // size if current is not None else 0
            entries = int(inner(strategy["array"]["entries"]))
            live = int(inner(cursor["used_up"])) + used - (int(inner(strategy["top"])) - entries) // word
        return f"{name}: {live} of {plural(capacity, 'slot')} live, in {plural(chunks, 'chunk')}"


printers = gdb.printing.RegexpCollectionPrettyPrinter("typed-pool")
for path, printer in (
    ("pointer::boxed::PoolBox", PoolBox),
    ("base::handle::Handle", Handle),
    ("roster::Roster", Roster),
    ("rewind::Rewind", Rewind),
    ("pool::typed::TypedPool", TypedPool),
):
    printers.add_printer(printer.__name__, f"^pool_core::{path}<.*>$", printer)
gdb.printing.register_pretty_printer(gdb.current_objfile(), printers, replace=True)
