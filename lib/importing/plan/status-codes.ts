import { addAssertions } from './assertions';
import type { Draft } from './draft';

type Range = readonly [from: number, to: number];

const FIRST_CODE = 100;
const LAST_CODE = 599;
const CODES = Array.from({ length: LAST_CODE - FIRST_CODE + 1 }, (_, index) => FIRST_CODE + index);
/** Those that lead to another response if redirects are followed. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Accepted status codes and ranges (`200`, `200-299`, `2xx`). Call it after `followRedirects` is set. */
export function setStatusCodes(draft: Draft, accepted: readonly string[]): void {
  const codes = accepted.map((code) => code.replaceAll(/\s/g, '')).filter((code) => code !== '');
  if (codes.length === 0) return;
  const ranges = codes.map(toRange).filter((range) => range !== null);
  const isAccepted = (code: number) => ranges.some(([from, to]) => from <= code && code <= to);
  if (!setCodesThat(draft, isAccepted))
    draft.change('The accepted status codes are not valid and become 200.');
  else if (ranges.length < codes.length)
    draft.change('Accepted status codes that are not valid are left out.');
}

/**
 * The same for a rule: one code is what a check expects, several are an assertion. Where redirects are followed, the other product
 * judges the response that they lead to; in Pharos a redirect that is accepted would end the check. Returns false if no code is
 * accepted.
 */
export function setCodesThat(draft: Draft, accepts: (code: number) => boolean): boolean {
  const accepted = CODES.filter(accepts);
  const final =
    draft.body.followRedirects === false ? accepted : accepted.filter((code) => !REDIRECTS.has(code));
  const codes = final.length > 0 ? final : accepted;
  const [first] = codes;
  if (first === undefined) return false;
  const isAny = codes.length > 1;
  if (!isAny) draft.body.expectedStatusCode = first;
  else if (!addAssertions(draft, { source: 'status', comparison: 'oneOf', target: toRanges(codes) }))
    draft.change('The accepted status codes have too many gaps and become 200.');
  return true;
}

/** A code, range or family as bounds; null for others. */
function toRange(text: string): Range | null {
  const family = /^([1-5])xx$/i.exec(text)?.[1];
  if (family !== undefined) return [Number(family) * 100, Number(family) * 100 + 99];
  const match = /^([1-5]\d\d)(?:-(\d{3}))?$/.exec(text);
  if (!match) return null;
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  return from <= to ? [from, to] : null;
}

/** Consecutive codes as ranges: `2xx`, `200-204` or 200. */
function toRanges(codes: readonly number[]): (string | number)[] {
  const ranges: [number, number][] = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges.map(([from, to]) => {
    if (from === to) return from;
    return from % 100 === 0 && to === from + 99 ? `${from / 100}xx` : `${from}-${to}`;
  });
}
