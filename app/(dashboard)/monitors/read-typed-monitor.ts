import 'server-only';
import { z } from 'zod';
import type { Typed } from '@/components/monitors/form/monitor-input';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { keepHidden } from '@/lib/domain/monitors/keep-hidden';
import { monitorFields } from '@/lib/schemas/monitor/fields';
import { readMonitorForm } from './form-values';

/**
 * What was typed as the body of a call, with the headers that were left hidden as the monitor `source` has them: one of the
 * organization, or NOT_FOUND. Throws VALIDATION_ERROR for those that it does not have, or has for another origin.
 */
export async function readTypedMonitor(ctx: OrganizationContext, typed: Typed, source: string | null) {
  const input = readMonitorForm(typed);
  if (source === null || input.headers === undefined) return input;
  const target = targetSchema.safeParse(input);
  // What is not valid by itself is refused by the schema of the call, in its own words.
  if (!target.success) return input;
  return { ...input, ...keepHidden({ headers: input.headers }, await getMonitor(ctx, source), target.data) };
}

const targetSchema = z.object({ type: monitorFields.type, url: monitorFields.url });
