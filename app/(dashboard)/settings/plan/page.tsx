import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { UsageBars } from '@/components/organization/usage-bars';
import { CodeBlock } from '@/components/ui/code-block';
import { Fact, Facts } from '@/components/ui/fold';
import { SettingsSection } from '@/components/ui/settings-section';
import { formatCommand } from '@/lib/command-line';
import { readMe } from '@/lib/domain/api-keys/read-api-keys';
import { getEnvironment } from '@/lib/env';
import { hasLimits } from '@/lib/plans/catalogue';
import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';
import { requireSession } from '@/lib/web/http/dashboard-session';

export const metadata: Metadata = { title: 'Plan and usage' };

const NAMES = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' } as const;

export default async function PlanPage() {
  const { ctx } = await requireSession();
  const { organization, limits, usage } = await readMe(ctx);
  // Plans are for those who have limits.
  if (!hasLimits(organization.plan)) notFound();
  const { regions } = limits;
  const values = { ORGANIZATION: organization.id, PLAN: 'enterprise' };
  return (
    <>
      <SettingsSection title="Plan and usage" isWide>
        <Facts className="grid-cols-2 md:grid-cols-4">
          <Fact term="Plan">{NAMES[organization.plan]}</Fact>
          <Fact term="Regions">
            {regions.length === BUILT_IN_REGION_IDS.length ? 'All' : regions.join(', ')}
          </Fact>
          <Fact term="Custom domains">{limits.customDomain ? 'Included' : 'Not included'}</Fact>
          <Fact term="Own branding">{limits.branding ? 'Included' : 'Not included'}</Fact>
          <Fact term="API requests">{limits.requestsPerMinute.toLocaleString('en-US')} per minute</Fact>
        </Facts>
        <UsageBars limits={limits} usage={usage} />
        <p className="text-muted">
          Pending invitations count as members. Everything over a limit keeps working, but you cannot add
          more.
        </p>
      </SettingsSection>
      <SettingsSection title="Change plan">
        {getEnvironment().SIGN_UP === 'open' ? (
          <p className="text-muted">Ask the operator of this service to change the plan.</p>
        ) : (
          <>
            <p className="text-muted">
              The operator of this service can change the plan on the server. Enterprise has no limits:
            </p>
            <CodeBlock
              text={formatCommand('org plan ORGANIZATION PLAN', { values })}
              label="Copy the command"
            />
          </>
        )}
      </SettingsSection>
    </>
  );
}
