import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { CorrectionForm } from '@/components/monitors/corrections/correction-form';
import { CorrectionList } from '@/components/monitors/corrections/correction-list';
import { PageHeading } from '@/components/shell/page-heading';
import { permits } from '@/lib/domain/context/permissions';
import { listCorrections } from '@/lib/domain/monitors/corrections/change-corrections';
import { loadMonitor } from '../page-data';
import { createCorrectionAction, deleteCorrectionAction } from './actions';

export const metadata: Metadata = { title: 'Corrections' };

export default async function CorrectionsPage({ params }: PageProps<'id'>) {
  const { ctx, found: monitor } = await loadMonitor((await params).id);
  const { id, name } = monitor;
  const corrections = await listCorrections(ctx, id);
  const remove = permits(ctx, 'correction.delete')
    ? (correction: string) => deleteCorrectionAction.bind(null, id, correction)
    : null;
  return (
    <div className="flex flex-col gap-6">
      <PageHeading back={{ href: `/monitors/${id}`, label: name }} title="Corrections">
        <p className="text-muted">
          Change what a period counts as when its checks were wrong. The measured figures are kept and shown
          with the corrected ones.
        </p>
      </PageHeading>
      {permits(ctx, 'correction.create') ? (
        <CorrectionForm save={createCorrectionAction.bind(null, id)} />
      ) : null}
      <CorrectionList corrections={corrections} remove={remove} now={ctx.clock.now()} />
    </div>
  );
}
