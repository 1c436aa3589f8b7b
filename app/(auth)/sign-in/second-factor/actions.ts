'use server';

import { redirect } from 'next/navigation';
import { attemptForm } from '@/app/attempt';
import { type FormState, readTyped } from '@/components/ui/forms/form-state';
import { factorCodeSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { finishVisitorSignIn } from '@/lib/web/http/sign-in/visitor-sign-in';
import { safePath } from '../safe-path';

/** Ends a sign-in with the second factor and redirects to the requested page. */
export async function secondFactorAction(previous: FormState, form: FormData): Promise<FormState> {
  return attemptForm(previous, form, async () => {
    const { code } = parseInput(factorCodeSchema, { code: form.get('code') });
    await finishVisitorSignIn(code);
    redirect(safePath(readTyped(form).callbackUrl));
  });
}
