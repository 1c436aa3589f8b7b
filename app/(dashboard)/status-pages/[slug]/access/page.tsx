import { readBaseUrl } from '@/app/base-url';
import type { PageProps } from '@/app/page-props';
import { AccessEditor } from '@/components/page-editor/access-editor';
import { PageTokens } from '@/components/page-editor/page-tokens';
import { publicUrlOf } from '@/components/page-editor/page-values';
import { readMe } from '@/lib/domain/api-keys/read-api-keys';
import { permits } from '@/lib/domain/context/permissions';
import { listPageTokens } from '@/lib/domain/status-pages/access/page-tokens';
import { getEnvironment } from '@/lib/env';
import { loadPage } from '../load-page';
import {
  createPageTokenAction,
  revokePageTokenAction,
  rotatePageTokenAction,
  setAccessAction,
} from './actions';

export { generateMetadata } from '../load-page';

export default async function StatusPageAccessPage({ params }: PageProps<'slug'>) {
  const { ctx, found: page } = await loadPage((await params).slug);
  const [{ organization, limits }, tokens, baseUrl] = await Promise.all([
    readMe(ctx),
    listPageTokens(ctx, page.slug),
    readBaseUrl(),
  ]);
  const { slug, visibility, hasPassword, allowedCidrs, published } = page;
  const mayWrite = permits(ctx, 'status-page.update');
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <AccessEditor
        access={{ visibility, hasPassword, allowedCidrs }}
        isPublished={published}
        plan={organization.plan}
        isIncluded={limits.privatePages}
        knowsAddresses={getEnvironment().KNOWS_ADDRESSES}
        save={mayWrite ? setAccessAction.bind(null, slug) : undefined}
      />
      {visibility === 'public' && tokens.length === 0 ? null : (
        <PageTokens
          tokens={tokens}
          now={ctx.clock.now().toISOString()}
          address={publicUrlOf(page, baseUrl)}
          actions={
            permits(ctx, 'page-token.create')
              ? {
                  create: createPageTokenAction.bind(null, slug),
                  rotate: rotatePageTokenAction.bind(null, slug),
                  revoke: revokePageTokenAction.bind(null, slug),
                }
              : undefined
          }
        />
      )}
    </div>
  );
}
