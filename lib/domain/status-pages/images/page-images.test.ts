import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { pngImage, writtenImage } from '@/lib/core/images/testing/samples';
import { createManualClock } from '@/lib/core/time/clock';
import { listAudit } from '@/lib/domain/audit/read-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { deleteStatusPage } from '@/lib/domain/status-pages/change-status-page';
import { readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import {
  addPage,
  changePage,
  newSlug,
  readPage,
  refusal,
  SETTINGS,
} from '@/lib/domain/status-pages/testing/pages';
import { upsertStatusPage } from '@/lib/domain/status-pages/upsert-status-page';
import { upsertBody } from '@/lib/schemas/bodies/upsert';
import type { ImagePlace } from '@/lib/schemas/status-pages/page-images';
import { createStatusPageSchema, updateStatusPageSchema } from '@/lib/schemas/status-pages/status-page';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { deletePageImage, setPageImage } from './change-image';
import { getPageImage } from './read-page-image';

const database = useSharedDatabase();
const clock = createManualClock(new Date('2026-03-10T12:00:00.000Z'));
const GREEN = pngImage({ width: 120, height: 40, color: [10, 120, 60] });
const RED = pngImage({ width: 60, height: 20, color: [200, 20, 20] });
const ICON = writtenImage('lossless');

let mine: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  const begin = () =>
    createTestOrganization(createTestServices({ db: database.db, clock }), { plan: 'enterprise' });
  [mine, other] = [await begin(), await begin()];
});

const upload = (
  slug: string,
  place: ImagePlace,
  bytes: Uint8Array<ArrayBuffer>,
  ctx: OrganizationContext = mine.ctx,
) => setPageImage(ctx, { slug, place }, bytes, SETTINGS);
const remove = (slug: string, place: ImagePlace) => deletePageImage(mine.ctx, { slug, place }, SETTINGS);
const nameOf = (url: string | null) => url?.split('/').at(-1) ?? '';

describe('an uploaded image', () => {
  it('is at a path of its page, which names its content, size and format, and replaces the URL', async () => {
    const { slug } = await addPage(mine.ctx, { logoUrl: 'https://acme.test/logo.svg', published: true });
    clock.advance(1000);
    const page = await upload(slug, 'logo', GREEN);
    expect(page.logoUrl).toMatch(new RegExp(`^/status/${slug}/images/[0-9a-f]{32}-120x40\\.png$`));
    expect(page).toMatchObject({ version: 2, updatedAt: clock.now().toISOString(), faviconUrl: null });
    expect(await readPage(mine.ctx, slug)).toEqual(page);
    expect(await readPublicPage(mine.ctx, slug)).toMatchObject({ logoUrl: page.logoUrl });
    const { bytes, mediaType } = await getPageImage(mine.ctx, slug, nameOf(page.logoUrl));
    expect([Buffer.from(bytes).equals(GREEN), mediaType]).toEqual([true, 'image/png']);
  });

  it('is one of each place; another one replaces it, and the same one again changes nothing', async () => {
    const { id, slug } = await addPage(mine.ctx);
    const first = await upload(slug, 'logo', GREEN);
    await upload(slug, 'darkLogo', RED);
    const all = await upload(slug, 'favicon', ICON);
    expect([nameOf(all.logoUrl), nameOf(all.darkLogoUrl), nameOf(all.faviconUrl)]).toEqual([
      nameOf(first.logoUrl),
      expect.stringMatching(/-60x20\.png$/),
      expect.stringMatching(/-3x2\.webp$/),
    ]);
    expect(await upload(slug, 'logo', GREEN)).toEqual(all);
    const replaced = await upload(slug, 'logo', RED);
    expect(replaced).toMatchObject({ logoUrl: all.darkLogoUrl, version: 5 });
    expect(await database.db.pageImage.count({ where: { pageId: id } })).toBe(3);
    expect(await refusal(getPageImage(mine.ctx, slug, nameOf(first.logoUrl)))).toEqual(['NOT_FOUND']);
  });

  it('stays when the page is sent back whole, also to another slug', async () => {
    const { slug } = await addPage(mine.ctx);
    await upload(slug, 'logo', GREEN);
    const page = await upload(slug, 'favicon', ICON);
    expect(await changePage(mine.ctx, slug, { ...page, name: 'Store' })).toMatchObject({
      logoUrl: page.logoUrl,
      faviconUrl: page.faviconUrl,
      version: 4,
    });
    const moved = newSlug();
    const { version: _, ...fields } = page;
    const after = await changePage(mine.ctx, slug, { ...fields, slug: moved });
    expect(after.logoUrl).toBe(`/status/${moved}/images/${nameOf(page.logoUrl)}`);
    const schemas = { creation: createStatusPageSchema, changes: updateStatusPageSchema };
    const body = upsertBody(schemas, { name: 'Acme', monitors: [], slug: moved, logoUrl: after.logoUrl });
    const upserted = await upsertStatusPage(mine.ctx, moved, body, SETTINGS);
    expect(upserted).toMatchObject({ isCreated: false, resource: { logoUrl: after.logoUrl } });
  });

  it.each(['https://acme.test/new.svg', null])('is deleted by another URL: %s', async (logoUrl) => {
    const { id, slug } = await addPage(mine.ctx);
    await upload(slug, 'darkLogo', GREEN);
    await upload(slug, 'logo', GREEN);
    const page = await changePage(mine.ctx, slug, { logoUrl, darkLogoUrl: null });
    expect(page).toMatchObject({ logoUrl, darkLogoUrl: null, version: 4 });
    expect(await database.db.pageImage.count({ where: { pageId: id } })).toBe(0);
    expect(await changePage(mine.ctx, slug, { name: 'Store' })).toMatchObject({ logoUrl });
  });

  it('is deleted by itself, which leaves the others and URLs, and once', async () => {
    const { slug } = await addPage(mine.ctx, { faviconUrl: 'https://acme.test/icon.svg' });
    await upload(slug, 'darkLogo', RED);
    await upload(slug, 'logo', GREEN);
    expect(await remove(slug, 'logo')).toMatchObject({
      logoUrl: null,
      darkLogoUrl: expect.stringContaining('/images/'),
      faviconUrl: 'https://acme.test/icon.svg',
      version: 4,
    });
    expect(await refusal(remove(slug, 'logo'))).toEqual(['NOT_FOUND']);
    expect(await refusal(remove(slug, 'favicon'))).toEqual(['NOT_FOUND']);
  });

  it('goes with its page', async () => {
    const { id, slug } = await addPage(mine.ctx);
    await upload(slug, 'logo', GREEN);
    await deleteStatusPage(mine.ctx, slug);
    expect(await database.db.pageImage.count({ where: { pageId: id } })).toBe(0);
  });

  it('is in the audit log as a change of its URL', async () => {
    const { slug } = await addPage(mine.ctx, { logoUrl: 'https://acme.test/logo.svg' });
    const page = await upload(slug, 'logo', GREEN);
    const [entry] = (await listAudit(mine.ctx, { limit: 1 })).items;
    expect(entry).toMatchObject({ action: 'status-page.update', subject: { id: page.id } });
    expect(JSON.stringify(entry)).toContain('https://acme.test/logo.svg');
    expect(JSON.stringify(entry)).toContain(page.logoUrl);
  });
});

