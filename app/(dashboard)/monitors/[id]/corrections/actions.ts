'use server';

import { refresh } from 'next/cache';
import type { ActionProblem } from '@/components/ui/action-result';
import { freshState, readText } from '@/components/ui/forms/form-state';
import { createCorrection, deleteCorrection } from '@/lib/domain/monitors/corrections/change-corrections';
import { createCorrectionSchema } from '@/lib/schemas/monitor/correction';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { act, formActionOn } from '../../../act';

/** Creates a correction as `POST /monitors/:id/corrections` would, with times in UTC, and clears the form. */
export const createCorrectionAction = formActionOn('correction.create', async (ctx, id, form) => {
  const text = (name: string) => readText(form, name).trim();
  const [from, to] = [toInstant(text('from')), toInstant(text('to'))];
  const body = { from, to, state: text('state'), reason: text('reason') };
  await createCorrection(ctx, id, parseInput(createCorrectionSchema, body));
  refresh();
  return freshState();
});

/** Deletes a correction, and refreshes the page. */
export async function deleteCorrectionAction(id: string, correctionId: string): Promise<ActionProblem> {
  return act('correction.delete', (ctx) =>
    deleteCorrection(ctx, parseInput(nameOfObject, id), parseInput(nameOfObject, correctionId)),
  );
}

/** `2027-03-01T10:00` is a time in UTC; anything else is left to the schema, which names the field. */
function toInstant(local: string): string {
  return /T\d\d:\d\d$/.test(local) ? `${local}:00Z` : `${local}Z`;
}
