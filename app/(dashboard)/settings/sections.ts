import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { type Action, permits } from '@/lib/domain/context/permissions';

type Section = {
  href: string;
  label: string;
  /** What one has to be allowed to see it; absent where it is everybody's own. */
  action?: Action;
};

/** The parts of the settings, in the order of their navigation. */
const SECTIONS: readonly Section[] = [
  { href: '/settings/profile', label: 'Profile' },
  { href: '/settings/members', label: 'Members', action: 'member.read' },
  { href: '/settings/api-keys', label: 'API keys', action: 'api-key.read' },
  { href: '/settings/plan', label: 'Plan and usage', action: 'organization.read' },
  { href: '/settings/organization', label: 'Organization', action: 'organization.read' },
  { href: '/settings/audit', label: 'Audit', action: 'audit.read' },
];

/** The parts that this person may see. */
export function settingsSections(ctx: Pick<OrganizationContext, 'actor'>): readonly Section[] {
  return SECTIONS.filter(({ action }) => action === undefined || permits(ctx, action));
}
