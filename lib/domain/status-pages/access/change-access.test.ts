import { describe, expect, it } from 'vitest';
import { createStatusPage, updateStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { findPublishedPage } from '@/lib/domain/status-pages/public/read-public-page';
import {
  addPage,
  changePage,
  newSlug,
  readPage,
  refusal,
  SETTINGS,
} from '@/lib/domain/status-pages/testing/pages';
import { createStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { isPagePassword } from './check-access';

const database = useSharedDatabase();
const PASSWORD = 'correct horse';
const secret = { visibility: 'password', password: PASSWORD };

async function begin(options: Parameters<typeof createTestOrganization>[1] = {}) {
  const { ctx } = await createTestOrganization(createTestServices({ db: database.db }), options);
  return ctx;
}

const readVersion = async (id: string) =>
  (await database.db.statusPage.findUniqueOrThrow({ where: { id } })).accessVersion;

describe('the visibility of a page', () => {
  it('is public by default, and the readers of public pages find no other', async () => {
    const ctx = await begin();
    const page = await addPage(ctx, { published: true });
    expect(page).toMatchObject({
      visibility: 'public',
      hasPassword: false,
      allowedCidrs: [],
    });
    expect(await findPublishedPage(ctx.db, page.slug)).toMatchObject({ id: page.id });
    await changePage(ctx, page.slug, { visibility: 'members' });
    await expect(findPublishedPage(ctx.db, page.slug)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    [{ visibility: 'password' }, 'password invalid'],
    [{ visibility: 'ip' }, 'allowedCidrs invalid'],
    [{ visibility: 'ip', allowedCidrs: ['10.1'] }, 'allowedCidrs.0 invalid'],
    [{ visibility: 'friends' }, 'visibility invalid_value'],
    [{ visibility: 'password', password: 'short' }, 'password too_small'],
    [{ visibility: 'password', password: '[hidden]' }, 'password invalid'],
  ])('needs what it requires: %j', async (fields, problem) => {
    const ctx = await begin();
    expect(await refusal(addPage(ctx, fields))).toEqual(['VALIDATION_ERROR', problem]);
  });

  it('cannot be by address where addresses of visitors are not known', async () => {
    const ctx = await begin();
    const unknown = { ...SETTINGS, knowsAddresses: false };
    const input = {
      name: 'Acme',
      slug: newSlug(),
      monitors: [],
      visibility: 'ip',
      allowedCidrs: ['10.0.0.0/8'],
    };
    const refused = ['VALIDATION_ERROR', 'visibility invalid'];
    const body = createStatusPageSchema.parse(input);
    expect(await refusal(createStatusPage(ctx, body, unknown))).toEqual(refused);
    const { slug } = await createStatusPage(ctx, body, SETTINGS);
    // Other changes of such a page are still possible.
    await updateStatusPage(ctx, slug, { name: 'Other' }, unknown);
  });
});

describe('the password of a page', () => {
  it('is stored as a hash, never returned, and hidden in the audit log', async () => {
    const ctx = await begin();
    const page = await addPage(ctx, secret);
    expect(JSON.stringify([page, await readPage(ctx, page.slug)])).not.toContain(PASSWORD);
    expect(await isPagePassword(ctx, page, PASSWORD)).toBe(true);
    expect(await isPagePassword(ctx, page, 'wrong horse')).toBe(false);
    await changePage(ctx, page.slug, { password: 'another horse' });
    expect(await isPagePassword(ctx, page, PASSWORD)).toBe(false);
    const entries = await ctx.db.auditEntry.findMany({
      where: { subjectId: page.id },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ after }) => after)).toMatchObject([
      { password: '(hidden)', visibility: 'password' },
      { password: '(hidden)' },
    ]);
    const fields = entries.map(({ before, after }) => [before, after]);
    expect(JSON.stringify(fields)).not.toMatch(/horse|argon2/);
  });

  it('stays when the page is sent back as it was returned, and cannot be removed while it is required', async () => {
    const ctx = await begin();
    const page = await addPage(ctx, secret);
    const version = await readVersion(page.id);
    await changePage(ctx, page.slug, { ...(await readPage(ctx, page.slug)), name: 'Other' });
    await changePage(ctx, page.slug, { password: '[hidden]' });
    expect(await isPagePassword(ctx, page, PASSWORD)).toBe(true);
    expect(await readVersion(page.id)).toBe(version);
    expect(await refusal(changePage(ctx, page.slug, { password: null }))).toEqual([
      'VALIDATION_ERROR',
      'password invalid',
    ]);
    await changePage(ctx, page.slug, { visibility: 'public', password: null });
    expect(await readPage(ctx, page.slug)).toMatchObject({ hasPassword: false });
  });

  it.each([
    [{ password: 'another horse' }, 1],
    [{ visibility: 'members' }, 1],
    [{ allowedCidrs: ['10.0.0.0/8'] }, 1],
    [{ visibility: 'password' }, 0],
    [{ name: 'Other' }, 0],
  ])('the change %j ends the passes of a page: %i', async (changes, ended) => {
    const ctx = await begin();
    const page = await addPage(ctx, secret);
    const version = await readVersion(page.id);
    await changePage(ctx, page.slug, changes);
    expect((await readVersion(page.id)) - version).toBe(ended);
  });
});
