import { findVisitorSession } from '@/lib/web/http/dashboard-session';

/** Affects only a link, so the reference also works during a database outage. */
export async function isSignedIn(): Promise<boolean> {
  try {
    return (await findVisitorSession()) !== null;
  } catch {
    return false;
  }
}
