'use server';

import { redirect } from 'next/navigation';
import { actOnForm } from '@/app/(auth)/act';
import { type FormState, readTyped } from '@/components/ui/forms/form-state';
import { finishVisitorSignIn } from '@/lib/web/http/sign-in/visitor-sign-in';
import { readFactor } from '../read-factor';
import { safePath } from '../safe-path';

/** Ends a sign-in with the second factor and redirects to the requested page. */
export async function secondFactorAction(previous: FormState, form: FormData): Promise<FormState> {
  return actOnForm(previous, form, async () => {
    await finishVisitorSignIn(await readFactor(form));
    redirect(safePath(readTyped(form).callbackUrl));
  });
}
