// Ids carry the time they were made: what can be read from them, and how they are ordered.

const EPOCH = 1420070400000n;

export function timeOf(id) {
  return new Date(Number((BigInt(id) >> 22n) + EPOCH));
}

// Ids are decimal strings too large for a Number; longer means newer, equal length compares as text.
export function compareIds(a, b) {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isNewer(a, b) {
  return compareIds(a, b) > 0;
}

let lastNonce = 0n;

// A nonce has the shape of an id; strictly growing, so that two sends in one millisecond differ.
export function newNonce() {
  const now = (BigInt(Date.now()) - EPOCH) << 22n;
  lastNonce = now > lastNonce ? now : lastNonce + 1n;
  return lastNonce.toString();
}
