import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import type { Actor } from '@/lib/domain/context/organization-context';
import type { PlanId } from '@/lib/plans/catalogue';
import { createApiKeySchema, rotateApiKeySchema } from '@/lib/schemas/api-key';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { authenticateApiKey } from '@/lib/web/auth/authenticate-api-key';
import { issueApiKey, revokeApiKey, rotateApiKey, updateApiKey } from './change-api-keys';
import { getApiKey, listApiKeys, readMe } from './read-api-keys';

const START = new Date('2026-03-01T12:00:00.000Z');
const HOUR = 3_600_000;
const database = useSharedDatabase();

async function begin(options: { plan?: PlanId } = {}) {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock });
  const { ctx } = await createTestOrganization(services, options);
  return {
    clock,
    ctx,
    as: (actor: Actor) => ({ ...ctx, actor }),
    issue: (fields: object = {}) => issueApiKey(ctx, createApiKeySchema.parse({ name: 'CI', ...fields })),
    works: (apiKey: string) =>
      authenticateApiKey(services, `Bearer ${apiKey}`).then(
        () => true,
        () => false,
      ),
  };
}

describe('an API key', () => {
  it('is returned when it is created and never again', async () => {
    const story = await begin();
    const { apiKey, ...key } = await story.issue({ scope: 'read' });
    expect(key).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'CI',
      scope: 'read',
      hint: apiKey.slice(0, 12),
      version: 1,
      createdAt: START.toISOString(),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(await story.works(apiKey)).toBe(true);
    expect(await getApiKey(story.ctx, key.id)).toEqual({ ...key, lastUsedAt: START.toISOString() });
    expect(JSON.stringify(await listApiKeys(story.ctx))).not.toContain(apiKey);
  });

  it('expires at a time that must be in the future', async () => {
    const story = await begin();
    await expect(story.issue({ expiresAt: START.toISOString() })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'expiresAt' }],
    });
    const { apiKey, expiresAt } = await story.issue({ expiresAt: '2026-03-01T14:00:00+01:00' });
    expect(expiresAt).toBe('2026-03-01T13:00:00.000Z');
    story.clock.advance(HOUR - 1);
    expect(await story.works(apiKey)).toBe(true);
    story.clock.advance(1);
    expect(await story.works(apiKey)).toBe(false);
  });

  it('is revoked immediately and stays listed', async () => {
    const story = await begin();
    const { apiKey, id } = await story.issue();
    await revokeApiKey(story.ctx, id);
    expect(await story.works(apiKey)).toBe(false);
    story.clock.advance(HOUR);
    await revokeApiKey(story.ctx, id);
    expect(await getApiKey(story.ctx, id)).toMatchObject({ revokedAt: START.toISOString() });
  });

  it('can revoke itself', async () => {
    const story = await begin();
    const { apiKey, id } = await story.issue();
    await revokeApiKey(story.as({ kind: 'key', keyId: id, scope: 'write' }), id);
    expect(await story.works(apiKey)).toBe(false);
  });

  it('can be renamed', async () => {
    const story = await begin();
    const { id } = await story.issue();
    expect(await updateApiKey(story.ctx, id, { name: 'Deploys' })).toMatchObject({ name: 'Deploys' });
    expect(await updateApiKey(story.ctx, id, { name: undefined })).toMatchObject({ name: 'Deploys' });
  });
});

