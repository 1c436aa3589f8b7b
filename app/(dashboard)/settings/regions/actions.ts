'use server';

import { refresh } from 'next/cache';
import { readBaseUrl } from '@/app/base-url';
import type { RegionFormState } from '@/components/regions/region-form';
import type { ShownToken } from '@/components/regions/shown-token';
import type { TokenFormState } from '@/components/regions/token-form';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { freshState, readTyped } from '@/components/ui/forms/form-state';
import { createRegion, deleteRegion, updateRegion } from '@/lib/domain/regions/change-region';
import { createRegionToken, revokeRegionToken, rotateRegionToken } from '@/lib/domain/regions/region-tokens';
import { createRegionSchema } from '@/lib/schemas/monitor/region';
import { createProbeTokenSchema } from '@/lib/schemas/probes/probe-token';
import { findPlace } from '@/lib/schemas/regions/places';
import { rotateTokenSchema } from '@/lib/schemas/token';
import { nameOfObject, parseInput } from '@/lib/schemas/validation';
import { act, actFor, actionOn, formAction, formActionOn } from '../../act';

/** Creates a region like `POST /regions`; the place is the text of a city. */
export const createRegionAction = formAction('region.create', async (ctx, form): Promise<RegionFormState> => {
  await createRegion(ctx, parseInput(createRegionSchema, readRegion(form)));
  refresh();
  return { ...freshState(), isSaved: true };
});

/** Renames or moves a region. */
export const updateRegionAction = formActionOn(
  'region.update',
  async (ctx, id, form): Promise<RegionFormState> => {
    const changes = parseInput(createRegionSchema, readRegion(form));
    await updateRegion(ctx, id, changes, { showsHosts: false });
    refresh();
    return { ...freshState(), isSaved: true };
  },
);

export const deleteRegionAction = actionOn('region.delete', deleteRegion);

/** Creates a token like `POST /regions/:id/tokens` and returns it, which happens only once. */
export const createTokenAction = formActionOn(
  'probe-token.create',
  async (ctx, regionId, form): Promise<TokenFormState> => {
    const { name } = readTyped(form);
    const created = await createRegionToken(ctx, regionId, parseInput(createProbeTokenSchema, { name }));
    refresh();
    return { ...freshState(), created: await toShown(created) };
  },
);

/** Replaces a token with the API's default overlap and returns the new one, which happens only once. */
export async function rotateTokenAction(region: string, id: string): Promise<ActionResult<ShownToken>> {
  return actFor('probe-token.rotate', async (ctx) => {
    const options = rotateTokenSchema.parse({});
    const created = await rotateRegionToken(ctx, readToken(region, id), options);
    refresh();
    return toShown(created);
  });
}

/** Revokes a token. */
export async function revokeTokenAction(region: string, id: string): Promise<ActionProblem> {
  return act('probe-token.revoke', (ctx) => revokeRegionToken(ctx, readToken(region, id)));
}

function readRegion(form: FormData): { name: string | undefined; place: string } {
  const { name, place = '' } = readTyped(form);
  return { name, place: findPlace(place)?.id ?? place };
}

function readToken(region: string, id: string) {
  return { regionId: parseInput(nameOfObject, region), tokenId: parseInput(nameOfObject, id) };
}

async function toShown({ name, token }: Pick<ShownToken, 'name' | 'token'>): Promise<ShownToken> {
  return { name, token, baseUrl: await readBaseUrl() };
}
