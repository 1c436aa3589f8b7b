import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { type Action, permits } from '@/lib/domain/context/permissions';
import { hasLimits, type PlanId } from '@/lib/plans/catalogue';

type Section = {
  /** Only where the plan has limits. */
  isAboutPlan?: true;
  href: string;
  label: string;
  /** The permission required to see it; none for everyone's own profile. */
  action?: Action;
};

type SettingsReader = { ctx: Pick<OrganizationContext, 'actor'>; plan: PlanId };

/** The sections of the settings in the order of their navigation. */
const SECTIONS: readonly Section[] = [
  { href: '/settings/profile', label: 'Profile' },
  { href: '/settings/members', label: 'Members', action: 'member.read' },
  { href: '/settings/api-keys', label: 'API keys', action: 'api-key.read' },
  { href: '/settings/regions', label: 'Regions', action: 'region.read' },
  { href: '/settings/plan', label: 'Plan and usage', action: 'organization.read', isAboutPlan: true },
  { href: '/settings/organization', label: 'Organization', action: 'organization.read' },
  { href: '/settings/mail-server', label: 'Mail server', action: 'mail-server.change' },
  { href: '/settings/audit', label: 'Audit log', action: 'audit.read' },
];

/** The sections that this person may see. */
export function settingsSections({ ctx, plan }: SettingsReader): readonly Section[] {
  return SECTIONS.filter(
    ({ action, isAboutPlan }) =>
      (action === undefined || permits(ctx, action)) && (!isAboutPlan || hasLimits(plan)),
  );
}
