import { inject } from 'vitest';
import type { Service } from './start-service';

/** A running service that all tests of a run share: what a test makes, it makes in organizations of its own. */
export type BorrowedService = Pick<Service, 'url' | 'dataDir'> & {
  /** Everything it has written so far. */
  logs(): Promise<string>;
};

/** The service of this run, with the settings of a fresh install; the first who borrows it waits for its start. Throws with its output. */
export async function borrowService(): Promise<BorrowedService> {
  const broker = inject('serviceBroker');
  const answer = await fetch(broker);
  if (!answer.ok) throw new Error(await answer.text());
  // Of our own process beside the tests: its type is what it was.
  const { url, dataDir } = (await answer.json()) as Service;
  return { url, dataDir, logs: async () => (await fetch(`${broker}/logs`)).text() };
}
