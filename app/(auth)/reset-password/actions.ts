'use server';

import { redirect } from 'next/navigation';
import { actOnForm } from '@/app/(auth)/act';
import type { FormState } from '@/components/ui/forms/form-state';
import { resetPasswordSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { requirePasswordSignIn } from '@/lib/web/http/sign-in/password-sign-in';
import { resetVisitorPassword } from '@/lib/web/http/sign-in/visitor-sign-in';
import { readFactor } from '../sign-in/read-factor';

/** Sets a new password with an emailed link and redirects to the sign-in page. */
export async function resetPasswordAction(previous: FormState, form: FormData): Promise<FormState> {
  return actOnForm(previous, form, async () => {
    requirePasswordSignIn();
    const given = { token: form.get('token'), password: form.get('password') };
    const input = parseInput(resetPasswordSchema, given);
    const factor = form.has('code') ? await readFactor(form) : undefined;
    await resetVisitorPassword({ ...input, factor });
    redirect('/sign-in?notice=new-password');
  });
}
