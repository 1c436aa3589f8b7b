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
