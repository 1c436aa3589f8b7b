import type { PageProps } from '@/app/page-props';
import { DomainEditor, DomainState } from '@/components/page-editor/domain-editor';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { readMe } from '@/lib/domain/api-keys/read-api-keys';
import { permits } from '@/lib/domain/context/permissions';
import { refreshAction } from '../../../actions';
import { checkDomainAction, setDomainAction } from '../actions';
import { loadPage } from '../load-page';

export { generateMetadata } from '../load-page';

export default async function StatusPageDomainPage({ params }: PageProps<'slug'>) {
  const { ctx, found: page } = await loadPage((await params).slug);
  const { organization, limits } = await readMe(ctx);
  const mayWrite = permits(ctx, 'status-page.update');
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <AutoRefresh refresh={refreshAction} of={['changes']} />
      <DomainEditor
        key={page.customDomain}
        domain={page.customDomain}
        plan={organization.plan}
        isIncluded={limits.customDomain}
        save={mayWrite ? setDomainAction.bind(null, page.slug) : undefined}
      />
      {page.customDomain === null ? null : (
        <DomainState
          domain={page.customDomain}
          status={page.customDomainStatus}
          now={ctx.clock.now().toISOString()}
          check={mayWrite ? checkDomainAction.bind(null, page.slug) : undefined}
        />
      )}
    </div>
  );
}
