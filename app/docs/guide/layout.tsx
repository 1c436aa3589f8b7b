import type { ReactNode } from 'react';
import { DocsShell } from '@/components/docs/docs-shell';
import { getEnvironment } from '@/lib/env';
import { isSignedIn } from '../is-signed-in';
import { readGuidePages } from './read-pages';

export const dynamic = 'force-dynamic';

/** The guide for people: the documents of the repository, for the version that runs. */
export default async function GuideLayout({ children }: { children: ReactNode }) {
  const pages = await readGuidePages();
  return (
    <DocsShell
      serviceName={getEnvironment().SERVICE_NAME}
      isSignedIn={await isSignedIn()}
      current="/docs/guide"
      contents={pages.map(({ title, href, sections }) => ({
        title,
        href,
        links: sections.flatMap(({ id, title: name }) => (id === '' ? [] : { href: `${href}#${id}`, name })),
      }))}
    >
      {children}
    </DocsShell>
  );
}
