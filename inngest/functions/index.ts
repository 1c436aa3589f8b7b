import type { Inngest } from 'inngest';
import type { Engine } from '@/lib/engine/create-engine';
import { createCheckShard } from './check-shard';
import { createDeliverShard } from './deliver-shard';
import { createMaintain } from './maintain';
import { createSendMail } from './send-mail';
import { createSweep } from './sweep';
import { createVerifyDomains } from './verify-domains';

/** All functions of a worker; the embedded driver and a real Inngest server run the same ones. */
export function createFunctions(
  client: Inngest,
  { engine, regions, shards }: { engine: Engine; regions: readonly string[]; shards: number },
) {
  const { services, drainMail } = engine;
  return [
    createSweep(client, { clock: services.clock, regions, shards, sendsMail: drainMail !== null }),
    createCheckShard(client, engine),
    createDeliverShard(client, engine),
    createMaintain(client, services),
    ...(drainMail ? [createSendMail(client, drainMail)] : []),
    createVerifyDomains(client, engine),
  ];
}
