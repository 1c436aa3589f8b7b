'use server';

import { attemptForm } from '@/app/attempt';
import { readBaseUrl } from '@/app/base-url';
import type { SetUpState } from '@/components/auth/set-up';
import { freshState, readTyped } from '@/components/ui/forms/form-state';
import { setUp } from '@/lib/domain/organizations/create-organization';
import { createOrganizationSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { getWeb } from '@/lib/web/http/server-services';
import { startSession } from '../session';

/** Creates the first organization and signs its owner in. */
export async function setUpAction(previous: SetUpState, form: FormData): Promise<SetUpState> {
  return attemptForm(previous, form, async () => {
    const { token = '', name, plan, email, password } = readTyped(form);
    const input = parseInput(createOrganizationSchema, { name, plan, email, password });
    const { userId, apiKey } = await setUp(getWeb().services, input, token);
    await startSession({ id: userId, email: input.email });
    return { ...freshState(), created: { apiKey, baseUrl: await readBaseUrl() } };
  });
}
