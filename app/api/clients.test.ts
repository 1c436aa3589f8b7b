import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '@/lib/testing/receiver';
import { listOperations } from './openapi.json/describe';
import { borrowTenant } from './testing/borrow-tenant';
import { LIVES } from './testing/client-life';
import { type LifeClient, openPharosClient, openSecondClient } from './testing/life-clients';

const setting = borrowTenant();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver?.close());

type Open = (access: { url: string; apiKey: string }) => Promise<LifeClient>;

describe.each<[string, Open]>([
  ['@pharos/client', openPharosClient],
  ['the client that oazapfts generates', openSecondClient],
])('%s', (_, open) => {
  it('drives the life of every resource, and succeeds with every operation of the document', async () => {
    const { service, backdoor } = setting;
    const tenant = await backdoor.addTenant();
    const client = await open({ url: service.url, apiKey: tenant.apiKey });
    const { api, addMember } = tenant;
    for (const [resource, live] of Object.entries(LIVES)) {
      await live(client, { api, addMember, db: backdoor.db, receiverUrl: receiver.url }).catch((error) => {
        throw new Error(`${resource}: ${error.message}`, { cause: error });
      });
    }
    const all = listOperations().map(({ operationId }) => operationId);
    expect(all.filter((id) => !client.succeeded.has(id))).toEqual([]);
  });
});
