'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { type FormState, readTyped, refusedState } from '@/components/ui/forms/form-state';
import { deleteOrganization, renameOrganization } from '@/lib/domain/organizations/change-organization';
import { organizationNameSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { requireSession } from '@/lib/web/http/dashboard-session';

export async function renameAction(previous: FormState, form: FormData): Promise<FormState> {
  const { ctx } = await requireSession();
  const values = readTyped(form);
  const outcome = await attempt(async () =>
    renameOrganization(ctx, parseInput(organizationNameSchema, { name: values.name })),
  );
  if (!outcome.ok) return refusedState(previous, outcome.error, values);
  refresh();
  return { attempt: previous.attempt + 1, message: null, errors: {}, values };
}

/** Deletes the organization and redirects to the list of organizations. */
export async function deleteOrganizationAction(previous: FormState, form: FormData): Promise<FormState> {
  const { ctx } = await requireSession();
  const values = readTyped(form);
  const outcome = await attempt(async () =>
    deleteOrganization(ctx, parseInput(organizationNameSchema, { name: values.confirmation })),
  );
  if (!outcome.ok) return refusedState(previous, outcome.error, values);
  redirect('/organizations');
}
