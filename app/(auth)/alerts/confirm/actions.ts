'use server';

import { redirect } from 'next/navigation';
import { act } from '@/app/(auth)/act';
import type { ActionProblem } from '@/components/ui/action-result';
import { confirmRecipient } from '@/lib/domain/email-recipients/confirm-recipient';
import { confirmationTokenSchema } from '@/lib/schemas/email-recipient';
import { parseInput } from '@/lib/schemas/validation';
import { getWeb } from '@/lib/web/http/server-services';

/** Confirms the address to which a link was sent. */
export async function confirmAddressAction(_: ActionProblem, form: FormData): Promise<ActionProblem> {
  return act(async () => {
    await confirmRecipient(getWeb().services, parseInput(confirmationTokenSchema, form.get('token')));
    redirect('/alerts/confirm?confirmed');
  });
}
