import type { ReactNode } from 'react';
import { DocsShell } from '@/components/docs/docs-shell';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { loadReference } from './load-reference';

export const dynamic = 'force-dynamic';

/** The API reference, for everybody: guides, and a page per topic of the OpenAPI document. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const { serviceName, guides, reference } = await loadReference();
  return (
    <DocsShell
      serviceName={serviceName}
      isSignedIn={await isSignedIn()}
      guides={guides}
      reference={reference}
    >
      {children}
    </DocsShell>
  );
}

/** Only which link to show depends on it: the reference also works while the database is unavailable. */
async function isSignedIn(): Promise<boolean> {
  try {
    return (await findVisitorSession()) !== null;
  } catch {
    return false;
  }
}
