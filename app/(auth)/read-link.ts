import 'server-only';
import { DomainError } from '@/lib/core/errors';

type Props = { searchParams: Promise<{ token?: string | string[] }> };

/** The token in the URL of a page. */
export async function readTokenParam({ searchParams }: Props): Promise<string> {
  const { token } = await searchParams;
  return typeof token === 'string' ? token : '';
}

/** The address that a link belongs to, or why the link is not valid. */
export async function readLink(
  reading: Promise<{ email: string }>,
): Promise<{ email: string; reason: null } | { email: null; reason: string }> {
  try {
    return { ...(await reading), reason: null };
  } catch (error) {
    if (error instanceof DomainError) return { email: null, reason: error.message };
    throw error;
  }
}
