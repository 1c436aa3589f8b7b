import type { Scores } from './lighthouse';
import type { Load } from './load';
import type { Misses } from './measure-misses';
import type { Outage } from './measure-outage';

export type Kind = 'HTML' | 'JSON';

/** One kind of answer: from our web server, from a bare server that sends the same bytes, and from Next alone. */
export type Served = { kind: Kind; bytes: number; nextBytes: number; pharos: Load; bare: Load; next: Load };

/** What a run found. Times in milliseconds. */
export type Figures = {
  load: string;
  served: Served[];
  misses: Record<Kind, Misses>;
  changing: { quiet: Load; changing: Load; changesPerSecond: number };
  outage: Outage;
  lighthouse: Scores | null;
};

type Limit = { name: string; value: number; atMost: number };

/** What a page is held to; the rate as CPU, since 10,000 requests a second of one core are 0.1 ms each. */
function listLimits({ served, misses, changing, outage }: Figures): Limit[] {
  return [
    ...served.flatMap(({ kind, pharos, bare }) => [
      { name: `CPU of a kept ${kind} answer (ms)`, value: pharos.cpuMs, atMost: 0.1 },
      {
        name: `CPU of a kept ${kind} answer, times the bare server's`,
        value: pharos.cpuMs / bare.cpuMs,
        atMost: 2,
      },
    ]),
    { name: 'CPU of a miss, HTML (ms)', value: misses.HTML.webMs, atMost: 10 },
    { name: 'CPU of a miss, JSON (ms)', value: misses.JSON.webMs, atMost: 10 },
    {
      name: 'the quiet rate, times the rate while monitors change',
      value: changing.quiet.perSecond / changing.changing.perSecond,
      atMost: 1.5,
    },
    { name: 'answers other than 200 without a database', value: outage.requests - outage.ok, atMost: 0 },
  ];
}

/** The limits that a run broke, in words; none when it kept them. */
export function findBrokenLimits(figures: Figures): string[] {
  return listLimits(figures)
    .filter(({ value, atMost }) => !(value <= atMost))
    .map(({ name, value, atMost }) => `${name} is ${value.toFixed(3)}; the limit is ${atMost}`);
}
