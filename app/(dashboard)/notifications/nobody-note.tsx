import 'server-only';
import { NobodyNotified } from '@/components/notifications/nobody-notified';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import { loadSomeoneNotified } from '../act';

/** That nobody is notified yet, while that is so. */
export async function NobodyNote({ ctx }: { ctx: OrganizationContext }) {
  if (await loadSomeoneNotified()) return null;
  return <NobodyNotified mayCreate={permits(ctx, 'webhook.create')} />;
}
