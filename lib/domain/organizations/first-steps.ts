import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** What a new organization needs to do, in order. */
export const FIRST_STEPS = ['monitor', 'channel', 'test', 'page', 'colleague'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];
export type FirstSteps = Record<FirstStep, boolean>;

/**
 * Which first steps of the organization are done, as its monitors, channels, deliveries, pages and people show; null once all were, or somebody
 * dismissed them: they never return. Throws FORBIDDEN.
 */
export async function readFirstSteps(
  ctx: OrganizationContext,
  { isAnyoneNotified: channel }: { isAnyoneNotified: boolean },
): Promise<FirstSteps | null> {
  requirePermission(ctx, 'organization.read');
  const { db, organizationId, clock } = ctx;
  const [row] = await db.$queryRaw<Omit<FirstSteps, 'channel'>[]>`
    SELECT EXISTS (SELECT 1 FROM monitor WHERE organization_id = own.id) AS monitor,
           own.channel_tested_at IS NOT NULL
             OR EXISTS (SELECT 1 FROM delivery WHERE organization_id = own.id AND status = 'delivered')
             OR EXISTS (SELECT 1 FROM mail
                         WHERE organization_id = own.id AND kind IN ('alert', 'test') AND sent_at IS NOT NULL)
             OR EXISTS (SELECT 1 FROM push_subscription
                         WHERE organization_id = own.id AND last_used_at IS NOT NULL) AS test,
           EXISTS (SELECT 1 FROM status_page WHERE organization_id = own.id) AS page,
           (SELECT count(*) > 1 FROM membership WHERE organization_id = own.id)
             OR EXISTS (SELECT 1 FROM one_time_token
                         WHERE organization_id = own.id AND kind = 'invitation' AND used_at IS NULL
                           AND expires_at > ${clock.now()}) AS colleague
      FROM organization AS own WHERE own.id = ${organizationId} AND own.first_steps_ended_at IS NULL`;
  if (row === undefined) return null;
  const steps = { ...row, channel, test: channel && row.test };
  if (FIRST_STEPS.some((step) => !steps[step])) return steps;
  await recordEnd(ctx);
  return null;
}

/** Dismisses the first steps for everyone of the organization. Throws FORBIDDEN. */
export async function dismissFirstSteps(ctx: OrganizationContext): Promise<void> {
  requirePermission(ctx, 'organization.dismiss-first-steps');
  await recordEnd(ctx);
}

async function recordEnd({ db, organizationId: id, clock }: OrganizationContext): Promise<void> {
  const where = { id, firstStepsEndedAt: null };
  await db.organization.updateMany({ where, data: { firstStepsEndedAt: clock.now() } });
}
