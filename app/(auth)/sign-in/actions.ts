'use server';

import { redirect } from 'next/navigation';
import { attemptForm } from '@/app/attempt';
import { type FormState, readTyped } from '@/components/ui/forms/form-state';
import { setSessionCookie, signInVisitor } from '@/lib/web/http/dashboard-session';
import { safePath } from './safe-path';

/** Signs in and redirects to the requested page. The error does not reveal whether the email or the password was wrong. */
export async function signInAction(previous: FormState, form: FormData): Promise<FormState> {
  return attemptForm(previous, form, async () => {
    const { sessionId } = await signInVisitor({ email: form.get('email'), password: form.get('password') });
    await setSessionCookie(sessionId);
    redirect(safePath(readTyped(form).callbackUrl));
  });
}
