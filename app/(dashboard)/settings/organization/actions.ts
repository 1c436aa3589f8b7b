'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { type FormState, freshState, readTyped } from '@/components/ui/forms/form-state';
import { deleteOrganization, renameOrganization } from '@/lib/domain/organizations/change-organization';
import { organizationNameSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { actOnForm, formAction } from '../../act';

export async function renameAction(previous: FormState, form: FormData): Promise<FormState> {
  const { attempt } = previous;
  return actOnForm(previous, form, async (ctx) => {
    await renameOrganization(ctx, parseInput(organizationNameSchema, { name: form.get('name') }));
    refresh();
    return { ...freshState(readTyped(form)), attempt: attempt + 1 };
  });
}

/** Deletes the organization and redirects to the list of organizations. */
export const deleteOrganizationAction = formAction(async (ctx, form) => {
  await deleteOrganization(ctx, parseInput(organizationNameSchema, { name: form.get('confirmation') }));
  redirect('/organizations');
});
