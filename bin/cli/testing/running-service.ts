import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Service } from '@/e2e/support/start-service';

/** The process IDs that a service has logged for one of its parts, newest last. */
export function pidsOf({ logs }: Service, name: 'worker' | 'web'): number[] {
  return [...logs().matchAll(new RegExp(`"pid":(\\d+),"hostname":"[^"]*","name":"${name}"`, 'g'))].map(
    (match) => Number(match[1]),
  );
}

export function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Sends a signal to what started a service, and waits until nothing of it runs. */
export async function expectToStop(service: Service, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  // Each may have logged more than one line.
  const pids = [...new Set([...pidsOf(service, 'worker'), ...pidsOf(service, 'web')])];
  expect(pids.filter(isRunning)).toHaveLength(2);
  process.kill(service.pid, signal);
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  await expect.poll(() => existsSync(join(service.dataDir, 'runtime.json'))).toBe(false);
  await service.stop();
}
