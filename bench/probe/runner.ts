import { setTimeout as delay } from 'node:timers/promises';
import { createRows, type Ports, type Side, startHanging } from './rows';

/** How often due checks are started, like those of a worker, which takes several at a time. */
const TICK_MS = 10;

const PATIENCE_MS = 5000;

/** One round: checks of a row at a rate for some time. */
export type Order = { row: string; ms: number; rate: number };

/** Runs rounds of one side; each resolves to the CPU time of this process per check, in microseconds. */
export function createRunner(side: Side, ports: Ports) {
  const rows = createRows(ports);
  if (side === 'pharos') startHanging(ports.hanging);
  return async ({ row, ms, rate }: Order): Promise<number> => {
    const check = rows.find(({ name }) => name === row)?.[side];
    if (check === undefined) throw new Error(`there is no row "${row}"`);
    const running: Promise<void>[] = [];
    const startedAt = performance.now();
    const before = process.cpuUsage();
    for (let passed = 0; passed < ms; passed = performance.now() - startedAt) {
      const due = Math.ceil((passed / 1000) * rate);
      while (running.length < due) running.push(check());
      await delay(TICK_MS);
    }
    // A datagram of the floor may be lost: nothing sends it again.
    await Promise.race([Promise.all(running), delay(PATIENCE_MS)]);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / running.length;
  };
}
