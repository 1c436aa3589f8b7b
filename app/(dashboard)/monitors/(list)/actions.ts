'use server';

import { act } from '@/app/(dashboard)/act';
import type { ActionProblem } from '@/components/ui/action-result';
import { deleteMonitors, setMonitorsEnabled, tagMonitors } from '@/lib/domain/monitors/change-selected';
import { monitorFields } from '@/lib/schemas/monitor/fields';
import {
  monitorSelectionSchema,
  type TagChange,
  tagChangeSchema,
} from '@/lib/schemas/monitor/monitor-selection';
import { parseInput } from '@/lib/schemas/validation';

export async function setEnabledOfAllAction(ids: string[], enabled: boolean): Promise<ActionProblem> {
  return act((ctx) =>
    setMonitorsEnabled(
      ctx,
      parseInput(monitorSelectionSchema, ids),
      parseInput(monitorFields.enabled, enabled),
    ),
  );
}

export async function tagAllAction(ids: string[], change: TagChange): Promise<ActionProblem> {
  return act((ctx) =>
    tagMonitors(ctx, parseInput(monitorSelectionSchema, ids), parseInput(tagChangeSchema, change)),
  );
}

export async function deleteAllAction(ids: string[]): Promise<ActionProblem> {
  return act((ctx) => deleteMonitors(ctx, parseInput(monitorSelectionSchema, ids)));
}
