'use server';

import { redirect } from 'next/navigation';
import { actOnForm } from '@/app/(auth)/act';
import { type FormState, readTyped } from '@/components/ui/forms/form-state';
import { pathAfter, signInVisitor } from '@/lib/web/http/sign-in/visitor-sign-in';
import { safePath } from './safe-path';

/** Signs in and redirects to the requested page, or to what is still missing. The error does not reveal whether the email or the password was wrong. */
export async function signInAction(previous: FormState, form: FormData): Promise<FormState> {
  return actOnForm(previous, form, async () => {
    const outcome = await signInVisitor({ email: form.get('email'), password: form.get('password') });
    redirect(pathAfter(outcome, safePath(readTyped(form).callbackUrl)));
  });
}
