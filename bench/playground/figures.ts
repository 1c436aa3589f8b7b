import type { Percentiles } from './measure';
import { count, formatPercentiles, type Limit } from './report';

/** A measured value as a person reads it, with its limit if there is one. */
export type Figure = Limit & { text: string };

const formatted =
  (format: (value: number) => string) =>
  (name: string, value: number, limit: Pick<Limit, 'atMost' | 'atLeast'> = {}): Figure => ({
    name,
    value,
    text: format(value),
    ...limit,
  });

/** Creates figures by unit. */
export const figure = {
  count: formatted(count),
  ratio: formatted((value) => value.toFixed(2)),
  ms: formatted((value) => `${count(value)} ms`),
  seconds: formatted((value) => `${value.toFixed(1)} s`),
  /** CPU milliseconds per check. */
  cpu: formatted((value) => `${value.toFixed(3)} ms`),
  /** Milliseconds; the limit is that of one percentile. */
  percentiles: (
    what: string,
    found: Percentiles,
    { of = 'p99', atMost }: { of?: keyof Percentiles; atMost?: number } = {},
  ): Figure => ({
    name: `${what} p50 / p95 / p99 / max`,
    value: found[of],
    text: formatPercentiles(found),
    ...(atMost === undefined ? {} : { atMost }),
  }),
};

/** The limit of a figure: `at most 100`. */
export function formatLimit({ atMost, atLeast }: Figure, before = '', after = ''): string {
  if (atMost === undefined && atLeast === undefined) return '';
  const number = (value: number) => (Number.isInteger(value) ? count(value) : String(value));
  if (atMost === atLeast) return `${before}${number(atMost ?? 0)}${after}`;
  const text = atMost === undefined ? `at least ${number(atLeast ?? 0)}` : `at most ${number(atMost)}`;
  return `${before}${text}${after}`;
}
