import type { Services } from '@/lib/domain/context/services';

/** Limits the concurrent work of one kind. An item that hangs blocks only its own slot. */
export type Slots = ReturnType<typeof createSlots>;

/** `size` slots; `onFree` is called when `run` frees one while all were taken. */
export function createSlots(size: number, onFree: () => void) {
  let taken = 0;
  let waiting: (() => void)[] = [];
  const take = () => {
    taken += 1;
    return (): boolean => {
      const wasFull = taken >= size;
      taken -= 1;
      if (taken === 0) {
        for (const wakeUp of waiting) wakeUp();
        waiting = [];
      }
      return wasFull;
    };
  };
  return {
    free: (): number => size - taken,
    /** Takes a slot; returns what frees it, which must be called once and returns whether all were taken. */
    take,
    /** Takes a slot until `work` is done; `work` must not throw. */
    run: (work: () => Promise<void>): void => {
      const done = work();
      const release = take();
      void done.finally(() => {
        if (release()) onFree();
      });
    },
    /** Resolves when all slots are free. */
    idle: async (): Promise<void> => {
      while (taken > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

/** Records that Inngest has woken a drain now; never moves the time back. */
export async function noteWake({ db, clock }: Pick<Services, 'db' | 'clock'>, drain: string): Promise<void> {
  const now = clock.now();
  await db.$executeRaw`
    INSERT INTO wake (drain, woken_at) VALUES (${drain}, ${now})
    ON CONFLICT (drain) DO UPDATE SET woken_at = greatest(wake.woken_at, excluded.woken_at)`;
}

/** When Inngest last woke each of these drains, on any worker; drains never woken are omitted. */
export async function readWakes(
  { db }: Pick<Services, 'db'>,
  drains: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await db.wake.findMany({ where: { drain: { in: [...drains] } } });
  return new Map(rows.map(({ drain, wokenAt }) => [drain, wokenAt]));
}
