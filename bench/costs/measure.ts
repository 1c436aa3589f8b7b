import { readFile } from 'node:fs/promises';
import type { CostsWorld } from './world';
import type { CostRequest } from './worst-requests';

/** Of one request: its status and how its body begins, CPU of the web process and the longest pause of its event loop, in milliseconds. */
export type Cost = { status: number; text: string; cpuMs: number; pauseMs: number };

type Reading = { blockedMs: number; cpuMs: number };

/** Reads the probe in the web process before and after each request, and takes off what that costs. */
export async function startMeter({ origin, portFile }: Pick<CostsWorld, 'origin' | 'portFile'>) {
  const probe = `http://127.0.0.1:${await readFile(portFile, 'utf8')}`;
  const read = async () => (await (await fetch(probe)).json()) as Reading;
  const overheads: number[] = [];
  for (let turn = 0; turn < 200; turn += 1) {
    await read();
    overheads.push((await read()).cpuMs);
  }
  const overhead = median(overheads);

  /** Sends one request and measures it. */
  const measure = async ({ method, path, headers, body, file }: CostRequest): Promise<Cost> => {
    await read();
    const response = await fetch(`${origin}${path}`, {
      method,
      headers,
      body: body ?? file ?? null,
      redirect: 'manual',
    });
    const text = (await response.text()).slice(0, 500);
    const { blockedMs, cpuMs } = await read();
    return {
      status: response.status,
      text,
      pauseMs: blockedMs,
      cpuMs: Math.max(0, cpuMs - overhead),
    };
  };
  return measure;
}

/** The middle of several measurements, of each figure by itself: something else can run during one of them. */
export function typical(costs: readonly Cost[]): Cost {
  const [first] = costs;
  if (!first) throw new Error('nothing was measured');
  return {
    ...first,
    cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
    pauseMs: median(costs.map(({ pauseMs }) => pauseMs)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
