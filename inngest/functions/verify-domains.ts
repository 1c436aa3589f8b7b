import { cron, type Inngest } from 'inngest';
import type { Engine } from '@/lib/engine/create-engine';

/**
 * Every minute: looks for the records of the custom domains that are due. Apart from `maintain`, which must not wait for
 * name servers; a run that takes longer than its minute is not joined by another one.
 */
export function createVerifyDomains(client: Inngest, engine: Pick<Engine, 'verifyDomains'>) {
  return client.createFunction(
    { id: 'verify-domains', retries: 0, singleton: { mode: 'skip' }, triggers: [cron('* * * * *')] },
    async () => {
      await engine.verifyDomains();
    },
  );
}
