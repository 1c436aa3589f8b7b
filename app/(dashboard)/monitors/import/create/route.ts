import { readBaseUrl } from '@/app/base-url';
import type { ImportedBatch, ImportOutcome } from '@/components/monitors/import/outcome';
import type { DomainError } from '@/lib/core/errors';
import { formatProblem } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { importMonitors } from '@/lib/domain/monitors/imports/import-monitors';
import { type ImportResult, importMonitorsSchema } from '@/lib/schemas/monitor/import';
import { parseInput } from '@/lib/schemas/validation';
import { withPlanCommand } from '@/lib/web/http/plan-command';
import { respondToPage } from '../../../respond-to-page';

/** Imports monitors like `POST /monitors/import`. A dry run returns what would change and writes nothing. */
export function POST(request: Request): Promise<Response> {
  return respondToPage(request, 'monitor.create', importFromPage);
}

async function importFromPage(ctx: OrganizationContext, body: unknown): Promise<ImportedBatch> {
  const request = parseInput(importMonitorsSchema, body);
  const { source, outcomes } = await importMonitors({ ...ctx, baseUrl: await readBaseUrl() }, request);
  return { source: source.name, outcomes: outcomes.map(toOutcome) };
}

function toOutcome(outcome: ImportResult | { error: DomainError }): ImportOutcome {
  if ('error' in outcome)
    return { action: 'rejected', message: formatProblem(withPlanCommand(outcome.error)) };
  const { action, changes, kept, dropped, replaces, monitor } = outcome;
  const { id = null, heartbeatUrl = null } = monitor ?? {};
  return { action, changes, kept, dropped, replaces, id, heartbeatUrl };
}
