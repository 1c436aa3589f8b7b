import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitUntil } from '@/lib/testing/wait-for';
import { listServing, listTree } from './process-tree';
import { beginService } from './starting-service';

/** Every stage lasts longer, and reading the list of processes more often would take a whole processor. */
const INTERVAL_MS = 25;

const running = (pid: number, text: RegExp) =>
  waitUntil(() => listTree(pid).some(({ command }) => text.test(command)), {
    interval: INTERVAL_MS,
  });

/** Starts a service, and expects that it ends with nothing left running when `terminate` is called while a process of `stage` runs. */
export async function expectToEnd(
  options: { dataDir: string; directory?: string },
  stage: RegExp,
  terminate: (pid: number) => void,
): Promise<void> {
  const { dataDir, ...others } = options;
  const service = await beginService(dataDir, others);
  await running(service.pid, stage);
  terminate(service.pid);
  expect(await service.ended, service.output()).toBe(0);
  await expect.poll(() => listServing(dataDir)).toEqual([]);
  expect(existsSync(join(dataDir, 'runtime.json'))).toBe(false);
  expect(service.output()).not.toMatch(/ready at|could not|failed|Error/i);
}
