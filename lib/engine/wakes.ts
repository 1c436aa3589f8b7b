import type { Services } from '@/lib/context/services';

/** Notes that Inngest has woken an app now; an older clock takes nothing back. */
export async function noteWake({ db, clock }: Pick<Services, 'db' | 'clock'>, app: string): Promise<void> {
  const now = clock.now();
  await db.$executeRaw`
    INSERT INTO wake (app, woken_at) VALUES (${app}, ${now})
    ON CONFLICT (app) DO UPDATE SET woken_at = greatest(wake.woken_at, excluded.woken_at)`;
}

/** When Inngest last woke each of these apps, on whichever worker; an app that it never woke is left out. */
export async function readWakes(
  { db }: Pick<Services, 'db'>,
  apps: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await db.wake.findMany({ where: { app: { in: [...apps] } } });
  return new Map(rows.map(({ app, wokenAt }) => [app, wokenAt]));
}
