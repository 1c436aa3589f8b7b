import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { ScheduledForm } from '@/components/incidents/scheduled-form';
import { FormPage } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { changeUpdateAction } from '../../../actions';
import { loadIncident } from '../../../load-incident';

export const metadata: Metadata = { title: 'Edit scheduled update' };

export default async function ScheduledUpdatePage({ params }: PageProps<'id' | 'updateId'>) {
  const { id, updateId } = await params;
  const { ctx, found: incident } = await loadIncident(id);
  const update = incident.scheduledUpdates.find((each) => each.id === updateId);
  if (update === undefined) notFound();
  const { message, status, publishAt, resolveAfterMinutes } = update;
  return (
    <FormPage
      back={{ href: `/incidents/${id}`, label: incident.title }}
      title="Edit scheduled update"
      mayWrite={permits(ctx, 'incident.update')}
    >
      <ScheduledForm
        save={changeUpdateAction.bind(null, { id, updateId })}
        initial={{
          ...{ message, publishAt, status: status ?? '' },
          resolveAfterMinutes: String(resolveAfterMinutes ?? ''),
        }}
        current={incident.status}
        cancelHref={`/incidents/${id}`}
      />
    </FormPage>
  );
}
