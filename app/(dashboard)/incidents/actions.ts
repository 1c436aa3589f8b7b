'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import type { UpdateState } from '@/components/incidents/update-form';
import type { ActionProblem } from '@/components/ui/action-result';
import { type FormState, freshState } from '@/components/ui/forms/form-state';
import { deleteIncident, updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import {
  createIncidentSchema,
  createIncidentUpdateSchema,
  updateIncidentSchema,
} from '@/lib/schemas/incidents/incident';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { act, actOnForm } from '../act';
import { readIncidentForm, readNewIncidentForm, readPostmortemForm, readUpdateForm } from './read-form';

/** Opens an incident as `POST /incidents` would, then goes to its page. */
export async function createIncidentAction(previous: FormState, form: FormData): Promise<FormState> {
  return actOnForm(previous, form, async (ctx) => {
    const { id } = await createIncident(ctx, parseInput(createIncidentSchema, readNewIncidentForm(form)));
    redirect(`/incidents/${id}`);
  });
}

/** Updates an incident as `PUT /incidents/:id` would, then returns to its page. */
export async function updateIncidentAction(
  id: string,
  previous: FormState,
  form: FormData,
): Promise<FormState> {
  return actOnForm(previous, form, async (ctx) => {
    const incident = parseInput(nameOfObject, id);
    await updateIncident(ctx, incident, parseInput(updateIncidentSchema, readIncidentForm(form)));
    redirect(`/incidents/${incident}`);
  });
}

/** Posts an update as `POST /incidents/:id/updates` would, and clears the form. */
export async function postUpdateAction(
  id: string,
  previous: UpdateState,
  form: FormData,
): Promise<UpdateState> {
  const { sent } = previous;
  const state = await actOnForm(previous, form, async (ctx) => {
    const update = parseInput(createIncidentUpdateSchema, readUpdateForm(form));
    await updateIncident(ctx, parseInput(nameOfObject, id), update);
    refresh();
    return { ...freshState(), sent: sent + 1 };
  });
  return { sent, ...state };
}

/** Saves a postmortem as `PUT /incidents/:id` would, then returns to the incident. */
export async function savePostmortemAction(
  id: string,
  previous: FormState,
  form: FormData,
): Promise<FormState> {
  return actOnForm(previous, form, async (ctx) => {
    const incident = parseInput(nameOfObject, id);
    await updateIncident(ctx, incident, parseInput(updateIncidentSchema, readPostmortemForm(form)));
    redirect(`/incidents/${incident}`);
  });
}

export async function resolveAction(id: string): Promise<ActionProblem> {
  return act((ctx) => updateIncident(ctx, parseInput(nameOfObject, id), { status: 'resolved' }));
}

export async function reopenAction(id: string): Promise<ActionProblem> {
  return act((ctx) => updateIncident(ctx, parseInput(nameOfObject, id), { status: 'investigating' }));
}

export async function deleteIncidentAction(id: string): Promise<ActionProblem> {
  return act(async (ctx) => {
    await deleteIncident(ctx, parseInput(nameOfObject, id));
    redirect('/incidents');
  });
}
