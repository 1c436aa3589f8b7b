'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { type FormState, readTyped, refusedState } from '@/components/ui/form-state';
import { DomainError } from '@/lib/core/errors';
import { getWeb } from '@/lib/http/server-services';
import { findUserByPassword } from '@/lib/organizations/find-user';
import { emailAddress } from '@/lib/schemas/email-address';
import { passwordSchema } from '@/lib/schemas/organization';
import { startSession } from '../start-session';
import { safePath } from './safe-path';

/** Signs in and goes on to where the visitor wanted; the refusal does not tell which of the two was wrong. */
export async function signInAction(previous: FormState, form: FormData): Promise<FormState> {
  const values = readTyped(form, ['password']);
  const email = emailAddress.safeParse(values.email).data ?? '';
  const password = passwordSchema.safeParse(form.get('password')).data ?? '';
  const outcome = await attempt(async () => {
    const user = await findUserByPassword(getWeb().services, email, password);
    if (user === null) throw new DomainError('UNAUTHORIZED', 'E-mail or password is wrong.');
    return user;
  });
  if (!outcome.ok) return refusedState(previous, outcome.error, values);
  await startSession(outcome.value);
  redirect(safePath(values.callbackUrl));
}