describe('rotating a key', () => {
  it('creates a key with the same name and scope while the old one works for the overlap', async () => {
    const story = await begin();
    const old = await story.issue({ scope: 'read' });
    const created = await rotateApiKey(story.ctx, old.id, rotateApiKeySchema.parse(undefined));
    expect(created).toMatchObject({ name: 'CI', scope: 'read', expiresAt: null });
    expect(created.id).not.toBe(old.id);
    story.clock.advance(24 * HOUR - 1);
    expect([await story.works(old.apiKey), await story.works(created.apiKey)]).toEqual([true, true]);
    story.clock.advance(1);
    expect([await story.works(old.apiKey), await story.works(created.apiKey)]).toEqual([false, true]);
  });

  it('ends the old key immediately without an overlap', async () => {
    const story = await begin();
    const old = await story.issue();
    await rotateApiKey(story.ctx, old.id, { overlapHours: 0 });
    expect(await story.works(old.apiKey)).toBe(false);
  });

  it('never extends the old key and gives the new one the same lifetime', async () => {
    const story = await begin();
    const old = await story.issue({ expiresAt: '2026-03-01T14:00:00Z' });
    story.clock.advance(HOUR);
    const created = await rotateApiKey(story.ctx, old.id, { overlapHours: 24 });
    expect(created.expiresAt).toBe('2026-03-01T15:00:00.000Z');
    expect(await getApiKey(story.ctx, old.id)).toMatchObject({ expiresAt: '2026-03-01T14:00:00.000Z' });
  });

  it('is rejected for a revoked or expired key', async () => {
    const story = await begin();
    const { id } = await story.issue();
    await revokeApiKey(story.ctx, id);
    await expect(rotateApiKey(story.ctx, id, { overlapHours: 1 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('keys can be managed', () => {
  it.each<[string, Actor]>([
    ['a read key', { kind: 'key', keyId: 'key_1', scope: 'read' }],
    ['a member', { kind: 'user', userId: 'usr_1', role: 'member' }],
    ['a viewer', { kind: 'user', userId: 'usr_1', role: 'viewer' }],
  ])('not by %s', async (_, actor) => {
    const story = await begin();
    const { id } = await story.issue();
    const ctx = story.as(actor);
    const rejection = { code: 'FORBIDDEN' };
    const input = createApiKeySchema.parse({ name: 'Mine' });
    await expect(issueApiKey(ctx, input)).rejects.toMatchObject(rejection);
    await expect(updateApiKey(ctx, id, { name: 'Mine' })).rejects.toMatchObject(rejection);
    await expect(rotateApiKey(ctx, id, { overlapHours: 1 })).rejects.toMatchObject(rejection);
    await expect(revokeApiKey(ctx, id)).rejects.toMatchObject(rejection);
  });

  it('by an admin', async () => {
    const story = await begin();
    const { id } = await story.issue();
    await revokeApiKey(story.as({ kind: 'user', userId: 'usr_1', role: 'admin' }), id);
  });

  it('not by another organization', async () => {
    const [story, other] = [await begin(), await begin()];
    const { id } = await story.issue();
    const rejection = { code: 'NOT_FOUND' };
    expect((await listApiKeys(other.ctx)).map((key) => key.id)).not.toContain(id);
    await expect(getApiKey(other.ctx, id)).rejects.toMatchObject(rejection);
    await expect(updateApiKey(other.ctx, id, { name: 'Mine' })).rejects.toMatchObject(rejection);
    await expect(rotateApiKey(other.ctx, id, { overlapHours: 0 })).rejects.toMatchObject(rejection);
    await expect(revokeApiKey(other.ctx, id)).rejects.toMatchObject(rejection);
    expect(await getApiKey(story.ctx, id)).toMatchObject({ revokedAt: null, expiresAt: null });
  });
});

describe('readMe', () => {
  it('returns organization, key, limits and usage', async () => {
    const story = await begin({ plan: 'free' });
    const { id } = await story.issue({ scope: 'read' });
    expect(await readMe(story.as({ kind: 'key', keyId: id, scope: 'read' }))).toEqual({
      organization: { id: story.ctx.organizationId, name: 'Test', plan: 'free' },
      key: { id, name: 'CI', scope: 'read' },
      limits: {
        monitors: 50,
        statusPages: 3,
        webhooks: 3,
        emailRecipients: 3,
        members: 3,
        regions: ['us-east', 'eu-west'],
        ownRegions: 0,
        customDomain: false,
        branding: false,
        privatePages: false,
        requestsPerMinute: 120,
      },
      usage: { monitors: 0, statusPages: 0, webhooks: 0, emailRecipients: 0, members: 1, ownRegions: 0 },
    });
  });

  it('returns no key in the dashboard and null for unlimited', async () => {
    const story = await begin({ plan: 'enterprise' });
    const me = await readMe(story.as({ kind: 'user', userId: 'usr_1', role: 'viewer' }));
    expect(me).toMatchObject({ key: null, limits: { monitors: null, members: null } });
  });
});
