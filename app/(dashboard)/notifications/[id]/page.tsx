import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { CurveSection } from '@/components/notifications/curve-section';
import { DeliveryLog } from '@/components/notifications/delivery-log';
import { endpointName } from '@/components/notifications/delivery-texts';
import { EndpointActions } from '@/components/notifications/endpoint-actions';
import { EndpointFacts } from '@/components/notifications/endpoint-list';
import { MissedNote } from '@/components/notifications/missed-note';
import { SecretSection } from '@/components/notifications/secret-section';
import { EndpointStanding } from '@/components/notifications/status-badges';
import { TestSend } from '@/components/notifications/test-send';
import { AutoRefresh } from '@/components/shell/auto-refresh';
import { PageHeading } from '@/components/shell/page-heading';
import { Section } from '@/components/ui/section';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { previewRecovery } from '@/lib/domain/webhooks/deliveries/preview-recovery';
import { readDeliveryLog } from '@/lib/domain/webhooks/deliveries/read-delivery-log';
import {
  MAX_CURVE_DELIVERIES,
  readEndpointCurve,
} from '@/lib/domain/webhooks/deliveries/read-endpoint-curve';
import { getWebhook } from '@/lib/domain/webhooks/read-webhooks';
import { MAX_COUNT, readMissedDeliveries } from '@/lib/domain/webhooks/resend-deliveries';
import { endpointLogQuerySchema } from '@/lib/schemas/webhooks/delivery-log';
import { recoveryQuerySchema, startOfSpan } from '@/lib/schemas/webhooks/recovery';
import { FORMATS, verifiesSignatures } from '@/lib/webhook-formats/formats';
import { loaderOf } from '../../act';
import { refreshAction } from '../../actions';
import {
  deleteAction,
  finishRotationAction,
  readTestAction,
  recoverAction,
  rotateAction,
  setEnabledAction,
  testAction,
} from '../actions';

const PAGE = 20;

const load = loaderOf(getWebhook);

export async function generateMetadata({ params }: PageProps<'id'>): Promise<Metadata> {
  const { found: endpoint } = await load((await params).id);
  return { title: endpointName(endpoint) };
}

export default async function EndpointPage({ params, searchParams }: PageProps<'id'>) {
  const { ctx, found: endpoint } = await load((await params).id);
  const { id, enabled } = endpoint;
  const now = ctx.clock.now();
  const { query, page, monitors, curve, missed, preview } = await readEndpoint(
    ctx,
    id,
    await searchParams,
    now,
  );
  const name = endpointName(endpoint);
  return (
    <div className="flex flex-col gap-6">
      <AutoRefresh refresh={refreshAction} of={['changes', 'deliveries']} />
      <PageHeading
        back={{ href: '/notifications/channels', label: 'Channels' }}
        title={name}
        subtitle={endpoint.description ? endpoint.url : null}
        actions={
          permits(ctx, 'webhook.update') ? (
            <EndpointActions
              name={name}
              enabled={enabled}
              editHref={`/notifications/${id}/edit`}
              setEnabled={setEnabledAction.bind(null, id, !enabled)}
              remove={deleteAction.bind(null, id)}
            />
          ) : null
        }
      >
        <EndpointStanding endpoint={endpoint} now={now} />
      </PageHeading>
      {enabled && permits(ctx, 'webhook.recover') ? (
        <MissedNote
          path={`/notifications/${id}`}
          missed={missed && { ...missed, isCapped: missed.count >= MAX_COUNT }}
          preview={preview}
          now={now.toISOString()}
          recover={recoverAction.bind(null, id)}
        />
      ) : null}
      <EndpointFacts
        endpoint={endpoint}
        format={FORMATS[endpoint.format].label}
        monitors={monitors}
        now={now}
      />
      <CurveSection curve={curve} max={MAX_CURVE_DELIVERIES} now={now} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        {permits(ctx, 'webhook.test') ? (
          <TestSend send={testAction.bind(null, id)} readResult={readTestAction} isEnabled={enabled} />
        ) : null}
        {verifiesSignatures(endpoint.format) ? (
          <SecretSection
            rotationEndsAt={endpoint.rotationEndsAt}
            now={now.toISOString()}
            actions={
              permits(ctx, 'webhook.rotate-secret')
                ? { rotate: rotateAction.bind(null, id), finish: finishRotationAction.bind(null, id) }
                : undefined
            }
          />
        ) : null}
      </div>
      <Section title="Deliveries">
        <DeliveryLog path={`/notifications/${id}`} query={query} page={page} monitors={monitors} now={now} />
      </Section>
    </div>
  );
}

async function readEndpoint(ctx: OrganizationContext, id: string, search: unknown, now: Date) {
  const query = endpointLogQuerySchema.parse(search);
  const { recover: span } = recoveryQuerySchema.parse(search);
  const since = span && startOfSpan(span, now);
  const [page, monitors, curve, missed, recovery] = await Promise.all([
    readDeliveryLog(ctx, { ...query, webhook: id, limit: PAGE }),
    listMonitorNames(ctx),
    readEndpointCurve(ctx, id),
    readMissedDeliveries(ctx, id),
    since && previewRecovery(ctx, id, { since }),
  ]);
  const preview = span && since && recovery ? { ...recovery, span, since } : null;
  return { query, page, monitors, curve, missed, preview };
}
