import type { Metadata } from 'next';
import { readBaseUrl } from '@/app/base-url';
import type { PageProps } from '@/app/page-props';
import { MonitorForm } from '@/components/monitors/form/monitor-form';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { NobodyNote } from '../../../notifications/nobody-note';
import { updateMonitorAction } from '../../actions';
import { monitorValues } from '../../form-values';
import { readChoices } from '../../read-choices';
import { loadMonitor } from '../page-data';

export const metadata: Metadata = { title: 'Edit monitor' };

export default async function EditMonitorPage({ params }: PageProps<'id'>) {
  const { ctx, found: monitor } = await loadMonitor((await params).id);
  const { id, name } = monitor;
  const mayChange = permits(ctx, 'monitor.update');
  const initial = monitorValues(monitor);
  return (
    <FormPage back={{ href: `/monitors/${id}`, label: name }} title="Edit monitor" mayWrite={mayChange}>
      <MonitorForm
        save={updateMonitorAction.bind(null, id)}
        initial={initial}
        known={initial}
        choices={(await readChoices(ctx, id)).choices}
        id={id}
        source={id}
        baseUrl={await readBaseUrl()}
        alertNote={<NobodyNote ctx={ctx} />}
      />
    </FormPage>
  );
}
