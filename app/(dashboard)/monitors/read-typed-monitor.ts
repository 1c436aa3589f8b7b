import 'server-only';
import { z } from 'zod';
import type { Typed } from '@/components/monitors/form/monitor-input';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { keepHidden } from '@/lib/domain/monitors/keep-hidden';
import { monitorFields, SECRET_FIELDS, type SecretField, settableSchema } from '@/lib/schemas/monitor/fields';
import { readMonitorForm } from './form-values';

/**
 * The submitted form as a request body, with hidden secrets filled in from the monitor `source`. Throws NOT_FOUND if the
 * organization has no such monitor, and VALIDATION_ERROR for secrets that it lacks or has for another origin.
 */
export async function readTypedMonitor(ctx: OrganizationContext, typed: Typed, source: string | null) {
  const input = readMonitorForm(typed);
  if (source === null) return input;
  const target = targetSchema.safeParse(input);
  // An invalid target is left to the schema of the request, which names the field.
  if (!target.success) return input;
  const secrets = secretsSchema.safeParse(input);
  if (!secrets.success) return input;
  return { ...input, ...keepHidden(secrets.data, await getMonitor(ctx, source), target.data) };
}

const { type, url, connectTo } = monitorFields;
const targetSchema = z.object({ type, url, connectTo: connectTo.default(null) });

const secretsSchema = settableSchema
  .pick(Object.fromEntries(SECRET_FIELDS.map((name) => [name, true])) as Record<SecretField, true>)
  .partial()
  .strip();
