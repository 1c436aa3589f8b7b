import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { type DescribedOperation, describeApi } from '@/lib/web/http/openapi/describe-api';
import type { Method, NextHandler } from '@/lib/web/http/route';
import { apiKeys } from '../api-keys/operations';
import { audit } from '../audit/operations';
import { deliveries } from '../deliveries/operations';
import { emailRecipients } from '../email-recipients/operations';
import { markers } from '../events/operations';
import { incidentTemplates } from '../incident-templates/operations';
import { incidents } from '../incidents/operations';
import { invitations } from '../invitations/operations';
import { maintenance } from '../maintenance/operations';
import { me } from '../me/operations';
import { members } from '../members/operations';
import { monitors } from '../monitors/operations';
import { regions } from '../regions/operations';
import { reports } from '../reports/operations';
import { service } from '../service/operations';
import { statusPages } from '../status-pages/operations';
import { webhooks } from '../webhooks/operations';

/** Every path of the API, with what its `route.ts` exports. A test compares them with the folders. */
export const ROUTES: Record<string, Record<Method, NextHandler>> = {
  ...apiKeys,
  ...audit,
  ...deliveries,
  ...emailRecipients,
  ...incidentTemplates,
  ...incidents,
  ...invitations,
  ...maintenance,
  ...markers,
  ...me,
  ...members,
  ...monitors,
  ...regions,
  ...reports,
  ...service,
  ...statusPages,
  ...webhooks,
};

/** The operation of the document itself, whose route needs all others. */
const DOCUMENT: DescribedOperation = {
  method: 'get',
  path: '/openapi.json',
  operationId: 'getOpenApiDocument',
  summary: 'Retrieve this document',
  scope: 'public',
  output: z
    .looseObject({ openapi: described(z.string(), 'The version of the OpenAPI specification', '3.1.0') })
    .meta({ id: 'OpenApiDocument' }),
  status: 200,
  isPaged: false,
};

/** HEAD follows from GET, and OPTIONS is for browsers: neither is documented. */
const DOCUMENTED = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Every operation of every route, in the format of the document. */
export function listOperations(): DescribedOperation[] {
  const operations = Object.entries(ROUTES).flatMap(([path, handlers]) =>
    DOCUMENTED.flatMap((verb) => {
      const { description } = handlers[verb];
      const method = verb.toLowerCase() as Lowercase<typeof verb>;
      return description ? [{ method, path, ...description }] : [];
    }),
  );
  return [...operations, DOCUMENT];
}

/** Stands for the address, which may come from a request, while the document is composed once for all. */
const ANY_URL = 'https://pharos.invalid/api';
const texts = new Map<string, Promise<string>>();

/** The OpenAPI document of a service with this name and address, as JSON. `baseUrl` ends in `/api`. */
export async function writeDocument({ serviceName, baseUrl }: { serviceName: string; baseUrl: string }) {
  const known = texts.get(serviceName) ?? composeDocument(serviceName);
  texts.set(serviceName, known);
  const docsUrl = (url: string) => url.replace(/\/api$/, '/docs');
  return (await known).replace(ANY_URL, baseUrl).replace(docsUrl(ANY_URL), docsUrl(baseUrl));
}

async function composeDocument(serviceName: string): Promise<string> {
  return JSON.stringify(describeApi(await listOperations(), { serviceName, baseUrl: ANY_URL }));
}
