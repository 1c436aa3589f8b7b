import type { Metadata } from 'next';
import { MonitorImport } from '@/components/monitors/import/monitor-import';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { requireSession } from '@/lib/web/http/dashboard-session';

export const metadata: Metadata = { title: 'Import monitors' };

export default async function ImportPage() {
  const { ctx } = await requireSession();
  return (
    <FormPage
      back={{ href: '/monitors', label: 'Monitors' }}
      title="Import monitors"
      isWide
      mayWrite={permits(ctx, 'monitor.create')}
    >
      <MonitorImport />
    </FormPage>
  );
}
