'use server';

import { redirect } from 'next/navigation';
import { attemptForm } from '@/app/attempt';
import type { FormState } from '@/components/ui/forms/form-state';
import { resetPassword } from '@/lib/domain/people/passwords';
import { resetPasswordSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { readVisitor } from '@/lib/web/http/dashboard-session';
import { getPasswordThrottle } from '@/lib/web/http/password-throttle';
import { getWeb } from '@/lib/web/http/server-services';

/** Sets a new password with an emailed link and redirects to the sign-in page. */
export async function resetPasswordAction(previous: FormState, form: FormData): Promise<FormState> {
  return attemptForm(previous, form, async () => {
    const given = { token: form.get('token'), password: form.get('password') };
    const input = parseInput(resetPasswordSchema, given);
    const { address } = await readVisitor();
    const { email } = await resetPassword(getWeb().services, { ...input, address });
    await getPasswordThrottle().clear(email);
    redirect('/sign-in?notice=new-password');
  });
}
