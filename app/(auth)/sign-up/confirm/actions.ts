'use server';

import { notFound, redirect } from 'next/navigation';
import { actOnForm } from '@/app/(auth)/act';
import { readBaseUrl } from '@/app/base-url';
import type { SetUpState } from '@/components/auth/set-up';
import { freshState } from '@/components/ui/forms/form-state';
import { confirmSignUp } from '@/lib/domain/people/sign-up';
import { getEnvironment } from '@/lib/env';
import { signUpSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { getWeb } from '@/lib/web/http/server-services';
import { requirePasswordSignIn } from '@/lib/web/http/sign-in/password-sign-in';
import { pathAfter, signInVisitorBy } from '@/lib/web/http/sign-in/visitor-sign-in';

/** Creates the account of a confirmed address and signs the person in. */
export async function confirmSignUpAction(previous: SetUpState, form: FormData): Promise<SetUpState> {
  return actOnForm(previous, form, async () => {
    const { SIGN_UP, DEFAULT_PLAN: plan } = getEnvironment();
    if (SIGN_UP !== 'open') notFound();
    requirePasswordSignIn();
    const given = { token: form.get('token'), name: form.get('name'), password: form.get('password') };
    const input = { ...parseInput(signUpSchema, given), plan };
    const { userId, apiKey } = await confirmSignUp(getWeb().services, input);
    const outcome = await signInVisitorBy({ userId, method: 'setup' });
    if (outcome.kind === 'pending') redirect(pathAfter(outcome, '/monitors'));
    return { ...freshState(), created: { apiKey, baseUrl: await readBaseUrl() } };
  });
}
