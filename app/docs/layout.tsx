import type { ReactNode } from 'react';
import { DocsShell } from '@/components/docs/docs-shell';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { loadReference } from './load-reference';

export const dynamic = 'force-dynamic';

/** The public API reference: guides, and a page per topic of the OpenAPI document. */
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

/** Affects only a link, so the reference also works during a database outage. */
async function isSignedIn(): Promise<boolean> {
  try {
    return (await findVisitorSession()) !== null;
  } catch {
    return false;
  }
}
