import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { readBaseUrl } from '@/app/base-url';
import { PublishedBadge } from '@/components/page-editor/badges';
import { DeletePage } from '@/components/page-editor/delete-page';
import { publicUrlOf } from '@/components/page-editor/page-values';
import { PageHeading } from '@/components/shell/page-heading';
import { buttonLook } from '@/components/ui/button';
import { Tabs } from '@/components/ui/navigation/tabs';
import { permits } from '@/lib/domain/context/permissions';
import { deletePageAction } from './actions';
import { loadPage } from './load-page';

type Props = { params: Promise<{ slug: string }>; children: ReactNode };

/** The header above all tabs of a page: its name, whether it is published, and a link to it. */
export default async function StatusPageLayout({ params, children }: Props) {
  const { ctx, found: page } = await loadPage((await params).slug);
  const { name, slug, published } = page;
  const path = `/status-pages/${slug}`;
  const address = publicUrlOf(page, await readBaseUrl());
  return (
    <div className="flex flex-col gap-5">
      <PageHeading
        back={{ href: '/status-pages', label: 'Status pages' }}
        title={name}
        subtitle={address}
        actions={
          <div className="flex flex-wrap gap-2">
            {published ? (
              <a href={address} target="_blank" rel="noopener" className={buttonLook()}>
                <ExternalLink />
                Open page
              </a>
            ) : null}
            {permits(ctx, 'status-page.delete') ? (
              <DeletePage name={name} slug={slug} remove={deletePageAction.bind(null, slug)} />
            ) : null}
          </div>
        }
      >
        <PublishedBadge isPublished={published} />
      </PageHeading>
      <Tabs
        label="Status page"
        tabs={[
          { href: path, label: 'Page' },
          { href: `${path}/access`, label: 'Access' },
          { href: `${path}/domain`, label: 'Domain' },
          { href: `${path}/share`, label: 'Share' },
          ...(permits(ctx, 'subscriber.read') ? [{ href: `${path}/subscribers`, label: 'Subscribers' }] : []),
        ]}
      />
      {children}
    </div>
  );
}
