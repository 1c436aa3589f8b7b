import { notFound } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { SubscriberImportForm } from '@/components/page-editor/subscribers/subscriber-import';
import { permits } from '@/lib/domain/context/permissions';
import { importSubscribersAction } from '../../actions';
import { loadPage } from '../../load-page';

export { generateMetadata } from '../../load-page';

export default async function ImportSubscribersPage({ params }: PageProps<'slug'>) {
  const { ctx, found: page } = await loadPage((await params).slug);
  if (!permits(ctx, 'subscriber.import')) notFound();
  const listHref = `/status-pages/${page.slug}/subscribers`;
  return (
    <SubscriberImportForm
      listHref={listHref}
      mail={{ isOn: ctx.mail.isOn, maySetUp: permits(ctx, 'mail-server.change') }}
      mayDeclare={permits(ctx, 'subscriber.declare-confirmed')}
      run={importSubscribersAction.bind(null, page.slug)}
    />
  );
}
