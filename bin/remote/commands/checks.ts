import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { CheckResult } from '@/lib/schemas/monitor/result';
import { type ConnectionOptions, connect, withConnection } from '../connection';
import { formatCheck } from '../output/format-check';
import { findMonitor } from './find-monitors';

/** Checks are at least 30 seconds apart in each region. */
const POLL_MS = 2000;
const PAGE_SIZE = 100;

type TailOptions = ConnectionOptions & { once?: boolean; json?: boolean };

/** `pharos checks tail`. */
export function registerChecks(program: Command): void {
  const checks = program.command('checks').description('Follow the checks of a monitor.');
  withConnection(checks.command('tail'))
    .description('Print the last ten checks of a monitor, then each new one until you press Ctrl+C.')
    .argument('<monitor>', 'mon_… or its ref')
    .option('--once', 'print the last ten checks and end')
    .option('--json', 'print each check as a line of JSON')
    .action(async (name: string, options: TailOptions) => {
      const api = await connect(options);
      const { id } = await findMonitor(api, name);
      const path = `/monitors/${id}/results?limit=${PAGE_SIZE}`;
      const format = options.json ? (check: CheckResult) => JSON.stringify(check) : formatCheck;
      const print = (found: CheckResult[]) => {
        for (const check of found.reverse()) process.stdout.write(`${format(check)}\n`);
      };
      // The reader has left.
      let isUnread = false;
      process.stdout.once('error', () => {
        isUnread = true;
      });
      let newest = await api.call<CheckResult[]>('GET', path);
      print(newest.slice(0, 10));
      while (!options.once && !isUnread) {
        await sleep(POLL_MS);
        const known = new Set(newest.map(keyOf));
        newest = await api.call<CheckResult[]>('GET', path);
        print(newest.filter((check) => !known.has(keyOf(check))));
      }
    });
}

function keyOf({ checkedAt, region, trigger }: CheckResult): string {
  return `${checkedAt} ${region} ${trigger}`;
}
