import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { MAX_ENDED, MAX_TOKENS } from '@/lib/domain/tokens/token-quota';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import {
  createPageToken,
  isPageToken,
  listPageTokens,
  revokePageToken,
  rotatePageToken,
} from './page-tokens';

const START = new Date('2026-03-01T12:00:00.000Z');
const HOUR = 3_600_000;
const database = useSharedDatabase();

async function begin() {
  const clock = createManualClock(START);
  const services = createTestServices({ db: database.db, clock });
  const { ctx } = await createTestOrganization(services);
  const { id, slug } = await addPage(ctx, { published: true });
  return {
    clock,
    services,
    ctx,
    slug,
    issue: (name = 'Feeds') => createPageToken(ctx, slug, { name }),
    opens: (token: string, pageId = id) => isPageToken(services, pageId, token),
  };
}

describe('a token of a page', () => {
  it('is returned when it is created and never again, and opens this page', async () => {
    const { ctx, slug, issue, opens } = await begin();
    const { token, ...listed } = await issue();
    expect(listed).toEqual({
      id: expect.stringMatching(/^pgt_/),
      name: 'Feeds',
      hint: token.slice(0, listed.hint.length),
      createdAt: START.toISOString(),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(await opens(token)).toBe(true);
    const other = await addPage(ctx);
    expect(await opens(token, other.id)).toBe(false);
    const tokens = await listPageTokens(ctx, slug);
    expect(tokens).toEqual([{ ...listed, lastUsedAt: START.toISOString() }]);
    expect(JSON.stringify(tokens)).not.toContain(token);
  });

  it('is revoked at once and stays listed', async () => {
    const { ctx, slug, issue, opens } = await begin();
    const { id: tokenId, token } = await issue();
    await revokePageToken(ctx, { slug, tokenId });
    await revokePageToken(ctx, { slug, tokenId });
    expect(await opens(token)).toBe(false);
    expect(await listPageTokens(ctx, slug)).toMatchObject([{ revokedAt: START.toISOString() }]);
  });

  it('is replaced by one of the same name, while the old one works for the overlap', async () => {
    const { ctx, clock, slug, issue, opens } = await begin();
    const old = await issue();
    const next = await rotatePageToken(ctx, { slug, tokenId: old.id }, { overlapHours: 24 });
    expect(next).toMatchObject({ name: 'Feeds', expiresAt: null });
    clock.advance(24 * HOUR - 1);
    expect([await opens(old.token), await opens(next.token)]).toEqual([true, true]);
    clock.advance(1);
    expect([await opens(old.token), await opens(next.token)]).toEqual([false, true]);
    const again = rotatePageToken(ctx, { slug, tokenId: old.id }, { overlapHours: 1 });
    await expect(again).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('leaves entries in the audit log, without the token', async () => {
    const { ctx, slug, issue } = await begin();
    const { id: tokenId, token } = await issue();
    await revokePageToken(ctx, { slug, tokenId });
    const entries = await ctx.db.auditEntry.findMany({
      where: { subjectId: tokenId },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action }) => action)).toEqual(['page-token.create', 'page-token.revoke']);
    expect(JSON.stringify(entries.map(({ after }) => after))).not.toContain(token);
  });
});

describe('the tokens of a page', () => {
  it('are at most 20 that are valid, and are listed with the last 20 that ended', async () => {
    const { ctx, slug, issue } = await begin();
    for (let each = 0; each < MAX_ENDED + 5; each++) {
      await revokePageToken(ctx, { slug, tokenId: (await issue(`Old ${each}`)).id });
    }
    for (let each = 0; each < MAX_TOKENS; each++) await issue();
    await expect(issue()).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('at most 20 tokens'),
    });
    const names = (await listPageTokens(ctx, slug)).map(({ name }) => name);
    expect(names).toHaveLength(MAX_TOKENS + MAX_ENDED);
    expect(names).not.toContain('Old 0');
  });

  it('of another organization do not exist', async () => {
    const [story, other] = [await begin(), await begin()];
    const { id: tokenId, token } = await story.issue();
    const missing = { code: 'NOT_FOUND' };
    for (const slug of [story.slug, other.slug]) {
      await expect(revokePageToken(other.ctx, { slug, tokenId })).rejects.toMatchObject(missing);
    }
    await expect(listPageTokens(other.ctx, story.slug)).rejects.toMatchObject(missing);
    expect(await story.opens(token)).toBe(true);
  });
});
