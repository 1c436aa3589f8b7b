'use server';

import { redirect } from 'next/navigation';
import { readText } from '@/components/ui/forms/form-state';
import { parseJson } from '@/lib/core/parse-json';
import {
  createEmailRecipient,
  deleteEmailRecipient,
  resendConfirmation,
  updateEmailRecipient,
} from '@/lib/domain/email-recipients/change-recipients';
import { createEmailRecipientSchema, updateEmailRecipientSchema } from '@/lib/schemas/email-recipient';
import { parseInput } from '@/lib/schemas/validation';
import { actionOn, formAction, formActionOn } from '../../act';

/** Creates a recipient as `POST /email-recipients` would, and shows it. */
export const createRecipientAction = formAction('email-recipient.create', async (ctx, form) => {
  const given = { email: readText(form, 'email'), ...readFields(form) };
  const { id } = await createEmailRecipient(ctx, parseInput(createEmailRecipientSchema, given));
  redirect(`/notifications/email/${id}`);
});

/** Updates a recipient as `PUT /email-recipients/:id` would, then returns to the list. */
export const updateRecipientAction = formActionOn('email-recipient.update', async (ctx, id, form) => {
  await updateEmailRecipient(ctx, id, parseInput(updateEmailRecipientSchema, readFields(form)));
  redirect('/notifications/channels');
});

export const deleteRecipientAction = actionOn('email-recipient.delete', async (ctx, id) => {
  await deleteEmailRecipient(ctx, id);
  redirect('/notifications/channels');
});

export const resendConfirmationAction = actionOn('email-recipient.resend', resendConfirmation);

function readFields(form: FormData) {
  return {
    description: readText(form, 'description'),
    enabled: form.get('enabled') === 'on',
    rules: parseJson(readText(form, 'rules') || '[]'),
  };
}
