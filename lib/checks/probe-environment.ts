import type { SecureContext } from 'node:tls';
import type { Resolver } from '@/lib/platform/net/resolve';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';

/** What a worker gives its probes. */
export type ProbeEnvironment = {
  policy: TargetPolicy;
  /** How host names become addresses; the system's way unless set. */
  resolver?: Resolver;
  /** Sent by http probes whose monitor sets no User-Agent of its own. */
  userAgent: string;
  /** The DNS servers that dns probes ask (`10.0.0.2`, `[::1]:5353`); the system's unless set. */
  dnsServers?: string[];
  /** The authorities that https probes trust instead of Node's. */
  secureContext?: SecureContext;
  /** Stops what is in flight; a check stopped so is `unknown`. */
  signal?: AbortSignal;
};
