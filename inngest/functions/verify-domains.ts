import { cron, type Inngest } from 'inngest';
import type { Engine } from '@/lib/engine/create-engine';

/** Every minute: verifies due custom domains, one run at a time. `maintain` must not wait for name servers. */
export function createVerifyDomains(client: Inngest, engine: Pick<Engine, 'verifyDomains'>) {
  return client.createFunction(
    { id: 'verify-domains', retries: 0, singleton: { mode: 'skip' }, triggers: [cron('* * * * *')] },
    async () => {
      await engine.verifyDomains();
    },
  );
}
