import type { Metadata } from 'next';
import Link from 'next/link';
import { KeyForm } from '@/components/api-keys/key-form';
import { KeyList } from '@/components/api-keys/key-list';
import { listApiKeys, readKeyCreators } from '@/lib/domain/api-keys/read-api-keys';
import { permits } from '@/lib/domain/context/permissions';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { createKeyAction, revokeKeyAction, rotateKeyAction } from './actions';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'API keys' };

export default async function ApiKeysPage() {
  const { ctx } = await requireSession();
  const manages = permits(ctx, 'api-key.create');
  const [keys, creators] = await Promise.all([listApiKeys(ctx), readKeyCreators(ctx)]);
  const listed = keys.map((key) => ({ ...key, createdBy: creators.get(key.id) ?? null }));
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="keys-title" className="flex flex-col gap-3">
        <h2 id="keys-title" className="text-base font-semibold">
          API keys
        </h2>
        <p className="max-w-2xl text-muted">
          API keys belong to the organization, not to the person who created them. They keep working when that
          person leaves. See{' '}
          <Link
            prefetch={false}
            href="/docs#authentication"
            className="text-accent underline underline-offset-2"
          >
            how to use them
          </Link>
          .
        </p>
        {listed.length > 0 ? (
          <KeyList
            keys={listed}
            now={ctx.clock.now().toISOString()}
            {...(manages ? { actions: { rotate: rotateKeyAction, revoke: revokeKeyAction } } : {})}
          />
        ) : (
          <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">No API keys yet.</p>
        )}
      </section>
      {manages ? (
        <section aria-labelledby="new-key-title" className="flex flex-col gap-3">
          <h3 id="new-key-title" className="text-sm font-semibold">
            New key
          </h3>
          <KeyForm create={createKeyAction} />
        </section>
      ) : (
        <p className="text-muted">Only admins and owners can create and revoke keys.</p>
      )}
    </div>
  );
}
