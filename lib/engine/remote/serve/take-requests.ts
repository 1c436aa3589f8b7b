import type { Wake } from '@/lib/core/time/wake';
import { createDryRunStore } from '@/lib/engine/checks/requested/dry-run-store';
import { createManualCheckStore } from '@/lib/engine/checks/requested/manual-check-store';
import { type Input, MAX_WAIT_MS, type Output } from '@/lib/engine/remote/protocol';
import { sealSecrets } from '@/lib/engine/remote/sealed-secrets';
import type { ProbeServices } from './services';

/** Takes what people request in a region, once there is any or `waitMs` have passed. `requests` rings when there may be. */
export async function takeRequests(
  services: ProbeServices,
  requests: Wake,
  { region, limit, waitMs, publicKey }: Input<'takeRequests'> & { region: string },
): Promise<Output<'takeRequests'>> {
  const until = performance.now() + Math.min(waitMs, MAX_WAIT_MS);
  for (;;) {
    const seen = requests.rings();
    const [manualChecks, dryRuns] = await Promise.all([
      createManualCheckStore(services).claim([region], limit),
      createDryRunStore(services).claim([region]),
    ]);
    const restMs = until - performance.now();
    if (manualChecks.length > 0 || dryRuns.length > 0 || restMs <= 0) {
      return {
        manualChecks: await sealSecrets(manualChecks, publicKey),
        dryRuns: await sealSecrets(dryRuns, publicKey),
      };
    }
    await requests.sleep(restMs, { seen });
  }
}
