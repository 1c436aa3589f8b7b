'use server';

import { redirect } from 'next/navigation';
import { act, actOutcome, enter } from '@/app/(dashboard)/act';
import type { ActionProblem } from '@/components/ui/action-result';
import { type FormState, readText, refusedState } from '@/components/ui/forms/form-state';
import { deleteMonitors, setMonitorsEnabled, tagMonitors } from '@/lib/domain/monitors/change-selected';
import { confirmMonitors } from '@/lib/domain/monitors/confirm-selected';
import { readStrips, type Strips } from '@/lib/domain/monitors/lists/list-overviews';
import { createMonitors } from '@/lib/domain/monitors/writes/create-monitors';
import { dismissFirstSteps } from '@/lib/domain/organizations/first-steps';
import { bulkItems, bulkMonitorsSchema } from '@/lib/schemas/monitor/bulk';
import { monitorFields, suggestedValues } from '@/lib/schemas/monitor/fields';
import {
  monitorSelectionSchema,
  type TagChange,
  tagChangeSchema,
} from '@/lib/schemas/monitor/monitor-selection';
import { monitorIdsSchema } from '@/lib/schemas/text';
import { parseInput } from '@/lib/schemas/validation';
import { errorOfUrls, readUrls } from '../read-urls';

export async function setEnabledOfAllAction(ids: string[], enabled: boolean): Promise<ActionProblem> {
  return act('monitor.update', (ctx) =>
    setMonitorsEnabled(
      ctx,
      parseInput(monitorSelectionSchema, ids),
      parseInput(monitorFields.enabled, enabled),
    ),
  );
}

/** The suggestion of the form, for monitors that alert late. */
export async function confirmAllAction(ids: string[]): Promise<ActionProblem> {
  return act('monitor.update', (ctx) =>
    confirmMonitors(ctx, parseInput(monitorSelectionSchema, ids), suggestedValues.confirmInterval ?? null),
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

/** Creates a monitor for each line, all or none, and goes to the page of the only one or to the list. */
export async function createFromUrlsAction(previous: FormState, form: FormData): Promise<FormState> {
  const outcome = await actOutcome('monitor.create', (ctx) => {
    const { monitors } = parseInput(bulkMonitorsSchema, { monitors: readUrls(readText(form, 'urls')) });
    return createMonitors(ctx, bulkItems(monitors), { isAtomic: true, isUpsert: false });
  });
  if (!outcome.ok)
    return refusedState(previous, errorOfUrls(outcome.error), { urls: readText(form, 'urls') });
  const [only] = outcome.value.flatMap((created) => ('resource' in created ? created.resource.id : []));
  redirect(outcome.value.length === 1 && only !== undefined ? `/monitors/${only}` : '/monitors');
}

export async function dismissFirstStepsAction(): Promise<void> {
  const problem = await act('organization.dismiss-first-steps', dismissFirstSteps);
  if (problem !== null) throw new Error(problem);
}
