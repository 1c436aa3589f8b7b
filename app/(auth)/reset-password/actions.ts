'use server';

import { redirect } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { type FormState, refusedState } from '@/components/ui/forms/form-state';
import { resetPassword } from '@/lib/domain/people/reset-password';
import { resetPasswordSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { readVisitor } from '@/lib/web/http/dashboard-session';
import { getPasswordThrottle } from '@/lib/web/http/password-throttle';
import { getWeb } from '@/lib/web/http/server-services';

/** Sets a new password with an emailed link and redirects to the sign-in page. */
export async function resetPasswordAction(previous: FormState, form: FormData): Promise<FormState> {
  const { services } = getWeb();
  const outcome = await attempt(async () => {
    const given = { token: form.get('token'), password: form.get('password') };
    const input = parseInput(resetPasswordSchema, given);
    const { email } = await resetPassword(services, { ...input, address: (await readVisitor()).address });
    await getPasswordThrottle().clear(email);
  });
  if (!outcome.ok) return refusedState(previous, outcome.error, {});
  redirect('/sign-in?notice=new-password');
}
