import type { AssertionScalar } from './assertion';

type Range = readonly [from: number, to: number];

/** The status codes that `200`, `2xx` or `200-299` stand for; null for anything else. */
export function parseStatusRange(target: AssertionScalar): Range | null {
  if (typeof target === 'number') return isStatus(target) ? [target, target] : null;
  const [, family, from, to] = /^(?:([1-5])xx|([1-5]\d\d)(?:-([1-5]\d\d))?)$/i.exec(String(target)) ?? [];
  if (family !== undefined) return [Number(family) * 100, Number(family) * 100 + 99];
  if (from === undefined) return null;
  const range = [Number(from), Number(to ?? from)] as const;
  return range[0] <= range[1] ? range : null;
}

/** Whether a number is that of a status code. */
export function isStatus(target: unknown): boolean {
  return Number.isInteger(target) && Number(target) >= 100 && Number(target) <= 599;
}
