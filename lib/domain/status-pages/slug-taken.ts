import { DomainError } from '@/lib/core/errors';
import { Prisma } from '@/lib/platform/db/generated/client';

/**
 * Awaits what writes a page. Two pages cannot have one slug, whatever runs beside: the index decides, and the loser gets
 * SLUG_TAKEN. The only other unique key of a page, its verified domain, is dealt with where it is written (settle-domain.ts).
 */
export async function refuseTakenSlug<T>(written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') throw error;
    throw new DomainError('SLUG_TAKEN', 'This slug is in use.', [
      { path: 'slug', code: 'slug_taken', message: 'is the slug of another status page' },
    ]);
  }
}
