import type { Metadata } from 'next';
import { UsageBars } from '@/components/organization/usage-bars';
import { CodeBlock } from '@/components/ui/code-block';
import { Fact, Facts } from '@/components/ui/fold';
import { Section } from '@/components/ui/section';
import { readMe } from '@/lib/domain/api-keys/read-api-keys';
import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';
import { requireSession } from '@/lib/web/http/dashboard-session';

export const metadata: Metadata = { title: 'Plan and usage' };

const NAMES = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' } as const;

export default async function PlanPage() {
  const { ctx } = await requireSession();
  const { organization, limits, usage } = await readMe(ctx);
  const { regions } = limits;
  return (
    <div className="flex flex-col gap-6">
      <Section title="Plan and usage" isLarge>
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
      </Section>
      <Section title="Change plan" level={3}>
        <p className="text-muted">The operator of this service can change the plan on the command line:</p>
        <CodeBlock text={`pharos org plan ${organization.id} pro`} label="Copy the command" />
      </Section>
    </div>
  );
}
