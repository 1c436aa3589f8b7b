'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import type { UpdateState } from '@/components/incidents/update-form';
import { type FormState, freshState, readTyped, refusedState } from '@/components/ui/forms/form-state';
import { addIncidentUpdate, deleteIncident, updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import {
  createIncidentSchema,
  createIncidentUpdateSchema,
  type IncidentChanges,
  updateIncidentSchema,
} from '@/lib/schemas/incidents/incident';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { type ActionProblem, act } from '../act';
import { readIncidentForm, readNewIncidentForm, readPostmortemForm, readUpdateForm } from './read-form';

/** Opens an incident as `POST /incidents` would, then goes to its page. */
export async function createIncidentAction(previous: FormState, form: FormData): Promise<FormState> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () =>
    createIncident(ctx, parseInput(createIncidentSchema, readNewIncidentForm(form))),
  );
  if (!outcome.ok) return refusedState(previous, outcome.error, readTyped(form));
  redirect(`/incidents/${outcome.value.id}`);
}

/** Updates an incident as `PUT /incidents/:id` would, then returns to its page. */
export async function updateIncidentAction(
  id: string,
  previous: FormState,
  form: FormData,
): Promise<FormState> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () =>
    updateIncident(
      ctx,
      parseInput(nameOfObject, id),
      parseInput(updateIncidentSchema, readIncidentForm(form)),
    ),
  );
  if (!outcome.ok) return refusedState(previous, outcome.error, readTyped(form));
  redirect(`/incidents/${outcome.value.id}`);
}

/** Posts an update as `POST /incidents/:id/updates` would, and clears the form. */
export async function postUpdateAction(
  id: string,
  previous: UpdateState,
  form: FormData,
): Promise<UpdateState> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () =>
    addIncidentUpdate(
      ctx,
      parseInput(nameOfObject, id),
      parseInput(createIncidentUpdateSchema, readUpdateForm(form)),
    ),
  );
  const { sent } = previous;
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, readTyped(form)), sent };
  refresh();
  return { ...freshState(), sent: sent + 1 };
}

/** Saves a postmortem as `PUT /incidents/:id` would, then returns to the incident. */
export async function savePostmortemAction(
  id: string,
  previous: FormState,
  form: FormData,
): Promise<FormState> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () =>
    updateIncident(
      ctx,
      parseInput(nameOfObject, id),
      parseInput(updateIncidentSchema, readPostmortemForm(form)),
    ),
  );
  if (!outcome.ok) return refusedState(previous, outcome.error, readTyped(form));
  redirect(`/incidents/${outcome.value.id}`);
}

export async function resolveAction(id: string): Promise<ActionProblem> {
  const changes: IncidentChanges = { status: 'resolved' };
  return act((ctx) => updateIncident(ctx, parseInput(nameOfObject, id), changes));
}

export async function reopenAction(id: string): Promise<ActionProblem> {
  const changes: IncidentChanges = { status: 'investigating' };
  return act((ctx) => updateIncident(ctx, parseInput(nameOfObject, id), changes));
}

export async function deleteIncidentAction(id: string): Promise<ActionProblem> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () => deleteIncident(ctx, parseInput(nameOfObject, id)));
  if (!outcome.ok) return outcome.error.message;
  redirect('/incidents');
}
