import { inject } from 'vitest';
import type { Service } from './start-service';

/** A running service shared by all tests of a run; every test creates its own organizations. */
export type BorrowedService = Pick<Service, 'url' | 'dataDir'> & {
  /** Everything it has written so far. */
  logs(): Promise<string>;
};

/** The shared service, with the settings of a fresh install. The first call starts it. Throws with its output on failure. */
export async function borrowService(): Promise<BorrowedService> {
  const broker = inject('serviceBroker');
  const response = await fetch(broker);
  if (!response.ok) throw new Error(await response.text());
  // Serialized by the broker, which is part of the tests.
  const { url, dataDir } = (await response.json()) as Service;
  return { url, dataDir, logs: async () => (await fetch(`${broker}/logs`)).text() };
}
