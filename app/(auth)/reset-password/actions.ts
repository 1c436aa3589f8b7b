'use server';

import { redirect } from 'next/navigation';
import { attemptForm } from '@/app/attempt';
import type { FormState } from '@/components/ui/forms/form-state';
import { resetPasswordSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { requirePasswordSignIn } from '@/lib/web/http/sign-in/password-sign-in';
import { resetVisitorPassword } from '@/lib/web/http/sign-in/visitor-sign-in';

/** Sets a new password with an emailed link and redirects to the sign-in page. */
export async function resetPasswordAction(previous: FormState, form: FormData): Promise<FormState> {
  return attemptForm(previous, form, async () => {
    requirePasswordSignIn();
    const given = { token: form.get('token'), password: form.get('password') };
    const code = form.get('code') ?? undefined;
    await resetVisitorPassword(parseInput(resetPasswordSchema, { ...given, code }));
    redirect('/sign-in?notice=new-password');
  });
}
