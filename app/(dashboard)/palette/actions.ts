'use server';

import { searchGuide } from '@/app/docs/guide/read-pages';
import type { ActionProblem } from '@/components/ui/action-result';
import { searchIncidents } from '@/lib/domain/incidents/read-incidents';
import { findMonitorById, searchMonitors } from '@/lib/domain/monitors/lists/list-monitors';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { searchStatusPages } from '@/lib/domain/status-pages/read-status-pages';
import { type Found, searchSchema } from '@/lib/schemas/search';
import { monitorIdSchema } from '@/lib/schemas/text';
import { flag, parseInput } from '@/lib/schemas/validation';
import { act, enter } from '../act';

const MAX_MONITORS = 20;
const MAX_OTHERS = 5;

/**
 * Searches the organization's monitors, status pages, and incidents, and the guide; `here` is the ID of the monitor on the screen, if
 * any.
 */
export async function searchAction(typed: string, here: string | null): Promise<Found> {
  const { ctx } = await enter('monitor.read');
  const words = searchSchema.catch([]).parse(typed);
  const id = monitorIdSchema.nullable().catch(null).parse(here);
  const [monitors, statusPages, incidents, help, shown] = await Promise.all([
    searchMonitors(ctx, { words, limit: MAX_MONITORS }),
    searchStatusPages(ctx, { words, limit: MAX_OTHERS }),
    searchIncidents(ctx, { words, limit: MAX_OTHERS }),
    searchGuide(words, MAX_OTHERS),
    id === null ? null : findMonitorById(ctx, id),
  ]);
  return { here: shown, monitors, statusPages, incidents, help };
}

/** Pauses or resumes a monitor from any page. */
export async function switchMonitorAction(id: string, enabled: boolean): Promise<ActionProblem> {
  return act('monitor.update', (ctx) =>
    updateMonitor(ctx, parseInput(monitorIdSchema, id), { enabled: parseInput(flag, enabled) }),
  );
}
