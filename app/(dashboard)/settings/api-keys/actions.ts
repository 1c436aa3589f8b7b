'use server';

import { refresh } from 'next/cache';
import { attempt } from '@/app/attempt';
import { readBaseUrl } from '@/app/base-url';
import type { KeyFormState } from '@/components/api-keys/key-form';
import type { RotatedKey } from '@/components/api-keys/key-list';
import { readTyped, refusedState } from '@/components/ui/forms/form-state';
import { issueApiKey, revokeApiKey, rotateApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { createApiKeySchema, rotateApiKeySchema } from '@/lib/schemas/api-key';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { type ActionProblem, act } from '../../act';

const DAY_MS = 24 * 3_600_000;

/** Creates a key like `POST /api-keys` and returns it, which happens only once. */
export async function createKeyAction(previous: KeyFormState, form: FormData): Promise<KeyFormState> {
  const { ctx } = await requireSession();
  const values = readTyped(form);
  const { name, scope, days = '' } = values;
  const outcome = await attempt(() => {
    const end = new Date(ctx.clock.now().getTime() + Number(days) * DAY_MS);
    const isDate = days !== '' && !Number.isNaN(end.getTime());
    const expiresAt = days === '' ? null : isDate ? end.toISOString() : days;
    return issueApiKey(ctx, parseInput(createApiKeySchema, { name, scope, expiresAt }));
  });
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, values), created: null };
  const created = { name: outcome.value.name, apiKey: outcome.value.apiKey, baseUrl: await readBaseUrl() };
  refresh();
  return { ...previous, message: null, errors: {}, values: { ...values, name: '' }, created };
}

/** Replaces a key with the API's default overlap and returns the new one, which happens only once. */
export async function rotateKeyAction(id: string): Promise<RotatedKey> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () =>
    rotateApiKey(ctx, parseInput(nameOfObject, id), rotateApiKeySchema.parse({})),
  );
  if (!outcome.ok) return { created: null, problem: outcome.error.message };
  const { name, apiKey } = outcome.value;
  refresh();
  return { created: { name, apiKey, baseUrl: await readBaseUrl() }, problem: null };
}

export async function revokeKeyAction(id: string): Promise<ActionProblem> {
  return act((ctx) => revokeApiKey(ctx, parseInput(nameOfObject, id)));
}
