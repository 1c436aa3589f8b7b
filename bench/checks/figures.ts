import { count, type Limit } from '../playground';

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
};
