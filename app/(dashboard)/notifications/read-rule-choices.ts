import 'server-only';
import type { RuleChoices } from '@/components/notifications/rules/rule-texts';
import { listTimeZones } from '@/lib/core/time/list-time-zones';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { listMonitorTags } from '@/lib/domain/monitors/lists/list-monitors';

/** What rules can be chosen from. */
export async function readRuleChoices(ctx: OrganizationContext): Promise<RuleChoices> {
  return { monitors: await listMonitorTags(ctx), timeZones: listTimeZones() };
}
