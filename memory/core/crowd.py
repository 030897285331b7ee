"""The people of a guild as bits of an integer, so that a question about ten thousand of them is one operation."""

from collections.abc import Iterable

from memory.core.places import Seat


class MemberBits:
    """Everyone seated in a guild, and who holds which role. Bots are no people: nothing is kept from a program."""

    def __init__(self, seats: Iterable[Seat] = ()) -> None:
        self.everyone = 0
        self._bit_of: dict[int, int] = {}
        self._at: list[int | None] = []
        self._vacant: list[int] = []
        self._roles_of: dict[int, frozenset[int]] = {}
        self._holders: dict[int, int] = {}
        for seat in seats:
            self.seat(seat)

    def seat(self, seat: Seat) -> bool:
        """Seat a member, or note the roles they hold now; whether that changed anything."""
        if seat.is_bot:
            return self.leave(seat.user_id)
        roles = frozenset(seat.role_ids)
        before = self._roles_of.get(seat.user_id)
        if roles == before:
            return False
        bit = self._bit_of.get(seat.user_id) or self._take_bit(seat.user_id)
        for role_id in (before or frozenset()) - roles:
            self._drop(role_id, bit)
        for role_id in roles - (before or frozenset()):
            self._holders[role_id] = self._holders.get(role_id, 0) | bit
        self._roles_of[seat.user_id] = roles
        return True

    def leave(self, user_id: int) -> bool:
        bit = self._bit_of.pop(user_id, None)
        if bit is None:
            return False
        for role_id in self._roles_of.pop(user_id):
            self._drop(role_id, bit)
        self.everyone ^= bit
        index = bit.bit_length() - 1
        self._at[index] = None
        self._vacant.append(index)
        return True

    def holding(self, role_id: int) -> int:
        return self._holders.get(role_id, 0)

    def one(self, user_id: int) -> int:
        """The bit of one person, or nobody."""
        return self._bit_of.get(user_id, 0)

    def these(self, user_ids: Iterable[int]) -> int:
        bits = 0
        for user_id in user_ids:
            bits |= self._bit_of.get(user_id, 0)
        return bits

    def people(self, bits: int) -> frozenset[int]:
        marks = reversed(f"{bits:b}")
        return frozenset(
            user_id for user_id, mark in zip(self._at, marks, strict=False) if mark == "1" and user_id is not None
        )

    def roles_of(self, user_id: int) -> frozenset[int] | None:
        return self._roles_of.get(user_id)

    def _take_bit(self, user_id: int) -> int:
        if self._vacant:
            index = self._vacant.pop()
            self._at[index] = user_id
        else:
            index = len(self._at)
            self._at.append(user_id)
        bit = 1 << index
        self._bit_of[user_id] = bit
        self.everyone |= bit
        return bit

    def _drop(self, role_id: int, bit: int) -> None:
        left = self._holders[role_id] & ~bit
        if left:
            self._holders[role_id] = left
        else:
            del self._holders[role_id]
