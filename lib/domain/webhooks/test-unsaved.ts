import { requireFound, TooSoonError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { formatDuration } from '@/lib/core/time/duration';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { renderBody } from '@/lib/notify/message';
import { requireQuota } from '@/lib/plans/require-quota';
import type { TestPayload } from '@/lib/schemas/webhooks/delivery';
import type { CreateWebhook, WebhookChanges } from '@/lib/schemas/webhooks/webhook';
import { editableProduct } from '@/lib/webhook-formats/formats';
import { guardLiteralReceiver } from './change-webhook';
import { openCredentials, openHeaders } from './credentials';
import { addressRequest, hideSecrets } from './formats/address-request';
import { judgeOutcome } from './formats/judge-outcome';
import { secretHeaders, withOwn } from './formats/own-headers';
import { resolveChanges } from './resolve-changes';
import { errorOf, NAMED_MESSAGE_BYTES, type Sender, sendRequest, statusCodeOf } from './send-delivery';
import { deliveryHeaders, openSigningSecrets, type SigningSecrets } from './sign';
import { renderStored } from './templates/render-stored';
import { renderSamples, requireRendering } from './templates/require-rendering';

/** What a receiver responded to a test. */
export type UnsavedTest = {
  statusCode: number | null;
  /** Milliseconds. */
  duration: number;
  /** Why it was not delivered; null: it was. */
  error: string | null;
  /** The beginning of the body of the response, without credentials. */
  responseBody: string;
};

type Needs = { sender?: Omit<Sender, 'policy'>; serviceName: string };

/** Of one organization at a time, in this process. */
const MAX_UNDER_WAY = 3;
const RETRY_SECONDS = 5;
const underWay = new Map<string, number>();

/**
 * Sends one test message to an endpoint that is not saved, as it would be sent once it is, but for the signature: its secret does not exist yet.
 * Stores nothing of it but that one was delivered. Refuses what `createWebhook` refuses: throws FORBIDDEN, BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED and VALIDATION_ERROR; and
 * RATE_LIMITED while three of the organization are under way. What the receiver does is a result.
 */
export async function testUnsavedWebhook(
  ctx: OrganizationContext,
  input: CreateWebhook,
  needs: Needs,
): Promise<UnsavedTest> {
  requirePermission(ctx, 'webhook.create');
  requirePermission(ctx, 'webhook.test');
  guardLiteralReceiver(ctx.targetPolicy, input.url);
  return asOneOfFew(ctx, async () => {
    if (input.template !== null)
      requireRendering(await renderSamples(ctx.organizationId, input.template), input.headers);
    await requireQuotaForOne(ctx);
    return sendTest(ctx, { ...input, id: createId('webhook'), secrets: null }, needs);
  });
}

/**
 * The same with changes of an existing endpoint that are not saved: what is hidden is what is stored, and it is signed. Refuses what
 * `updateWebhook` refuses of them, also NOT_FOUND.
 */
export async function testChangedWebhook(
  ctx: OrganizationContext,
  id: string,
  changes: WebhookChanges,
  needs: Needs,
): Promise<UnsavedTest> {
  requirePermission(ctx, 'webhook.update');
  requirePermission(ctx, 'webhook.test');
  const { db, keyring, organizationId } = ctx;
  const row = await db.webhookEndpoint.findFirst({ where: { id, organizationId } });
  const stored = requireFound(row, 'Webhook endpoint');
  return asOneOfFew(ctx, async () => {
    const samples = changes.template ? await renderSamples(organizationId, changes.template) : [];
    const changed = { ...stored, ...resolveChanges(keyring, stored, changes, samples) };
    guardLiteralReceiver(ctx.targetPolicy, changed.url);
    const receiver = {
      ...changed,
      credentials: openCredentials(keyring, id, changed.credentialsSealed),
      headers: openHeaders(keyring, id, changed.headersSealed),
      secrets: openSigningSecrets(keyring, id, stored, ctx.clock.now()),
    };
    return sendTest(ctx, receiver, needs);
  });
}

/** Runs a test while there are few of the organization, and notes that one was delivered. */
async function asOneOfFew(ctx: OrganizationContext, run: () => Promise<UnsavedTest>): Promise<UnsavedTest> {
  const { organizationId } = ctx;
  const count = underWay.get(organizationId) ?? 0;
  if (count >= MAX_UNDER_WAY) throw tooMany();
  underWay.set(organizationId, count + 1);
  try {
    const result = await run();
    if (result.error === null) await noteTested(ctx);
    return result;
  } finally {
    const others = (underWay.get(organizationId) ?? 1) - 1;
    if (others > 0) underWay.set(organizationId, others);
    else underWay.delete(organizationId);
  }
}

async function requireQuotaForOne({ db, organizationId }: OrganizationContext): Promise<void> {
  await db.$transaction(async (tx) => {
    const plan = await lockOrganization(tx, organizationId);
    requireQuota(plan, 'webhooks', await tx.webhookEndpoint.count({ where: { organizationId } }));
  });
}

/** That a test was delivered is a first step; nothing else of it is stored. */
async function noteTested({ db, organizationId: id, clock }: OrganizationContext): Promise<void> {
  const where = { id, channelTestedAt: null };
  await db.organization.updateMany({ where, data: { channelTestedAt: clock.now() } });
}

type Receiver = Pick<CreateWebhook, 'format' | 'url' | 'credentials' | 'headers' | 'template'> & {
  id: string;
  /** Null: none exists yet. */
  secrets: SigningSecrets | null;
};

async function sendTest(
  { organizationId, targetPolicy, clock }: OrganizationContext,
  { id, format, url, credentials, headers: own, template, secrets }: Receiver,
  { sender, serviceName }: Needs,
): Promise<UnsavedTest> {
  const at = clock.now();
  const payload: TestPayload = {
    id: createId('event'),
    event: 'webhook.test',
    timestamp: at.toISOString(),
    webhook: { id, url },
  };
  const event = JSON.stringify(payload);
  const rendered = template === null ? null : await renderStored(organizationId, template, event);
  if (rendered?.text === null) return unsent(`the template ${rendered.problem}`);
  // Without links: there is no page of it yet.
  const body = rendered?.text ?? renderBody(format, payload, null) ?? event;
  const { sent } = addressRequest(format, { url, body, event, messageKey: null }, credentials);
  const headers = deliveryHeaders({
    eventId: payload.id,
    deliveryId: createId('delivery'),
    attempt: 1,
    kind: payload.event,
    payload: sent.body,
    occurredAt: at,
    sentAt: at,
    secrets,
    serviceName,
  });
  const product = editableProduct(format, Object.keys(credentials).length > 0);
  const received = await sendRequest(
    { ...sender, policy: targetPolicy },
    {
      endpointId: id,
      method: sent.method,
      url: sent.url,
      headers: withOwn(headers, { ...sent.headers, ...own }),
      payload: sent.body,
    },
    product === null ? undefined : NAMED_MESSAGE_BYTES,
  );
  const judged = product === null ? received.outcome : judgeOutcome(product, received).outcome;
  const outcome = hideSecrets(judged, { ...credentials, ...secretHeaders(own) });
  return {
    statusCode: statusCodeOf(outcome),
    duration: outcome.duration,
    error: errorOf(outcome),
    responseBody: 'response' in outcome ? outcome.response.body : '',
  };
}

function unsent(error: string): UnsavedTest {
  return { statusCode: null, duration: 0, error, responseBody: '' };
}

function tooMany(): TooSoonError {
  const message = `At most ${MAX_UNDER_WAY} tests of an organization can run at the same time. Retry in ${formatDuration(RETRY_SECONDS * 1000)}.`;
  return new TooSoonError(message, RETRY_SECONDS);
}
