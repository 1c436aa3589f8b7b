import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { ScheduledForm } from '@/components/incidents/scheduled-form';
import { FormPage } from '@/components/shell/page-heading';
import { TranslateForm } from '@/components/translations/translate-form';
import { translationValues } from '@/components/translations/translation-names';
import { permits } from '@/lib/domain/context/permissions';
import { changeUpdateAction } from '../../../actions';
import { loadIncident } from '../../../load-incident';

export const metadata: Metadata = { title: 'Edit update' };

/** Changes a scheduled update, or the translations of a published one. */
export default async function UpdatePage({ params }: PageProps<'id' | 'updateId'>) {
  const { id, updateId } = await params;
  const { ctx, found: incident } = await loadIncident(id);
  const scheduled = incident.scheduledUpdates.find((each) => each.id === updateId);
  const published = incident.updates.find((each) => each.id === updateId);
  const back = { href: `/incidents/${id}`, label: incident.title };
  const mayWrite = permits(ctx, 'incident.update');
  const form = { save: changeUpdateAction.bind(null, { id, updateId }), cancelHref: back.href };
  if (published !== undefined) {
    return (
      <FormPage back={back} title="Translate update" mayWrite={mayWrite}>
        <TranslateForm {...form} update={published} />
      </FormPage>
    );
  }
  if (scheduled === undefined) notFound();
  const { message, status, publishAt, resolveAfterMinutes, translations } = scheduled;
  return (
    <FormPage back={back} title="Edit scheduled update" mayWrite={mayWrite}>
      <ScheduledForm
        {...form}
        initial={{
          message,
          publishAt,
          status: status ?? '',
          ...translationValues(translations),
          resolveAfterMinutes: String((resolveAfterMinutes ?? incident.resolveAfterMinutes) || ''),
        }}
        current={incident.status}
      />
    </FormPage>
  );
}
