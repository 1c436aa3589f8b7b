import 'server-only';
import { readMonitorInput, type Typed } from '@/components/monitors/form/monitor-input';
import type { OrganizationContext } from '@/lib/context/organization-context';
import { getMonitor } from '@/lib/monitors/get-monitor';
import { hasHiddenHeaders, revealHeaders } from '@/lib/schemas/hidden-headers';

/**
 * What was typed as the body of a call, with the headers that were left hidden as the monitor `source` has them: one of the
 * organization, or NOT_FOUND.
 */
export async function readTypedMonitor(ctx: OrganizationContext, typed: Typed, source: string | null) {
  const input = readMonitorInput(typed);
  const headers = input.headers ?? {};
  if (source === null || !hasHiddenHeaders(headers)) return input;
  const { headers: stored } = await getMonitor(ctx, source);
  return { ...input, headers: revealHeaders(headers, stored) };
}
