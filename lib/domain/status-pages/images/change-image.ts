import { createHash } from 'node:crypto';
import { DomainError, notFound } from '@/lib/core/errors';
import { readImage } from '@/lib/core/images/read-image';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import {
  type AppAddress,
  auditedFields,
  auditSubject,
  type PageRow,
  readPageRow,
  serializeStatusPage,
} from '@/lib/domain/status-pages/page-row';
import { findOwnPage, ownPage } from '@/lib/domain/status-pages/read-status-pages';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import { IMAGE_FIELDS, type ImagePlace, nameImage } from '@/lib/schemas/status-pages/page-images';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';
import { storedUrls } from './image-urls';

/** The image of a place of a page, which is named by its slug or ID. */
type Named = { slug: string; place: ImagePlace };

/** An image that was checked, and its name. */
export type CheckedImage = { bytes: Uint8Array<ArrayBuffer>; name: string };

/** Checks an image by its bytes. Throws UNSUPPORTED_MEDIA_TYPE for another format, and VALIDATION_ERROR with what to do. */
export function checkImage(bytes: Uint8Array<ArrayBuffer>): CheckedImage {
  const read = readImage(bytes);
  if ('problem' in read) {
    const code = read.isOther ? 'UNSUPPORTED_MEDIA_TYPE' : 'VALIDATION_ERROR';
    throw new DomainError(code, `The file ${read.problem}.`);
  }
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return { bytes, name: nameImage(hash, read) };
}

/**
 * Uploads an image, which replaces what the page had there. The same image again changes nothing. Throws FORBIDDEN, NOT_FOUND, and what
 * `checkImage` throws.
 */
export async function setPageImage(
  ctx: OrganizationContext,
  named: Named,
  bytes: Uint8Array<ArrayBuffer>,
  address: AppAddress,
): Promise<StatusPage> {
  requirePermission(ctx, 'status-page.update');
  const image = checkImage(bytes);
  return changeImage(ctx, named, address, async (tx, { id: pageId, images }) => {
    const { place } = named;
    const { name } = image;
    if (images[place] === name) return false;
    await tx.pageImage.upsert({
      where: { pageId_place: { pageId, place } },
      create: { pageId, place, ...image },
      update: image,
    });
    return true;
  });
}

/** Deletes an uploaded image; a URL stays. Throws FORBIDDEN, and NOT_FOUND without an image. */
export async function deletePageImage(
  ctx: OrganizationContext,
  named: Named,
  address: AppAddress,
): Promise<StatusPage> {
  requirePermission(ctx, 'status-page.update');
  return changeImage(ctx, named, address, async (tx, { id: pageId }) => {
    const { count } = await tx.pageImage.deleteMany({ where: { pageId, place: named.place } });
    if (count === 0) throw notFound('Uploaded image');
    return true;
  });
}

/** `write` returns whether it has changed anything. */
function changeImage(
  ctx: OrganizationContext,
  { slug, place }: Named,
  address: AppAddress,
  write: (tx: Transaction, before: PageRow) => Promise<boolean>,
): Promise<StatusPage> {
  const { organizationId } = ctx;
  return ctx.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM status_page WHERE ${ownPage(organizationId, slug)} FOR UPDATE`;
    const before = await findOwnPage({ db: tx, organizationId }, slug);
    requireExpectedVersion(ctx, before);
    if (!(await write(tx, before))) return serializeStatusPage(before, address);
    const { id } = before;
    const { logoUrl, ...brand } = { ...storedUrls(before), [IMAGE_FIELDS[place]]: null };
    await tx.statusPage.update({
      where: { id },
      data: {
        logoUrl,
        brand: { ...before.brand, ...brand },
        version: { increment: 1 },
        updatedAt: ctx.clock.now(),
      },
    });
    const row = await readPageRow(tx, Prisma.sql`id = ${id}`);
    await recordAudit(tx, ctx, {
      action: 'status-page.update',
      subject: auditSubject(row),
      before: auditedFields(before),
      after: auditedFields(row),
    });
    await notePagesChanged(tx, { pageIds: [id] });
    return serializeStatusPage(row, address);
  });
}
