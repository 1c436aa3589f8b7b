import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createApiKeySchema } from './api-key';
import { createIncidentSchema } from './incidents/incident';
import { createIncidentTemplateSchema } from './incidents/incident-template';
import { createMaintenanceSchema } from './maintenance';
import { createMonitorSchema } from './monitor';
import { createMarkerSchema } from './monitor/marker';
import { createRegionSchema } from './monitor/region';
import { createOrganizationSchema, profileSchema, signUpSchema } from './people';
import { createProbeTokenSchema } from './probes/probe-token';
import { passkeyNameSchema } from './sign-in/passkeys';
import { createPageTokenSchema } from './status-pages/page-token';
import { createStatusPageSchema } from './status-pages/status-page';
import { refText } from './text';
import { createWebhookSchema } from './webhooks/webhook';

/** Each schema with a body for a name, and the path of the name in errors. */
const NAMES: [what: string, schema: z.ZodType, body: (name: string) => unknown, path?: string][] = [
  ['a monitor', createMonitorSchema, (name) => ({ name, url: 'https://a.example/' })],
  ['a tag', createMonitorSchema, (tag) => ({ name: 'A', url: 'https://a.example/', tags: [tag] }), 'tags.0'],
  [
    'a ref of a monitor',
    createMonitorSchema,
    (ref) => ({ name: 'A', url: 'https://a.example/', ref }),
    'ref',
  ],
  ['a ref of an endpoint', createWebhookSchema, (ref) => ({ url: 'https://a.example/', ref }), 'ref'],
  ['a status page', createStatusPageSchema, (name) => ({ name, slug: 'a', monitors: [] })],
  [
    'a section',
    createStatusPageSchema,
    (name) => ({ name: 'A', slug: 'a', sections: [{ name }] }),
    'sections.0.name',
  ],
  ['an incident template', createIncidentTemplateSchema, (name) => ({ name })],
  ['an incident', createIncidentSchema, (title) => ({ title }), 'title'],
  [
    'an incident in another language',
    createIncidentSchema,
    (title) => ({ title: 'A', translations: { de: { title } } }),
    'translations.de.title',
  ],
  ['a maintenance window', createMaintenanceSchema, (title) => ({ title }), 'title'],
  ['a deploy marker', createMarkerSchema, (title) => ({ title }), 'title'],
  ['an API key', createApiKeySchema, (name) => ({ name })],
  ['a region', createRegionSchema, (name) => ({ id: 'own', name })],
  ['a token of a probe', createProbeTokenSchema, (name) => ({ name })],
  ['a token of a page', createPageTokenSchema, (name) => ({ name })],
  ['an organization', createOrganizationSchema, (name) => ({ name })],
  ['a person', profileSchema, (name) => ({ name })],
  ['a new person', signUpSchema, (name) => ({ name })],
  ['a passkey', passkeyNameSchema, (name) => ({ name })],
];

/** Whether the name itself is refused: other fields may be missing. */
function isRefused(schema: z.ZodType, body: unknown, path: string): boolean {
  const { error } = schema.safeParse(body);
  return error?.issues.some((issue) => issue.path.join('.') === path) ?? false;
}

describe.each(NAMES)('the name of %s', (_, schema, body, path = 'name') => {
  it.each([
    'a\nb',
    'a\u0007',
    '\u001b[31m',
    '\u0085',
    'a\u2028b',
    '\u200b',
    '\u2060\u00ad',
    '\u3164',
    '\u2800',
  ])('is not %j, which controls something or looks blank', (name) =>
    expect(isRefused(schema, body(name), path)).toBe(true),
  );

  it.each(['Zürich', '結帳', '👩‍👩‍👧', '\u0645\u06cc\u200c\u062e\u0648', 'e\u0301', '.well-known', '...'])(
    'can be %j',
    (name) => expect(isRefused(schema, body(name), path)).toBe(false),
  );
});

it.each(['.', '..', ' .. '])('a ref is not %j, which is another path', (ref) =>
  expect(refText.safeParse(ref).success).toBe(false),
);
