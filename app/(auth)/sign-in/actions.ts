'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { type FormState, readTyped, refusedState } from '@/components/ui/forms/form-state';
import { setSessionCookie, signInVisitor } from '@/lib/web/http/dashboard-session';
import { safePath } from './safe-path';

/** Signs in and redirects to the requested page. The error does not reveal whether the email or the password was wrong. */
export async function signInAction(previous: FormState, form: FormData): Promise<FormState> {
  const values = readTyped(form, ['password']);
  const outcome = await attempt(() =>
    signInVisitor({ email: form.get('email'), password: form.get('password') }),
  );
  if (!outcome.ok) return refusedState(previous, outcome.error, values);
  await setSessionCookie(outcome.value.sessionId);
  redirect(safePath(values.callbackUrl));
}
