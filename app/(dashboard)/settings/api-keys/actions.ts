'use server';

import { refresh } from 'next/cache';
import { attempt } from '@/app/attempt';
import { readBaseUrl } from '@/app/base-url';
import type { KeyFormState } from '@/components/api-keys/key-form';
import type { RotatedKey } from '@/components/api-keys/key-list';
import { readTyped, refusedState } from '@/components/ui/form-state';
import { issueApiKey, revokeApiKey, rotateApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { createApiKeySchema, rotateApiKeySchema } from '@/lib/schemas/api-key';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { type ActionProblem, act } from '../../act';

const DAY_MS = 24 * 3_600_000;

/** Makes a key as `POST /api-keys` would, and hands it over for the only time. */
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
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, values), made: null };
  const made = { name: outcome.value.name, apiKey: outcome.value.apiKey, baseUrl: await readBaseUrl() };
  refresh();
  return { ...previous, message: null, errors: {}, values: { ...values, name: '' }, made };
}

/** Replaces a key with the overlap of the API's default, and hands over the new one for the only time. */
export async function rotateKeyAction(id: string): Promise<RotatedKey> {
  const { ctx } = await requireSession();
  const outcome = await attempt(async () =>
    rotateApiKey(ctx, parseInput(nameOfObject, id), rotateApiKeySchema.parse({})),
  );
  if (!outcome.ok) return { made: null, problem: outcome.error.message };
  const { name, apiKey } = outcome.value;
  refresh();
  return { made: { name, apiKey, baseUrl: await readBaseUrl() }, problem: null };
}

export async function revokeKeyAction(id: string): Promise<ActionProblem> {
  return act((ctx) => revokeApiKey(ctx, parseInput(nameOfObject, id)));
}
