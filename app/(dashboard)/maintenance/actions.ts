'use server';

import { redirect } from 'next/navigation';
import type { Previewed } from '@/components/maintenance/maintenance-form';
import {
  deleteMaintenance,
  endActiveMaintenance,
  updateMaintenance,
} from '@/lib/domain/maintenance/change-maintenance';
import { createMaintenance, previewOccurrences } from '@/lib/domain/maintenance/create-maintenance';
import {
  createMaintenanceSchema,
  maintenanceScheduleSchema,
  updateMaintenanceSchema,
} from '@/lib/schemas/maintenance';
import { parseInput, typedFields } from '@/lib/schemas/validation';
import { actionOn, actOutcome, formAction, formActionOn } from '../act';
import { readMaintenanceForm, readSchedule } from './read-form';

/** Creates a window as `POST /maintenance` would, then returns to the list. */
export const createMaintenanceAction = formAction('maintenance.create', async (ctx, form) => {
  await createMaintenance(ctx, parseInput(createMaintenanceSchema, readMaintenanceForm(form)));
  redirect('/maintenance');
});

/** Updates a window as `PUT /maintenance/:id` would, then returns to the list. */
export const updateMaintenanceAction = formActionOn('maintenance.update', async (ctx, id, form) => {
  await updateMaintenance(ctx, id, parseInput(updateMaintenanceSchema, readMaintenanceForm(form)));
  redirect('/maintenance');
});

/** Previews the occurrences of an unsaved form. */
export async function previewAction(schedule: Record<string, string>): Promise<Previewed> {
  const outcome = await actOutcome('maintenance.create', async (ctx) => {
    const typed = parseInput(typedFields, schedule);
    const read = readSchedule(new Map(Object.entries(typed)));
    return previewOccurrences(ctx, parseInput(maintenanceScheduleSchema, read));
  });
  if (!outcome.ok) return { occurrences: [], problem: explain(outcome.error.details, outcome.error.message) };
  const occurrences = outcome.value.map(({ startsAt, endsAt }) => ({
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
  }));
  return { occurrences, problem: occurrences.length > 0 ? null : 'All occurrences are in the past.' };
}

const LABELS: Record<string, string> = {
  startsAt: 'Start',
  endsAt: 'End',
  timeZone: 'Time zone',
  rrule: 'Rule',
};

function explain(details: { path: string; message: string }[] | undefined, message: string): string {
  const [first] = details ?? [];
  return first ? `${LABELS[first.path] ?? first.path} ${first.message}.` : message;
}

export const endAction = actionOn('maintenance.update', async (ctx, id) => {
  await endActiveMaintenance(ctx, id);
  redirect('/maintenance');
});

export const deleteAction = actionOn('maintenance.delete', async (ctx, id) => {
  await deleteMaintenance(ctx, id);
  redirect('/maintenance');
});
