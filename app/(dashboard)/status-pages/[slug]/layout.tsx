import { ExternalLink } from 'lucide-react';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { readBaseUrl } from '@/app/base-url';
import { PublishedBadge } from '@/components/page-editor/badges';
import { DeletePage } from '@/components/page-editor/delete-page';
import { PageTabs } from '@/components/page-editor/page-tabs';
import { publicUrlOf } from '@/components/page-editor/page-values';
import { BackLink } from '@/components/shell/back-link';
import { buttonLook } from '@/components/ui/button';
import { permits } from '@/lib/domain/context/permissions';
import { deletePageAction } from './actions';
import { loadPage } from './load-page';

type Props = { params: Promise<{ slug: string }>; children: ReactNode };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { page } = await loadPage((await params).slug);
  return { title: page.name };
}

/** The header above all tabs of a page: its name, whether it is published, and a link to it. */
export default async function StatusPageLayout({ params, children }: Props) {
  const { ctx, page } = await loadPage((await params).slug);
  const { name, slug, published } = page;
  const address = publicUrlOf(page, await readBaseUrl());
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <BackLink href="/status-pages" label="Status pages" />
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="flex min-w-0 flex-col gap-1">
            <h1 className="text-lg font-semibold wrap-anywhere">{name}</h1>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <PublishedBadge isPublished={published} />
              <span className="font-mono text-xs break-all text-muted">{address}</span>
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            {published ? (
              <a href={address} target="_blank" rel="noopener" className={buttonLook()}>
                <ExternalLink aria-hidden="true" />
                Open page
              </a>
            ) : null}
            {permits(ctx, 'status-page.delete') ? (
              <DeletePage name={name} slug={slug} remove={deletePageAction.bind(null, slug)} />
            ) : null}
          </div>
        </div>
      </div>
      <PageTabs slug={slug} />
      {children}
    </div>
  );
}
