import type { Metadata } from 'next';
import { readBaseUrl } from '@/app/base-url';
import { MonitorForm } from '@/components/monitors/form/monitor-form';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../../act';
import { updateMonitorAction } from '../../actions';
import { monitorValues } from '../../form-values';
import { readChoices } from '../../read-choices';

export const metadata: Metadata = { title: 'Edit monitor' };

type Props = { params: Promise<{ id: string }> };

export default async function EditMonitorPage({ params }: Props) {
  const { ctx } = await requireSession();
  const monitor = await orNotFound(getMonitor(ctx, (await params).id));
  const { id, name } = monitor;
  const mayChange = permits(ctx, 'monitor.update');
  const initial = monitorValues(monitor);
  return (
    <FormPage back={{ href: `/monitors/${id}`, label: name }} title="Edit monitor" mayWrite={mayChange}>
      <MonitorForm
        save={updateMonitorAction.bind(null, id)}
        initial={initial}
        known={initial}
        choices={(await readChoices(ctx)).choices}
        id={id}
        source={id}
        baseUrl={await readBaseUrl()}
      />
    </FormPage>
  );
}
