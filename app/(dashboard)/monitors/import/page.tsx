import type { Metadata } from 'next';
import { MonitorImport } from '@/components/monitors/import/monitor-import';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { listRefs } from '@/lib/domain/monitors/lists/list-monitors';
import { requireSession } from '@/lib/web/http/dashboard-session';

export const metadata: Metadata = { title: 'Import monitors' };

export default async function ImportPage() {
  const { ctx } = await requireSession();
  const refs = [...(await listRefs(ctx)).keys()];
  return (
    <FormPage
      back={{ href: '/monitors', label: 'Monitors' }}
      title="Import monitors"
      isWide
      mayWrite={permits(ctx, 'monitor.create')}
    >
      <MonitorImport refs={refs} />
    </FormPage>
  );
}
