import type { Metadata } from 'next';
import { readBaseUrl } from '@/app/base-url';
import { MonitorForm } from '@/components/monitors/form/monitor-form';
import { BackLink } from '@/components/shell/back-link';
import { ReadOnlyNote } from '@/components/shell/read-only-note';
import { permits } from '@/lib/domain/context/permissions';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../../act';
import { monitorValues } from '../../form-values';
import { readChoices } from '../../read-choices';
import { updateMonitorAction } from './actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Edit monitor' };

type Props = { params: Promise<{ id: string }> };

export default async function EditMonitorPage({ params }: Props) {
  const { ctx } = await requireSession();
  const monitor = await orNotFound(getMonitor(ctx, (await params).id));
  const { id, name } = monitor;
  const mayChange = permits(ctx, 'monitor.update');
  const initial = monitorValues(monitor);
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-5">
      <div className="flex flex-col gap-2">
        <BackLink href={`/monitors/${id}`} label={name} />
        <h1 className="text-lg font-semibold">Edit monitor</h1>
      </div>
      {mayChange ? (
        <MonitorForm
          save={updateMonitorAction.bind(null, id)}
          initial={initial}
          known={initial}
          choices={(await readChoices(ctx)).choices}
          id={id}
          source={id}
          baseUrl={await readBaseUrl()}
        />
      ) : (
        <ReadOnlyNote />
      )}
    </div>
  );
}
