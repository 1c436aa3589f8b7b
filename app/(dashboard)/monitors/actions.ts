'use server';

import { redirect } from 'next/navigation';
import { changedInput, readOpened } from '@/components/monitors/form/monitor-input';
import type { ActionProblem } from '@/components/ui/action-result';
import { type FormState, readTyped } from '@/components/ui/forms/form-state';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { rotateHeartbeat } from '@/lib/domain/monitors/heartbeats/rotate-heartbeat';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { listHiddenHeaders } from '@/lib/schemas/hidden';
import { createMonitorSchema, updateMonitorSchema } from '@/lib/schemas/monitor';
import { flag, nameOfObject, parseInput } from '@/lib/schemas/validation';
import { act, actionOn, actOutcome } from '../act';
import { readMonitorForm } from './form-values';
import { readTypedMonitor } from './read-typed-monitor';
import { refusedMonitor } from './refused-monitor';

/** Creates a monitor as `POST /monitors` would, then goes to its page. */
export async function createMonitorAction(previous: FormState, form: FormData): Promise<FormState> {
  const outcome = await actOutcome('monitor.create', async (ctx) => {
    const typed = readTyped(form);
    const input = await readTypedMonitor(ctx, typed, typed.source || null);
    return createMonitor(ctx, parseInput(createMonitorSchema, input));
  });
  if (!outcome.ok) return refusedMonitor(previous, outcome.error, readTyped(form));
  redirect(`/monitors/${outcome.value.id}`);
}

/**
 * Updates a monitor as `PUT /monitors/:id` would, then returns to its page. Sends only the fields that changed since the
 * form was opened, so that concurrent edits are kept.
 */
export async function updateMonitorAction(
  id: string,
  previous: FormState,
  form: FormData,
): Promise<FormState> {
  const outcome = await actOutcome('monitor.update', async (ctx) => {
    const typed = readTyped(form);
    const opened = readMonitorForm(readOpened(typed));
    const input = readMonitorForm(typed);
    const changes = changedInput(opened, input);
    // Hidden headers were entered for another URL; the domain decides whether they may be sent to this one.
    if ('url' in changes && listHiddenHeaders(input.headers ?? {}).length > 0)
      changes.headers = input.headers;
    return updateMonitor(ctx, parseInput(nameOfObject, id), parseInput(updateMonitorSchema, changes));
  });
  if (!outcome.ok) return refusedMonitor(previous, outcome.error, readTyped(form));
  redirect(`/monitors/${outcome.value.id}`);
}

export async function setEnabledAction(id: string, enabled: boolean): Promise<ActionProblem> {
  return act('monitor.update', (ctx) =>
    updateMonitor(ctx, parseInput(nameOfObject, id), { enabled: parseInput(flag, enabled) }),
  );
}

/** Deletes a monitor after its page was left, and refreshes the current page. */
export const deleteAction = actionOn('monitor.delete', deleteMonitor);

/** Replaces the URL that a job calls, and refreshes the current page. */
export const rotateHeartbeatAction = actionOn('monitor.rotate-heartbeat', rotateHeartbeat);
