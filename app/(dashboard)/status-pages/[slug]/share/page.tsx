import { readBaseUrl } from '@/app/base-url';
import type { PageProps } from '@/app/page-props';
import { publicUrlOf } from '@/components/page-editor/page-values';
import { ShareSnippets } from '@/components/page-editor/share-snippets';
import { Banner } from '@/components/ui/banner';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { loadPage } from '../load-page';

export { generateMetadata } from '../load-page';

export default async function StatusPageSharePage({ params }: PageProps<'slug'>) {
  const { ctx, found: page } = await loadPage((await params).slug);
  const names = new Map((await listMonitorNames(ctx)).map(({ id, name }) => [id, name]));
  const monitors = page.monitors.flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name }];
  });
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      {page.published ? null : (
        <Banner tone="note">This page is a draft. These links work once it is published.</Banner>
      )}
      <ShareSnippets address={publicUrlOf(page, await readBaseUrl())} name={page.name} monitors={monitors} />
    </div>
  );
}
