import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { findMonitorIdByRef } from '@/lib/domain/monitors/find-monitor';
import { findWebhookIdByRef } from '@/lib/domain/webhooks/upsert-webhook';

/** In place of an ID; no ID begins with it. */
const PREFIX = 'ref:';

/** Collections whose members have a `ref`, by the first part of their path below /api. */
const FINDERS = new Map([
  ['monitors', findMonitorIdByRef],
  ['webhooks', findWebhookIdByRef],
]);

/** What of a call says which object it is about. */
type Named = { ctx: OrganizationContext; pathname: string; params: { id?: string } };

/** A call for the monitor or webhook endpoint that `ref:…` in place of its ID names. Throws NOT_FOUND. */
export async function resolveRef<C extends Named>(call: C): Promise<C> {
  const { ctx, pathname, params } = call;
  const find = params.id?.startsWith(PREFIX) ? FINDERS.get(pathname.split('/')[2] ?? '') : undefined;
  if (params.id === undefined || find === undefined) return call;
  return { ...call, params: { ...params, id: await find(ctx, params.id.slice(PREFIX.length)) } };
}
