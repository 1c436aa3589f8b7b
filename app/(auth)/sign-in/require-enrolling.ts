import 'server-only';
import { redirect } from 'next/navigation';
import { findEnrolling } from '@/lib/web/http/sign-in/visitor-sign-in';

/**
 * Who sets up a second factor on the page at `path`; null if nobody does. A person who has one already is asked for it first, and then
 * returns.
 */
export async function requireEnrolling(path: string) {
  const person = await findEnrolling();
  if (!person?.isFactorStale) return person;
  const page = person.isSignedIn ? '/sign-in/confirm' : '/sign-in/second-factor';
  redirect(`${page}?${new URLSearchParams({ callbackUrl: path })}`);
}
