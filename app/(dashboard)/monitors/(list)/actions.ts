'use server';

import { act, enter } from '@/app/(dashboard)/act';
import type { ActionProblem } from '@/components/ui/action-result';
import { deleteMonitors, setMonitorsEnabled, tagMonitors } from '@/lib/domain/monitors/change-selected';
import { readStrips, type Strips } from '@/lib/domain/monitors/lists/list-overviews';
import { monitorFields } from '@/lib/schemas/monitor/fields';
import {
  monitorSelectionSchema,
  type TagChange,
  tagChangeSchema,
} from '@/lib/schemas/monitor/monitor-selection';
import { monitorIdsSchema } from '@/lib/schemas/text';
import { parseInput } from '@/lib/schemas/validation';

export async function setEnabledOfAllAction(ids: string[], enabled: boolean): Promise<ActionProblem> {
  return act('monitor.update', (ctx) =>
    setMonitorsEnabled(
      ctx,
      parseInput(monitorSelectionSchema, ids),
      parseInput(monitorFields.enabled, enabled),
    ),
  );
}

export async function tagAllAction(ids: string[], change: TagChange): Promise<ActionProblem> {
  return act('monitor.update', (ctx) =>
    tagMonitors(ctx, parseInput(monitorSelectionSchema, ids), parseInput(tagChangeSchema, change)),
  );
}

/** The last checks of rows that come into view. */
export async function readStripsAction(ids: string[]): Promise<Strips> {
  const { ctx } = await enter('monitor.read');
  return readStrips(ctx, parseInput(monitorIdsSchema, ids));
}

export async function deleteAllAction(ids: string[]): Promise<ActionProblem> {
  return act('monitor.delete', (ctx) => deleteMonitors(ctx, parseInput(monitorSelectionSchema, ids)));
}
