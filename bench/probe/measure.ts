import { log, percentiles, type Script, startScript } from '../playground';
import { type CheckRow, createRows, type Ports } from './rows';
import type { Order } from './runner';

/** What a row found: CPU microseconds per check, and the ratios of the rounds. */
export type Figures = { name: string; floor: number; pharos: number; ratios: number[]; atMost?: number };

type Clients = { floor: Script; pharos: Script };
export type Size = { rounds: number; ms: number; rate: number };

/** Measures the rows with these names, or all. `bundle` is that of the benchmark, whose `createRunner` runs the checks of a process. */
export async function measureProbes(
  names: readonly string[] | undefined,
  size: Size,
  bundle: string,
): Promise<Figures[]> {
  const target = await startScript('probe/target.mjs');
  const ports = target.hello as Ports;
  const start = (side: string) => startScript('probe/client.mjs', [bundle, side, JSON.stringify(ports)]);
  const clients = { floor: await start('floor'), pharos: await start('pharos') };
  const figures: Figures[] = [];
  for (const row of createRows(ports)) {
    if (names?.includes(row.name) ?? true) figures.push(await measureRow(clients, row, size));
  }
  for (const child of [clients.floor, clients.pharos, target]) await child.stop();
  return figures;
}

async function measureRow(
  clients: Clients,
  { name, share = 1, atMost }: CheckRow,
  size: Size,
): Promise<Figures> {
  const order: Order = { row: name, ms: size.ms, rate: size.rate * share };
  // The first round compiles the code.
  for (const client of Object.values(clients)) await client.request(order);
  const pairs: { floor: number; pharos: number }[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    const floor = await clients.floor.request<number>(order);
    pairs.push({ floor, pharos: await clients.pharos.request<number>(order) });
  }
  const ratios = pairs.map((pair) => pair.pharos / pair.floor);
  log(`${name}: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`);
  return {
    name,
    floor: percentiles(pairs.map(({ floor }) => floor)).p50,
    pharos: percentiles(pairs.map(({ pharos }) => pharos)).p50,
    ratios,
    ...(atMost === undefined ? {} : { atMost }),
  };
}
