import type { Metadata } from 'next';
import { KeyForm } from '@/components/api-keys/key-form';
import { KeyList } from '@/components/api-keys/key-list';
import { ConfirmNote } from '@/components/auth/confirm-note';
import { EmptyNote } from '@/components/ui/section';
import { SettingsSection } from '@/components/ui/settings-section';
import { TextLink } from '@/components/ui/text-link';
import { listApiKeys, readKeyCreators } from '@/lib/domain/api-keys/read-api-keys';
import { permits } from '@/lib/domain/context/permissions';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { createKeyAction, revokeKeyAction, rotateKeyAction } from './actions';

export const metadata: Metadata = { title: 'API keys' };

export default async function ApiKeysPage() {
  const { ctx } = await requireSession();
  const manages = permits(ctx, 'api-key.create');
  const [keys, creators] = await Promise.all([listApiKeys(ctx), readKeyCreators(ctx)]);
  const listed = keys.map((key) => ({ ...key, createdBy: creators.get(key.id) ?? null }));
  return (
    <>
      <SettingsSection
        title="API keys"
        isWide
        lead={
          <>
            API keys belong to the organization, not to the person who created them. They keep working when
            that person leaves. See <TextLink href="/docs#authentication">how to use them</TextLink>.
          </>
        }
      >
        {listed.length > 0 ? (
          <KeyList
            keys={listed}
            now={ctx.clock.now().toISOString()}
            actions={manages ? { rotate: rotateKeyAction, revoke: revokeKeyAction } : undefined}
          />
        ) : (
          <EmptyNote>No API keys yet.</EmptyNote>
        )}
      </SettingsSection>
      {manages ? (
        <SettingsSection title="New key">
          {ctx.actor.kind === 'user' && ctx.actor.isFactorStale ? (
            <ConfirmNote path="/settings/api-keys" />
          ) : (
            <KeyForm create={createKeyAction} />
          )}
        </SettingsSection>
      ) : (
        <p className="text-muted">Only admins and owners can create and revoke keys.</p>
      )}
    </>
  );
}
