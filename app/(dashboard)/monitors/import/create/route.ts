import { readBaseUrl } from '@/app/base-url';
import type { ImportOutcome } from '@/components/monitors/import/outcome';
import { formatProblem } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { listRefs } from '@/lib/domain/monitors/lists/list-monitors';
import { createMonitors, type ItemOutcome } from '@/lib/domain/monitors/writes/create-monitors';
import { bulkItems, bulkMonitorsSchema } from '@/lib/schemas/monitor/bulk';
import { parseInput } from '@/lib/schemas/validation';
import { withPlanCommand } from '@/lib/web/http/plan-command';
import { respondToPage } from '../../../respond-to-page';

/** Creates and updates monitors as `POST /monitors/bulk` would, and returns the outcome of each. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, 'monitor.create', importMonitors);
}

async function importMonitors(ctx: OrganizationContext, body: unknown): Promise<ImportOutcome[]> {
  const { monitors, atomic: isAtomic, upsert: isUpsert } = parseInput(bulkMonitorsSchema, body);
  const items = bulkItems(monitors);
  const versions = await listRefs(
    ctx,
    items.flatMap(({ ref }) => ref ?? []),
  );
  const outcomes = await createMonitors({ ...ctx, baseUrl: await readBaseUrl() }, items, {
    isAtomic,
    isUpsert,
  });
  return outcomes.map((outcome, index) => toOutcome(outcome, versions.get(items[index]?.ref ?? '')));
}

function toOutcome(outcome: ItemOutcome, versionBefore: number | undefined): ImportOutcome {
  if ('error' in outcome) {
    return { outcome: 'rejected', message: formatProblem(withPlanCommand(outcome.error)) };
  }
  const { id, version, heartbeatUrl } = outcome.resource;
  if (outcome.isCreated) return { outcome: 'created', id, heartbeatUrl };
  return { outcome: version === versionBefore ? 'unchanged' : 'updated', id, heartbeatUrl };
}
