const UNITS: Record<string, number> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|μs|ms|s|m|h)/g;

/** The seconds of a duration as Go writes it (`1m30s`, `500ms`); null for other text. */
export function goSeconds(text: string | null): number | null {
  if (text === null) return null;
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 50 || trimmed.replaceAll(PART, '') !== '') return null;
  const sum = [...trimmed.matchAll(PART)].reduce(
    (seconds, [, count, unit]) => seconds + Number(count) * (UNITS[unit ?? 's'] ?? 0),
    0,
  );
  // Nanoseconds are beyond what seconds as a floating-point number show.
  return Number.isFinite(sum) ? Math.round(sum * 1e6) / 1e6 : null;
}

const WORDS: Record<string, number> = {
  ...UNITS,
  msec: 1e-3,
  millisecond: 1e-3,
  sec: 1,
  second: 1,
  min: 60,
  minute: 60,
  hr: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
  w: 604_800,
  week: 604_800,
};
const WORD = /(\d+(?:\.\d+)?)\s*([a-zµμ]+)(?:\s*,\s*|\s+|$|(?=\d))/gi;
const CLOCK = /^(\d{1,5}):([0-5]\d):([0-5]\d)$/;
const ISO = /^P(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/i;
const ISO_SECONDS = [604_800, 86_400, 3600, 60, 1];

/**
 * The seconds of a duration as people write it: a number of seconds, with units (`5 min`, `1h 30m`, `2 days`), as a clock shows it (`00:05:00`)
 * or as ISO 8601 (`PT5M`); null for other text.
 */
export function looseSeconds(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 50) return null;
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return Number(trimmed);
  const clock = CLOCK.exec(trimmed)?.slice(1).map(Number);
  if (clock !== undefined) return sumOf(clock, [3600, 60, 1]);
  const iso = ISO.exec(trimmed)?.slice(1);
  if (iso?.some((part) => part !== undefined))
    return sumOf(
      iso.map((part) => Number(part ?? 0)),
      ISO_SECONDS,
    );
  return goSeconds(trimmed) ?? secondsInWords(trimmed);
}

function secondsInWords(text: string): number | null {
  if (text.replaceAll(WORD, '') !== '') return null;
  const counts = [...text.matchAll(WORD)].map(([, count]) => Number(count));
  const units = [...text.matchAll(WORD)].map(([, , unit = '']) => {
    const name = unit.toLowerCase();
    const singular = name.length > 2 ? name.replace(/s$/, '') : name;
    return Object.hasOwn(WORDS, singular) ? (WORDS[singular] ?? Number.NaN) : Number.NaN;
  });
  return sumOf(counts, units);
}

function sumOf(counts: readonly number[], units: readonly number[]): number | null {
  const sum = counts.reduce((seconds, count, index) => seconds + count * (units[index] ?? 0), 0);
  return Number.isFinite(sum) ? Math.round(sum * 1e6) / 1e6 : null;
}
