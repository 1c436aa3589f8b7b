import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import type { Actor } from '@/lib/domain/context/organization-context';
import { authenticateProbe, createProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { listRegionProbes } from '@/lib/domain/probes/list-probes';
import { MAX_ENDED, MAX_TOKENS } from '@/lib/domain/tokens/token-quota';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createRegion, deleteRegion } from './change-region';
import {
  createRegionToken,
  listOwnTokens,
  listRegionTokens,
  revokeRegionToken,
  rotateRegionToken,
} from './region-tokens';

const START = new Date('2026-03-01T12:00:00.000Z');
const HOUR = 3_600_000;
const database = useSharedDatabase();

async function begin() {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock });
  const { ctx } = await createTestOrganization(services);
  const { id: regionId } = await createRegion(ctx, { name: 'Hamburg office', place: 'hamburg' });
  return {
    clock,
    services,
    ctx,
    regionId,
    issue: (name = 'Rack 2') => createRegionToken(ctx, regionId, { name }),
    /** The region that a token serves; null if it is not valid. */
    regionOf: (token: string) =>
      authenticateProbe(services, `Bearer ${token}`).then(
        ({ region }) => region,
        () => null,
      ),
  };
}

describe('a token of an own region', () => {
  it('is returned when it is created and never again, and serves this region', async () => {
    const { ctx, regionId, issue, regionOf } = await begin();
    const { token, ...listed } = await issue();
    expect(listed).toEqual({
      id: expect.stringMatching(/^prt_/),
      region: regionId,
      name: 'Rack 2',
      hint: token.slice(0, listed.hint.length),
      createdAt: START.toISOString(),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(await regionOf(token)).toBe(regionId);
    const tokens = await listRegionTokens(ctx, regionId);
    expect(tokens).toEqual([{ ...listed, lastUsedAt: START.toISOString() }]);
    expect(await listOwnTokens(ctx)).toEqual(tokens);
    expect(JSON.stringify(tokens)).not.toContain(token);
  });

  it('is revoked immediately and stays listed', async () => {
    const { ctx, regionId, issue, regionOf } = await begin();
    const { id: tokenId, token } = await issue();
    await revokeRegionToken(ctx, { regionId, tokenId });
    expect(await regionOf(token)).toBeNull();
    await revokeRegionToken(ctx, { regionId, tokenId });
    expect(await listRegionTokens(ctx, regionId)).toMatchObject([{ revokedAt: START.toISOString() }]);
  });

  it('is replaced by one of the same name, while the old one works for the overlap', async () => {
    const { ctx, clock, regionId, issue, regionOf } = await begin();
    const old = await issue();
    const created = await rotateRegionToken(ctx, { regionId, tokenId: old.id }, { overlapHours: 24 });
    expect(created).toMatchObject({ name: 'Rack 2', expiresAt: null });
    clock.advance(24 * HOUR - 1);
    expect([await regionOf(old.token), await regionOf(created.token)]).toEqual([regionId, regionId]);
    clock.advance(1);
    expect([await regionOf(old.token), await regionOf(created.token)]).toEqual([null, regionId]);
    const again = rotateRegionToken(ctx, { regionId, tokenId: old.id }, { overlapHours: 1 });
    await expect(again).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('ends with its region', async () => {
    const { ctx, regionId, issue, regionOf } = await begin();
    const { token } = await issue();
    await deleteRegion(ctx, regionId);
    expect(await regionOf(token)).toBeNull();
    await expect(issue()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the tokens of a region', () => {
  it('are at most 20 that are valid, and twice as many while old ones overlap', async () => {
    const { ctx, regionId, issue } = await begin();
    const ids: string[] = [];
    for (let each = 0; each < MAX_TOKENS; each++) ids.push((await issue(`Rack ${each}`)).id);
    const refusal = { code: 'VALIDATION_ERROR', message: expect.stringContaining('at most 20 tokens') };
    await expect(issue()).rejects.toMatchObject(refusal);
    const rotate = (tokenId: string) => rotateRegionToken(ctx, { regionId, tokenId }, { overlapHours: 24 });
    for (const id of ids) await rotate(id);
    await expect(rotate(ids[0] ?? '')).rejects.toMatchObject(refusal);
  });

  it('that ended are not replaced, which is the reason given even while no more may be valid', async () => {
    const { ctx, regionId, issue } = await begin();
    const { id: tokenId } = await issue();
    await revokeRegionToken(ctx, { regionId, tokenId });
    const rotate = (id: string) => rotateRegionToken(ctx, { regionId, tokenId: id }, { overlapHours: 24 });
    const ids: string[] = [];
    for (let each = 0; each < MAX_TOKENS; each++) ids.push((await issue(`Rack ${each}`)).id);
    for (const id of ids) await rotate(id);
    await expect(rotate(tokenId)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('revoked or expired'),
    });
  });

  it('are listed with the last 20 that ended', async () => {
    const { ctx, regionId, issue } = await begin();
    for (let each = 0; each < MAX_ENDED + 5; each++) {
      await revokeRegionToken(ctx, { regionId, tokenId: (await issue(`Rack ${each}`)).id });
    }
    await issue('Valid');
    const names = (await listRegionTokens(ctx, regionId)).map(({ name }) => name);
    expect(names).toHaveLength(MAX_ENDED + 1);
    expect(names).not.toContain('Rack 0');
  });
});

describe('the tokens and probes of', () => {
  it('built-in regions are the operator’s: no organization creates, sees or ends one, whatever the role', async () => {
    const { ctx, services, regionId, issue } = await begin();
    const { id: tokenId } = await createProbeToken(services, { region: 'eu-west', name: 'Operator' });
    const actors: Actor[] = [
      { kind: 'user', userId: 'usr_1', role: 'owner' },
      { kind: 'key', keyId: 'key_1', scope: 'write' },
    ];
    const forbidden = { code: 'FORBIDDEN', message: expect.stringContaining('operator') };
    for (const actor of actors) {
      const as = { ...ctx, actor };
      const token = { regionId: 'eu-west', tokenId };
      await expect(createRegionToken(as, 'eu-west', { name: 'Mine' })).rejects.toMatchObject(forbidden);
      await expect(rotateRegionToken(as, token, { overlapHours: 0 })).rejects.toMatchObject(forbidden);
      await expect(revokeRegionToken(as, token)).rejects.toMatchObject(forbidden);
      await expect(listRegionTokens(as, 'eu-west')).rejects.toMatchObject(forbidden);
      await expect(listRegionProbes(as, 'eu-west')).rejects.toMatchObject(forbidden);
      // Nor by the name of an own region.
      const disguised = { regionId, tokenId };
      await expect(revokeRegionToken(as, disguised)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(rotateRegionToken(as, disguised, { overlapHours: 0 })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    }
    await issue();
    expect((await listOwnTokens(ctx)).map(({ name }) => name)).toEqual(['Rack 2']);
  });

  it('another organization do not exist, also by the name of an own region', async () => {
    const [story, other] = [await begin(), await begin()];
    const { id: tokenId, token } = await story.issue();
    const missing = { code: 'NOT_FOUND' };
    for (const regionId of [story.regionId, other.regionId]) {
      const theirs = { regionId, tokenId };
      await expect(rotateRegionToken(other.ctx, theirs, { overlapHours: 0 })).rejects.toMatchObject(missing);
      await expect(revokeRegionToken(other.ctx, theirs)).rejects.toMatchObject(missing);
    }
    await expect(createRegionToken(other.ctx, story.regionId, { name: 'Mine' })).rejects.toMatchObject(
      missing,
    );
    await expect(listRegionTokens(other.ctx, story.regionId)).rejects.toMatchObject(missing);
    await expect(listRegionProbes(other.ctx, story.regionId)).rejects.toMatchObject(missing);
    expect(await listOwnTokens(other.ctx)).toEqual([]);
    expect(await story.regionOf(token)).toBe(story.regionId);
  });
});
