import type { Services } from '@/lib/domain/context/services';

/**
 * How many pieces of work of one kind a process does at once. Each takes a place of its own, so that one that hangs until
 * its timeout holds up no other.
 */
export type Slots = {
  /** Places that are free now. */
  free(): number;
  /** Takes a place until `work` is done; `work` must not throw. */
  run(work: () => Promise<void>): void;
  /** Resolves when all places are free. */
  idle(): Promise<void>;
};

/** `size` places; `onFree` is told whenever one ends while all were taken. */
export function createSlots(size: number, onFree: () => void): Slots {
  const running = new Set<Promise<void>>();
  return {
    free: () => size - running.size,
    run: (work) => {
      const done = work().finally(() => {
        const wasFull = running.size >= size;
        running.delete(done);
        if (wasFull) onFree();
      });
      running.add(done);
    },
    idle: async () => {
      while (running.size > 0) await Promise.allSettled([...running]);
    },
  };
}

/** Notes that Inngest has woken a drain now; an older clock takes nothing back. */
export async function noteWake({ db, clock }: Pick<Services, 'db' | 'clock'>, drain: string): Promise<void> {
  const now = clock.now();
  await db.$executeRaw`
    INSERT INTO wake (drain, woken_at) VALUES (${drain}, ${now})
    ON CONFLICT (drain) DO UPDATE SET woken_at = greatest(wake.woken_at, excluded.woken_at)`;
}

/** When Inngest last woke each of these drains, on whichever worker; one that it never woke is left out. */
export async function readWakes(
  { db }: Pick<Services, 'db'>,
  drains: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await db.wake.findMany({ where: { drain: { in: [...drains] } } });
  return new Map(rows.map(({ drain, wokenAt }) => [drain, wokenAt]));
}
