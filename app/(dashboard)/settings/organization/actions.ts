'use server';

import { refresh } from 'next/cache';
import { redirect } from 'next/navigation';
import { type FormState, freshState, readTyped } from '@/components/ui/forms/form-state';
import { requireSecondFactor } from '@/lib/domain/members/require-second-factor';
import { deleteOrganization, renameOrganization } from '@/lib/domain/organizations/change-organization';
import { changeReminders } from '@/lib/domain/organizations/reminders';
import { remindersSchema } from '@/lib/schemas/incidents/reminders';
import { factorRequirementSchema, organizationNameSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { actOnForm, formAction } from '../../act';

export async function renameAction(previous: FormState, form: FormData): Promise<FormState> {
  return actOnForm('organization.rename', { previous, form }, async (ctx) => {
    await renameOrganization(ctx, parseInput(organizationNameSchema, { name: form.get('name') }));
    refresh();
    return { ...freshState(readTyped(form)), attempt: previous.attempt + 1 };
  });
}

/** Sets how often members are reminded of incidents that nobody has acknowledged; an empty field turns reminders off. */
export async function changeRemindersAction(previous: FormState, form: FormData): Promise<FormState> {
  return actOnForm('organization.change-reminders', { previous, form }, async (ctx) => {
    const typed = form.get('reminderMinutes');
    const reminderMinutes = typed === '' ? null : Number(typed);
    await changeReminders(ctx, parseInput(remindersSchema, { reminderMinutes }));
    refresh();
    return { ...freshState(readTyped(form)), attempt: previous.attempt + 1 };
  });
}

/** Sets from when members need a second factor; an empty choice: they do not. */
export async function requireFactorAction(previous: FormState, form: FormData): Promise<FormState> {
  return actOnForm('organization.require-second-factor', { previous, form }, async (ctx) => {
    const typed = form.get('graceDays');
    const graceDays = typed === '' ? null : Number(typed);
    await requireSecondFactor(ctx, parseInput(factorRequirementSchema, { graceDays }));
    refresh();
    return { ...freshState(readTyped(form)), attempt: previous.attempt + 1 };
  });
}

/** Deletes the organization and redirects to the list of organizations. */
export const deleteOrganizationAction = formAction('organization.delete', async (ctx, form) => {
  await deleteOrganization(ctx, parseInput(organizationNameSchema, { name: form.get('confirmation') }));
  redirect('/organizations');
});
