import { readBaseUrl } from '@/app/base-url';
import type { PageProps } from '@/app/page-props';
import { PageEditor } from '@/components/page-editor/page-editor';
import { PageReader } from '@/components/page-editor/page-reader';
import { valuesOf } from '@/components/page-editor/page-values';
import { listTimeZones } from '@/lib/core/time/list-time-zones';
import { permits } from '@/lib/domain/context/permissions';
import { listMonitorReadiness } from '@/lib/domain/monitors/lists/list-monitors';
import { PLANS } from '@/lib/plans/catalogue';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { updatePageAction } from '../actions';
import { canSubscribe } from '../can-subscribe';
import { loadPage } from '../load-page';

export { generateMetadata } from '../load-page';

export default async function StatusPageEditorPage({ params }: PageProps<'slug'>) {
  const { ctx, found: page } = await loadPage((await params).slug);
  const monitors = await listMonitorReadiness(ctx);
  const values = valuesOf(page);
  if (!permits(ctx, 'status-page.update')) return <PageReader values={values} monitors={monitors} />;
  return (
    <PageEditor
      // Reset the form when the page changes.
      key={page.id}
      save={updatePageAction.bind(null, page.slug)}
      monitors={monitors}
      baseUrl={await readBaseUrl()}
      timeZones={listTimeZones(page.timeZone ?? undefined)}
      hasBranding={PLANS[(await requireSession()).plan].branding}
      page={values}
      visibility={page.visibility}
      domain={page.customDomainStatus.status}
      canSubscribe={canSubscribe(ctx, page)}
    />
  );
}
