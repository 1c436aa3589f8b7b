import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import type { OwnOrganization } from './own-organization';
import { stopChecks } from './stop-checks';

const MINUTE = 60_000;

/** Creates a monitor that was operational until ten minutes ago and has not reported since. */
export async function addSilentMonitor({ ctx }: OwnOrganization, name: string): Promise<string> {
  const { db, clock } = ctx;
  const input = { name, url: `http://${name.toLowerCase()}.test/` };
  const { id } = await createMonitor(ctx, createMonitorSchema.parse(input));
  await stopChecks(ctx, id);
  // A worker can have checked it before that, which would be more than what the state below knows.
  await db.$executeRaw`DELETE FROM raw.check_result WHERE monitor = (SELECT number FROM monitor WHERE id = ${id})`;
  const last = clock.now().getTime() - 10 * MINUTE;
  const region = { verdict: 'good', resultAt: last, startedAt: last };
  const known = {
    status: 'operational',
    since: last,
    floor: last,
    lastResultAt: last,
    regions: { 'us-east': region },
  };
  await db.$executeRaw`
    UPDATE monitor_state SET status = 'operational', last_checked_at = ${new Date(last)},
           machine = machine || ${JSON.stringify(known)}::jsonb
     WHERE monitor_id = ${id}`;
  return id;
}
