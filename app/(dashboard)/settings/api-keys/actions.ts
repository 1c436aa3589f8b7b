'use server';

import { refresh } from 'next/cache';
import { readBaseUrl } from '@/app/base-url';
import type { ShownKey } from '@/components/api-keys/shown-key';
import type { ActionResult } from '@/components/ui/action-result';
import { freshState, readTyped } from '@/components/ui/forms/form-state';
import { issueApiKey, revokeApiKey, rotateApiKey } from '@/lib/domain/api-keys/change-api-keys';
import { createApiKeySchema, rotateApiKeySchema } from '@/lib/schemas/api-key';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { actFor, actionOn, formAction } from '../../act';

const DAY_MS = 24 * 3_600_000;

/** Creates a key like `POST /api-keys` and returns it, which happens only once. */
export const createKeyAction = formAction('api-key.create', async (ctx, form) => {
  const values = readTyped(form);
  const { scope, days = '' } = values;
  const end = new Date(ctx.clock.now().getTime() + Number(days) * DAY_MS);
  const isDate = days !== '' && !Number.isNaN(end.getTime());
  const expiresAt = days === '' ? null : isDate ? end.toISOString() : days;
  const input = parseInput(createApiKeySchema, { name: values.name, scope, expiresAt });
  const { name, apiKey } = await issueApiKey(ctx, input);
  refresh();
  const created = { name, apiKey, baseUrl: await readBaseUrl() };
  return { ...freshState({ ...values, name: '' }), created };
});

/** Replaces a key with the API's default overlap and returns the new one, which happens only once. */
export async function rotateKeyAction(id: string): Promise<ActionResult<ShownKey>> {
  return actFor('api-key.rotate', async (ctx) => {
    const options = rotateApiKeySchema.parse({});
    const { name, apiKey } = await rotateApiKey(ctx, parseInput(nameOfObject, id), options);
    refresh();
    return { name, apiKey, baseUrl: await readBaseUrl() };
  });
}

export const revokeKeyAction = actionOn('api-key.revoke', revokeApiKey);
