import type { ReactNode } from 'react';
import { DocsShell, referenceContents } from '@/components/docs/docs-shell';
import { isSignedIn } from '../is-signed-in';
import { loadReference } from '../load-reference';

export const dynamic = 'force-dynamic';

/** The public API reference: guides, and a page per topic of the OpenAPI document. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const { serviceName, guides, reference } = await loadReference();
  return (
    <DocsShell
      serviceName={serviceName}
      isSignedIn={await isSignedIn()}
      current="/docs"
      contents={referenceContents(guides, reference)}
    >
      {children}
    </DocsShell>
  );
}
