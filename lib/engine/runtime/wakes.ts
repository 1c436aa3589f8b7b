import type { Services } from '@/lib/domain/context/services';

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
