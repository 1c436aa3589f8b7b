import type { Draft } from './draft';
import { listOf, shown } from './sentences';

const FIRST_CODE = 100;
const LAST_CODE = 599;
const SUCCESS = 200;
const MAX_SHOWN = 5;
const CODES = Array.from({ length: LAST_CODE - FIRST_CODE + 1 }, (_, index) => FIRST_CODE + index);

/** Accepted status codes and ranges (`200`, `200-299`, `2xx`). Pharos expects one: 200 if it is among them, else the first. */
export function setStatusCodes(draft: Draft, accepted: readonly string[]): void {
  const codes = accepted.map((code) => code.replaceAll(/\s/g, '')).filter((code) => code !== '');
  if (codes.length === 0) return;
  const chosen = chooseCode(codes);
  if (chosen === null) {
    draft.change('The accepted status codes are not valid and become 200.');
    return;
  }
  draft.body.expectedStatusCode = chosen;
  if (codes.length === 1 && codes[0] === String(chosen)) return;
  const some = codes.slice(0, MAX_SHOWN).map(shown);
  const all = codes.length > MAX_SHOWN ? `${some.join(', ')}, …` : listOf(some);
  draft.change(`Accepted status codes ${all} become ${chosen}.`);
}

/** The same for a rule. Returns false if it accepts no code. */
export function setCodesThat(draft: Draft, accepts: (code: number) => boolean): boolean {
  const accepted = CODES.filter(accepts);
  setStatusCodes(draft, toRanges(accepted));
  return accepted.length > 0;
}

function chooseCode(accepted: readonly string[]): number | null {
  const ranges = accepted.map(toRange).filter((range) => range !== null);
  if (ranges.some(([from, to]) => from <= SUCCESS && SUCCESS <= to)) return SUCCESS;
  return ranges[0]?.[0] ?? null;
}

/** A code, range or family as bounds; null for others. */
function toRange(text: string): [number, number] | null {
  const family = /^([1-5])xx$/i.exec(text)?.[1];
  if (family !== undefined) return [Number(family) * 100, Number(family) * 100 + 99];
  const match = /^([1-5]\d\d)(?:-(\d{3}))?$/.exec(text);
  if (!match) return null;
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  return from <= to ? [from, to] : null;
}

/** Consecutive codes as ranges. */
function toRanges(codes: readonly number[]): string[] {
  const ranges: [number, number][] = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
}
