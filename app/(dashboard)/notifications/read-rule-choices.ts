import 'server-only';
import type { RuleChoices } from '@/components/notifications/rules/rule-texts';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { listMonitorTags } from '@/lib/domain/monitors/lists/list-monitors';
import { listTimeZones } from '../maintenance/time-zones';

/** What rules can be chosen from. */
export async function readRuleChoices(ctx: OrganizationContext): Promise<RuleChoices> {
  return { monitors: await listMonitorTags(ctx), timeZones: listTimeZones() };
}
