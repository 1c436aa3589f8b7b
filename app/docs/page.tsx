import type { Metadata } from 'next';
import { describeService } from '@/app/api/openapi.json/describe';
import { readBaseUrl } from '@/app/base-url';
import { ApiReference } from '@/components/docs/api-reference';
import { DocsHeader } from '@/components/docs/docs-header';
import { Authentication, Conventions, Idempotency, Limits, Lists } from '@/components/docs/guide/basics';
import { Errors } from '@/components/docs/guide/errors';
import { StatusPages } from '@/components/docs/guide/status-pages';
import { Webhooks } from '@/components/docs/guide/webhooks';
import type { ApiDocument } from '@/components/docs/openapi';
import { PageBehaviour } from '@/components/docs/page-behaviour';
import { readReference } from '@/components/docs/reference';
import { getEnvironment } from '@/lib/env';
import { findVisitorSession } from '@/lib/http/dashboard-session';
import { ERROR_STATUS } from '@/lib/http/error-status';
import { PLANS } from '@/lib/plans/catalogue';
import { RETRY_DELAYS } from '@/lib/webhooks/retry-schedule';
import { readWebhookSamples } from './read-webhook-samples';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'API reference' };

const GUIDES = [
  { id: 'authentication', title: 'Authentication' },
  { id: 'errors', title: 'Errors' },
  { id: 'lists', title: 'Lists' },
  { id: 'idempotency', title: 'Repeating safely' },
  { id: 'rate-limits', title: 'Rate limits and caching' },
  { id: 'conventions', title: 'Conventions' },
  { id: 'custom-domains', title: 'Custom domains' },
  { id: 'feeds-and-badges', title: 'Feeds and badges' },
  { id: 'receiving-webhooks', title: 'Receiving webhooks' },
  { id: 'webhook-formats', title: 'Chat messages' },
  { id: 'verifying-webhooks', title: 'Verifying webhooks' },
];

/** The API reference, for everybody, drawn from the document that /api/openapi.json answers. */
export default async function DocsPage() {
  const serviceName = getEnvironment().SERVICE_NAME;
  const publicUrl = await readBaseUrl();
  const baseUrl = `${publicUrl}/api`;
  const documentUrl = '/api/openapi.json';
  const document: ApiDocument = JSON.parse(JSON.stringify(describeService({ serviceName, baseUrl })));
  const rates = Object.entries(PLANS).map(([plan, { requestsPerMinute }]) => ({ plan, requestsPerMinute }));
  return (
    <>
      <DocsHeader serviceName={serviceName} documentUrl={documentUrl} isSignedIn={await isSignedIn()} />
      <ApiReference
        serviceName={serviceName}
        baseUrl={baseUrl}
        documentUrl={documentUrl}
        reference={readReference(document, baseUrl)}
        guides={GUIDES}
      >
        <Authentication baseUrl={baseUrl} />
        <Errors statusOf={ERROR_STATUS} />
        <Lists />
        <Idempotency />
        <Limits rates={rates} />
        <Conventions />
        <StatusPages publicUrl={publicUrl} />
        <Webhooks
          serviceName={serviceName}
          retries={RETRY_DELAYS.map(waitInWords)}
          samples={await readWebhookSamples()}
        />
      </ApiReference>
      <PageBehaviour />
    </>
  );
}

/** Only which link to show hangs on it: the reference is there also while the database is not. */
async function isSignedIn(): Promise<boolean> {
  try {
    return (await findVisitorSession()) !== null;
  } catch {
    return false;
  }
}

/** `1 minute`, `2 hours`: a wait of whole minutes. Milliseconds in. */
function waitInWords(ms: number): string {
  const minutes = ms / 60_000;
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
