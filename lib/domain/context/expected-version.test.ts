import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import type { OrganizationContext } from './organization-context';
import { VERB_CALLS } from './testing/verb-calls';
import { createWorld } from './testing/world';

const database = useSharedDatabase();
let owner: OrganizationContext;

beforeAll(async () => {
  const { ctx, userId } = await createTestOrganization(createTestServices({ db: database.db }));
  owner = { ...ctx, actor: { kind: 'user', userId, role: 'owner' } };
});

/** The verbs that change or delete what exists, and has a version. */
const VERSIONED = [
  'api-keys/updateApiKey',
  'api-keys/revokeApiKey',
  'email-recipients/updateEmailRecipient',
  'email-recipients/deleteEmailRecipient',
  'incidents/updateIncident',
  'incidents/deleteIncident',
  'incidents/updateIncidentTemplate',
  'incidents/deleteIncidentTemplate',
  'maintenance/updateMaintenance',
  'maintenance/deleteMaintenance',
  'members/changeRole',
  'members/removeMember',
  'monitors/updateMonitor',
  'monitors/deleteMonitor',
  'monitors/deleteMonitorByRef',
  'monitors/deleteMonitors',
  'regions/updateRegion',
  'regions/deleteRegion',
  'status-pages/updateStatusPage',
  'status-pages/deleteStatusPage',
  'status-pages/setPageImage',
  'status-pages/deletePageImage',
  'webhooks/updateWebhook',
  'webhooks/deleteWebhook',
  'webhooks/deleteWebhookByRef',
];

it.each(VERSIONED)('%s refuses another version with the code that its caller chose', async (name) => {
  const verb = VERB_CALLS[name];
  if (!verb) throw new Error(`there is no verb ${name}`);
  const run = await verb.prepare(createWorld(owner));
  for (const code of ['CONFLICT', 'PRECONDITION_FAILED'] as const) {
    const call = async () => run({ ...owner, expected: [{ version: 99, code }] });
    await expect(call()).rejects.toMatchObject({ code });
  }
});

describe('a new verb that changes or deletes', () => {
  const CHANGES = /\/(update|delete|remove|revoke|changeRole)/;
  it('is in the list above', () => {
    const unversioned = [
      'members/revokeInvitation',
      'subscribers/removeSubscriber',
      'markers/deleteMarker',
      'monitors/deleteCorrection',
      'regions/revokeRegionToken',
      'status-pages/revokePageToken',
    ];
    const changing = Object.keys(VERB_CALLS).filter((name) => CHANGES.test(name));
    expect(changing.filter((name) => ![...VERSIONED, ...unversioned].includes(name)).sort()).toEqual([]);
  });
});
