import type { Metadata } from 'next';
import { readBaseUrl } from '@/app/base-url';
import { PageEditor } from '@/components/page-editor/page-editor';
import { FormPage } from '@/components/shell/page-heading';
import { listTimeZones } from '@/lib/core/time/list-time-zones';
import { permits } from '@/lib/domain/context/permissions';
import { listMonitorReadiness } from '@/lib/domain/monitors/lists/list-monitors';
import { PLANS } from '@/lib/plans/catalogue';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { canSubscribe } from '../[slug]/can-subscribe';
import { createPageAction } from '../actions';

export const metadata: Metadata = { title: 'New status page' };

export default async function NewStatusPagePage() {
  const { ctx, plan } = await requireSession();
  const mayCreate = permits(ctx, 'status-page.create');
  return (
    <FormPage
      back={{ href: '/status-pages', label: 'Status pages' }}
      title="New status page"
      isWide
      mayWrite={mayCreate}
    >
      <PageEditor
        save={createPageAction}
        monitors={await listMonitorReadiness(ctx)}
        baseUrl={await readBaseUrl()}
        timeZones={listTimeZones()}
        hasBranding={PLANS[plan].branding}
        page={null}
        domain={null}
        canSubscribe={canSubscribe(ctx, { customDomainVerified: false })}
      />
    </FormPage>
  );
}
