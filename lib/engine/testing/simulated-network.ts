import type { ProbeResult } from '@/lib/checks/result';
import type { AskableProof, OwnNetwork } from '@/lib/platform/net/canary';
import { readLinks } from '@/lib/platform/net/links';
import type { NetworkProof } from '@/lib/state/watcher-outage';
import { FAILED } from './story';

/** The result of a check that met a silent network. */
export const CUT: ProbeResult = {
  ...FAILED,
  statusCode: null,
  error: { code: 'timeout', message: 'no response within 10s' },
  networkFailure: true,
};

/** How long a silent proof is waited for. */
const PATIENCE_MS = 2000;
const ROUND_TRIP_MS = 20;

export type SimulatedProof = NetworkProof & { responds: () => boolean | null };

/** The network of a machine with the address 10.1.0.2/24 on `lan`, and these proofs. `asked` counts how often each was asked. */
export function simulateNetwork(proofs: readonly SimulatedProof[]) {
  const asked = new Map<string, number>();
  const askable = proofs.map(
    ({ responds, ...proof }): AskableProof => ({
      ...proof,
      ask: async () => {
        asked.set(proof.id, (asked.get(proof.id) ?? 0) + 1);
        const response = responds();
        if (response !== null) await delay(response ? ROUND_TRIP_MS : PATIENCE_MS);
        return response;
      },
    }),
  );
  const mac = '02:00:00:00:00:01';
  const lan = { address: '10.1.0.2', cidr: '10.1.0.2/24', netmask: '255.255.255.0', mac };
  const links = readLinks({ lan: [{ ...lan, family: 'IPv4', internal: false }] });
  const network: OwnNetwork = { readLinks: () => links, listProofs: async () => askable };
  return { network, asked };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
