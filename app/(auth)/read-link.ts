import 'server-only';
import type { PageProps } from '@/app/page-props';
import { DomainError } from '@/lib/core/errors';

/** The token in the URL of a page. */
export async function readTokenParam({ searchParams }: PageProps): Promise<string> {
  const { token } = await searchParams;
  return typeof token === 'string' ? token : '';
}

/** What a link leads to, or why it is not valid. */
export async function readLink<T>(
  reading: Promise<T>,
): Promise<{ found: T; reason: null } | { found: null; reason: string }> {
  try {
    return { found: await reading, reason: null };
  } catch (error) {
    if (error instanceof DomainError) return { found: null, reason: error.message };
    throw error;
  }
}
