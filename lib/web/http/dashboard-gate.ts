import 'server-only';
import { type Action, requirePermission } from '@/lib/domain/context/permissions';
import type { Session } from '@/lib/web/auth/session';
import { getWeb } from './server-services';

/** What a request of the dashboard requires: a permission in the organization, or `session` for what concerns the person alone. */
export type Requirement = Action | 'session';

/** More than a person causes, and than an import that tries hundreds of targets. */
const REQUESTS_PER_MINUTE = 600;

/**
 * Admits a signed-in person to a server action or route of the dashboard, before anything of its input is read. Counts the
 * request, per person and organization, also if it is refused. Throws `RateLimitedError`, and FORBIDDEN.
 */
export async function admit({ ctx, userId }: Session, requires: Requirement): Promise<void> {
  await getWeb().rateLimiter.count(`dashboard ${ctx.organizationId} ${userId}`, REQUESTS_PER_MINUTE);
  if (requires !== 'session') requirePermission(ctx, requires);
}
