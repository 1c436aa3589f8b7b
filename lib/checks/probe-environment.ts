import type { SecureContext } from 'node:tls';
import type { Suspensions } from '@/lib/core/time/suspensions';
import type { Resolver } from '@/lib/platform/net/resolve';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';
import type { Observed } from './assertions/observed';

export type ProbeEnvironment = {
  policy: TargetPolicy;
  /** Resolves host names; defaults to the system resolver. */
  resolver?: Resolver;
  /** Sent by http probes unless the monitor sets its own User-Agent. */
  userAgent: string;
  /** The DNS servers used by dns probes (`10.0.0.2`, `[::1]:5353`); defaults to the system's. */
  dnsServers?: string[];
  /** The certificate authorities that https probes trust instead of Node's. */
  secureContext?: SecureContext;
  /** Which results carry what the check saw, by outcome; none by default, which costs nothing. */
  evidenceOf?: 'ok' | 'failed' | 'any';
  /** Receives what the check saw, if it came to a response. */
  observe?(observed: Observed): void;
  /** A check during which this process was suspended is repeated once. Without it, no check is repeated. */
  suspensions?: Pick<Suspensions, 'count'>;
  /** Called before a check begins again. Returns false if it is too late for that: then what it saw is unknown. */
  beginAgain?(): boolean;
  /** Aborts checks in flight; an aborted check is `unknown`. */
  signal?: AbortSignal;
};
