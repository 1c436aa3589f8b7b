import { Download, Upload } from 'lucide-react';
import { notFound } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { EmailOffNote } from '@/components/mail-server/email-off-note';
import { SubscriberFilter } from '@/components/page-editor/subscribers/subscriber-filter';
import { SubscriberList } from '@/components/page-editor/subscribers/subscriber-list';
import { Banner } from '@/components/ui/banner';
import { buttonLook } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { hrefWith } from '@/components/ui/navigation/href-with';
import { Pagination } from '@/components/ui/navigation/pagination';
import { permits } from '@/lib/domain/context/permissions';
import { listSubscribers } from '@/lib/domain/subscribers/read-subscribers';
import { getEnvironment } from '@/lib/env';
import { type Cursor, formatCursor } from '@/lib/schemas/cursor';
import { subscriberListSchema } from '@/lib/schemas/status-pages/subscriber';
import { removeSubscriberAction } from '../actions';
import { loadPage } from '../load-page';

export { generateMetadata } from '../load-page';

const PAGE = 50;

export default async function SubscribersPage({ params, searchParams }: PageProps<'slug'>) {
  const { ctx, found: page } = await loadPage((await params).slug);
  if (!permits(ctx, 'subscriber.read')) notFound();
  const { slug } = page;
  const { status, after } = subscriberListSchema.parse(await searchParams);
  const query = { limit: PAGE, status, cursor: after ?? undefined };
  const { items, next, total } = await listSubscribers(ctx, slug, query);
  const path = `/status-pages/${slug}/subscribers`;
  const at = (cursor: Cursor | null) => hrefWith(path, { status, after: cursor && formatCursor(cursor) });
  const hasAddress = page.customDomainVerified || getEnvironment().APP_URL !== undefined;
  const isOn = ctx.mail.isOn && hasAddress;
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      {isOn ? null : (
        <Banner tone="note">
          Visitors can’t subscribe yet.{' '}
          {ctx.mail.isOn ? (
            'The public URL is not configured. Ask your operator to set APP_URL.'
          ) : (
            <EmailOffNote maySetUp={permits(ctx, 'mail-server.change')} />
          )}
        </Banner>
      )}
      <SubscriberFilter path={path} status={status} total={total}>
        {isOn && permits(ctx, 'subscriber.import') ? (
          <ButtonLink href={`${path}/import`} icon={<Upload />}>
            Import
          </ButtonLink>
        ) : null}
        {total > 0 ? (
          <a href={hrefWith(`${path}/export`, { status })} download className={buttonLook()}>
            <Download />
            Download CSV
          </a>
        ) : null}
      </SubscriberFilter>
      <SubscriberList
        // Reset removed rows when the list changes.
        key={`${status} ${after?.at.getTime()} ${after?.tie}`}
        subscribers={items}
        now={ctx.clock.now().toISOString()}
        isFiltered={status !== undefined}
        remove={permits(ctx, 'subscriber.remove') ? removeSubscriberAction.bind(null, slug) : undefined}
      />
      <Pagination first={after && at(null)} next={next && at(next)} />
    </div>
  );
}
