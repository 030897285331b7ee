// Times as people read them, in the zone of the browser.

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", year: "numeric", month: "long", day: "numeric" });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

function dayNumber(date) {
  return Math.round(new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime() / 86_400_000);
}

export function sameDay(a, b) {
  return a.toDateString() === b.toDateString();
}

export function clock(date) {
  return CLOCK.format(date);
}

export function full(date) {
  return FULL.format(date);
}

export function day(date, now = new Date()) {
  const distance = dayNumber(now) - dayNumber(date);
  if (distance === 0) return "Today";
  if (distance === 1) return "Yesterday";
  return DAY.format(date);
}

export function stamp(date, now = new Date()) {
  const distance = dayNumber(now) - dayNumber(date);
  if (distance === 0) return clock(date);
  if (distance === 1) return `Yesterday ${clock(date)}`;
  return SHORT.format(date);
}

function relative(date, now = new Date()) {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
  return RELATIVE.format(Math.round(seconds / size), unit);
}

// The <t:1700000000:R> notation; a time no calendar knows is not formatted.
export function written(seconds, style) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return null;
  if (style === "R") return relative(date);
  return new Intl.DateTimeFormat(undefined, STYLES[style] ?? STYLES.f).format(date);
}
