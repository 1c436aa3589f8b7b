'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import type { UpdateState } from '@/components/incidents/update-form';
import type { ActionProblem } from '@/components/ui/action-result';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import {
  acknowledgeIncident,
  unacknowledgeIncident,
} from '@/lib/domain/incidents/acknowledge/acknowledge-incident';
import { deleteIncident, updateIncident } from '@/lib/domain/incidents/change-incident';
import { changePublication } from '@/lib/domain/incidents/change-publication';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import {
  addIncidentUpdate,
  cancelScheduledUpdate,
  changeScheduledUpdate,
} from '@/lib/domain/incidents/schedule/schedule-update';
import {
  createIncidentSchema,
  createIncidentUpdateSchema,
  scheduledUpdateChangesSchema,
  updateIncidentSchema,
} from '@/lib/schemas/incidents/incident';
import { WHEN_UP } from '@/lib/schemas/incidents/resolution-preview';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { act, actionOn, actOnForm, formAction, formActionOn } from '../act';
import {
  readChangedUpdateForm,
  readIncidentForm,
  readNewIncidentForm,
  readPostmortemForm,
  readUpdateForm,
} from './read-form';

/** Opens an incident as `POST /incidents` would, then goes to its page. */
export const createIncidentAction = formAction('incident.create', async (ctx, form) => {
  const { id } = await createIncident(ctx, parseInput(createIncidentSchema, readNewIncidentForm(form)));
  redirect(`/incidents/${id}`);
});

/** Updates an incident as `PUT /incidents/:id` would, then returns to its page. */
export const updateIncidentAction = formActionOn('incident.update', async (ctx, id, form) => {
  await updateIncident(ctx, id, parseInput(updateIncidentSchema, readIncidentForm(form)));
  redirect(`/incidents/${id}`);
});

/** Posts an update as `POST /incidents/:id/updates` would, and clears the form. */
export async function postUpdateAction(
  id: string,
  previous: UpdateState,
  form: FormData,
): Promise<UpdateState> {
  const state = await actOnForm('incident.update', { previous, form }, async (ctx) => {
    const update = parseInput(createIncidentUpdateSchema, readUpdateForm(form));
    const { resolveAfterMinutes } = await addIncidentUpdate(ctx, parseInput(nameOfObject, id), update);
    refresh();
    const fresh = freshState({ resolveAfterMinutes: String(resolveAfterMinutes ?? '') });
    return { ...fresh, sent: previous.sent + 1, wasScheduled: update.publishAt !== null };
  });
  return { sent: previous.sent, wasScheduled: previous.wasScheduled, ...state };
}

const scheduledUpdate = z.object({ id: nameOfObject, updateId: nameOfObject });

/** Changes a scheduled update as `PUT /incidents/:id/updates/:updateId` would, then returns to the incident. */
export async function changeUpdateAction(
  target: { id: string; updateId: string },
  previous: FormState,
  form: FormData,
): Promise<FormState> {
  return actOnForm('incident.update', { previous, form }, async (ctx) => {
    const { id, updateId } = parseInput(scheduledUpdate, target);
    const changes = parseInput(scheduledUpdateChangesSchema, readChangedUpdateForm(form));
    await changeScheduledUpdate(ctx, id, updateId, changes);
    redirect(`/incidents/${id}`);
  });
}

/** Cancels a scheduled update as `DELETE /incidents/:id/updates/:updateId` would. */
export async function cancelUpdateAction(id: string, updateId: string): Promise<ActionProblem> {
  return act('incident.update', (ctx) => {
    const target = parseInput(scheduledUpdate, { id, updateId });
    return cancelScheduledUpdate(ctx, target.id, target.updateId);
  });
}

/** Saves a postmortem as `PUT /incidents/:id` would, then returns to the incident. */
export const savePostmortemAction = formActionOn('incident.update', async (ctx, id, form) => {
  await updateIncident(ctx, id, parseInput(updateIncidentSchema, readPostmortemForm(form)));
  redirect(`/incidents/${id}`);
});

export const resolveAction = actionOn('incident.update', (ctx, id) =>
  updateIncident(ctx, id, { status: 'resolved' }),
);
/** Leaves it to the monitors of an incident to resolve it. */
export const resolveWhenUpAction = actionOn('incident.update', (ctx, id) => updateIncident(ctx, id, WHEN_UP));
export const reopenAction = actionOn('incident.update', (ctx, id) =>
  updateIncident(ctx, id, { status: 'investigating' }),
);
export const acknowledgeAction = actionOn('incident.acknowledge', acknowledgeIncident);
export const unacknowledgeAction = actionOn('incident.acknowledge', unacknowledgeIncident);

const publication = z.object({ id: nameOfObject, pageId: nameOfObject, isPublished: z.boolean() });

/** Publishes an automatic incident on a page that does not show it on its own, or hides it there again. */
export async function changePublicationAction(
  id: string,
  pageId: string,
  isPublished: boolean,
): Promise<ActionProblem> {
  return act('incident.update', (ctx) => {
    const target = parseInput(publication, { id, pageId, isPublished });
    return changePublication(ctx, target.id, target);
  });
}

export const deleteIncidentAction = actionOn('incident.delete', async (ctx, id) => {
  await deleteIncident(ctx, id);
  redirect('/incidents');
});