describe('what is refused', () => {
  it('is another path than the one that the field has', async () => {
    const one = await addPage(mine.ctx);
    const two = await addPage(mine.ctx);
    const { logoUrl } = await upload(one.slug, 'logo', GREEN);
    await upload(two.slug, 'logo', RED);
    for (const field of ['logoUrl', 'darkLogoUrl', 'faviconUrl']) {
      expect(await refusal(changePage(mine.ctx, two.slug, { [field]: logoUrl }))).toEqual([
        'VALIDATION_ERROR',
        `${field} invalid`,
      ]);
      expect(await refusal(addPage(mine.ctx, { [field]: logoUrl }))).toEqual([
        'VALIDATION_ERROR',
        `${field} invalid`,
      ]);
    }
    for (const path of [`/status/${two.slug}/images/x.png`, '/logo.png', `//evil.test${logoUrl}`]) {
      expect(await refusal(changePage(mine.ctx, two.slug, { logoUrl: path }))).toEqual([
        'VALIDATION_ERROR',
        expect.stringMatching(/^logoUrl /),
      ]);
    }
  });

  it('is what is not such an image, before anything is read or written', async () => {
    const page = await addPage(mine.ctx);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    await expect(upload(page.slug, 'logo', svg)).rejects.toThrow(
      'The file is an SVG, which can only be shown by its URL: enter that, or upload a PNG of it.',
    );
    expect(await refusal(upload(page.slug, 'logo', svg))).toEqual(['UNSUPPORTED_MEDIA_TYPE']);
    expect(await refusal(upload(page.slug, 'logo', randomBytes(300_000)))).toEqual(['VALIDATION_ERROR']);
    expect(await refusal(upload(page.slug, 'logo', GREEN.subarray(0, 60)))).toEqual(['VALIDATION_ERROR']);
    expect(await readPage(mine.ctx, page.slug)).toEqual(page);
  });

  it('is the page of another organization, and a viewer', async () => {
    const { slug } = await addPage(mine.ctx);
    const { logoUrl } = await upload(slug, 'logo', GREEN);
    expect(await refusal(upload(slug, 'logo', RED, other.ctx))).toEqual(['NOT_FOUND']);
    expect(await refusal(getPageImage(other.ctx, slug, nameOf(logoUrl)))).toEqual(['NOT_FOUND']);
    const viewer = { ...mine.ctx, actor: { kind: 'user', userId: 'usr_1', role: 'viewer' } } as const;
    expect(await refusal(upload(slug, 'logo', Buffer.from('no image'), viewer))).toEqual(['FORBIDDEN']);
  });
});
