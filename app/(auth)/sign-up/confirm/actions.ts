'use server';

import { notFound } from 'next/navigation';
import { attempt } from '@/app/attempt';
import { readBaseUrl } from '@/app/base-url';
import type { SetUpState } from '@/components/auth/set-up';
import { readTyped, refusedState } from '@/components/ui/forms/form-state';
import { confirmSignUp } from '@/lib/domain/people/sign-up';
import { getEnvironment } from '@/lib/env';
import { signUpSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { getWeb } from '@/lib/web/http/server-services';
import { startSession } from '../../session';

/** Creates the account of a confirmed address and signs the person in. */
export async function confirmSignUpAction(previous: SetUpState, form: FormData): Promise<SetUpState> {
  const { SIGN_UP, DEFAULT_PLAN: plan } = getEnvironment();
  if (SIGN_UP !== 'open') notFound();
  const outcome = await attempt(async () => {
    const given = { token: form.get('token'), name: form.get('name'), password: form.get('password') };
    return confirmSignUp(getWeb().services, { ...parseInput(signUpSchema, given), plan });
  });
  if (!outcome.ok) {
    return { ...refusedState(previous, outcome.error, readTyped(form, ['password'])), created: null };
  }
  const { userId, email, apiKey } = outcome.value;
  await startSession({ id: userId, email });
  return { ...previous, message: null, errors: {}, created: { apiKey, baseUrl: await readBaseUrl() } };
}
