'use server';

import { redirect } from 'next/navigation';
import { actOnForm } from '@/app/(auth)/act';
import { readBaseUrl } from '@/app/base-url';
import type { SetUpState } from '@/components/auth/set-up';
import { freshState, readTyped } from '@/components/ui/forms/form-state';
import { setUp } from '@/lib/domain/organizations/create-organization';
import { getEnvironment } from '@/lib/env';
import { createOrganizationSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { getWeb } from '@/lib/web/http/server-services';
import { pathAfter, signInVisitorBy } from '@/lib/web/http/sign-in/visitor-sign-in';

/** Creates the first organization and signs its owner in. */
export async function setUpAction(previous: SetUpState, form: FormData): Promise<SetUpState> {
  return actOnForm(previous, form, async () => {
    const { token = '', name, email, password } = readTyped(form);
    const { DEFAULT_PLAN: plan } = getEnvironment();
    const input = parseInput(createOrganizationSchema, { name, plan, email, password });
    const { userId, apiKey } = await setUp(getWeb().services, input, token);
    const outcome = await signInVisitorBy({ userId, method: 'setup' });
    if (outcome.kind === 'pending') redirect(pathAfter(outcome, '/monitors'));
    return { ...freshState(), created: { apiKey, baseUrl: await readBaseUrl() } };
  });
}
