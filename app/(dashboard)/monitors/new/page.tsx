import type { Metadata } from 'next';
import { readBaseUrl } from '@/app/base-url';
import type { PageProps } from '@/app/page-props';
import { MonitorForm } from '@/components/monitors/form/monitor-form';
import { PlanNote } from '@/components/organization/plan-note';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../act';
import { NobodyNote } from '../../notifications/nobody-note';
import { createMonitorAction } from '../actions';
import { copyValues, newMonitorValues } from '../form-values';
import { readChoices } from '../read-choices';

export const metadata: Metadata = { title: 'New monitor' };

export default async function NewMonitorPage({ searchParams }: PageProps) {
  const { ctx } = await requireSession();
  const query = await searchParams;
  const mayCreate = permits(ctx, 'monitor.create');
  const source = mayCreate && typeof query.from === 'string' ? query.from : null;
  const copied = source === null ? null : await orNotFound(getMonitor(ctx, source));
  return (
    <FormPage
      back={{
        href: copied ? `/monitors/${copied.id}` : '/monitors',
        label: copied ? copied.name : 'Monitors',
      }}
      title={copied ? 'Duplicate monitor' : 'New monitor'}
      mayWrite={mayCreate}
    >
      <NewMonitor
        initial={copied ? copyValues(copied) : newMonitorValues(query)}
        source={source}
        baseUrl={await readBaseUrl()}
        alertNote={<NobodyNote ctx={ctx} />}
        {...(await readChoices(ctx, null))}
      />
    </FormPage>
  );
}

type FormProps = Pick<
  Parameters<typeof MonitorForm>[0],
  'initial' | 'source' | 'choices' | 'baseUrl' | 'alertNote'
>;

function NewMonitor({ limitReached, ...form }: FormProps & { limitReached: number | null }) {
  return (
    <>
      {limitReached === null ? null : (
        <PlanNote>Your plan allows {limitReached} monitors, and all are in use.</PlanNote>
      )}
      <MonitorForm save={createMonitorAction} known={newMonitorValues({})} {...form} />
    </>
  );
}
