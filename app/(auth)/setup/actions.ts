'use server';

import { attempt } from '@/app/attempt';
import { readBaseUrl } from '@/app/base-url';
import type { SetUpState } from '@/components/auth/set-up';
import { readTyped, refusedState } from '@/components/ui/forms/form-state';
import { setUp } from '@/lib/domain/organizations/create-organization';
import { createOrganizationSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { getWeb } from '@/lib/web/http/server-services';
import { startSession } from '../session';

/** Creates the first organization and signs its owner in. */
export async function setUpAction(previous: SetUpState, form: FormData): Promise<SetUpState> {
  const values = readTyped(form, ['password']);
  const { token = '', name, plan, email } = values;
  const outcome = await attempt(async () => {
    const input = parseInput(createOrganizationSchema, { name, plan, email, password: form.get('password') });
    const { userId, apiKey } = await setUp(getWeb().services, input, token);
    return { apiKey, user: { id: userId, email: input.email } };
  });
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, values), created: null };
  const { apiKey, user } = outcome.value;
  await startSession(user);
  return { ...previous, message: null, errors: {}, created: { apiKey, baseUrl: await readBaseUrl() } };
}
