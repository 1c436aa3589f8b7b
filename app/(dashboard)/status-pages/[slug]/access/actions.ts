'use server';

import { refresh } from 'next/cache';
import type { PageTokenFormState, ShownPageToken } from '@/components/page-editor/page-tokens';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { freshState, readTyped } from '@/components/ui/forms/form-state';
import {
  createPageToken,
  revokePageToken,
  rotatePageToken,
} from '@/lib/domain/status-pages/access/page-tokens';
import { updateStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { getEnvironment } from '@/lib/env';
import { createPageTokenSchema } from '@/lib/schemas/status-pages/page-token';
import { updateStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { rotateTokenSchema } from '@/lib/schemas/token';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { act, actFor, formActionOn } from '../../../act';

/** Changes who may see a page; an empty password keeps the current one. */
export const setAccessAction = formActionOn('status-page.update', async (ctx, slug, form) => {
  const { visibility, password = '', allowedCidrs = '' } = readTyped(form);
  const changes = parseInput(updateStatusPageSchema, {
    visibility,
    // Fields that the form does not show keep their values.
    ...(password === '' ? {} : { password }),
    ...(form.has('allowedCidrs') ? { allowedCidrs: allowedCidrs.split(/[\s,]+/).filter(Boolean) } : {}),
  });
  await updateStatusPage(ctx, slug, changes, readPageSettings(getEnvironment()));
  refresh();
  return freshState({ visibility: visibility ?? 'public', allowedCidrs });
});

/** Creates a token like `POST /status-pages/:slug/tokens` and returns it, which happens only once. */
export const createPageTokenAction = formActionOn(
  'page-token.create',
  async (ctx, slug, form): Promise<PageTokenFormState> => {
    const { name } = readTyped(form);
    const created = await createPageToken(ctx, slug, parseInput(createPageTokenSchema, { name }));
    refresh();
    return { ...freshState(), created };
  },
);

/** Replaces a token with the API's default overlap and returns the new one, which happens only once. */
export async function rotatePageTokenAction(slug: string, id: string): Promise<ActionResult<ShownPageToken>> {
  return actFor('page-token.rotate', async (ctx) => {
    const created = await rotatePageToken(ctx, readToken(slug, id), rotateTokenSchema.parse({}));
    refresh();
    return created;
  });
}

/** Revokes a token. */
export async function revokePageTokenAction(slug: string, id: string): Promise<ActionProblem> {
  return act('page-token.revoke', (ctx) => revokePageToken(ctx, readToken(slug, id)));
}

function readToken(slug: string, id: string) {
  return { slug: parseInput(nameOfObject, slug), tokenId: parseInput(nameOfObject, id) };
}
