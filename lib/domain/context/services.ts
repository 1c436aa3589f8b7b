import type { Clock } from '@/lib/core/clock';
import type { Keyring } from '@/lib/core/keyring';
import type { Database } from '@/lib/platform/db/client';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';

/** What every verb may reach: handed in, so that tests bring their own database and turn the clock. */
export type Services = {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  targetPolicy: TargetPolicy;
  /** Whether this installation sends e-mail; where it does not, a link is shown instead of mailed. */
  mail: { isOn: boolean };
  /** How long people stay signed in: after signing in at most, and without using the dashboard. */
  sessions: { lifetimeMs: number; idleMs: number };
  /** Where people open the dashboard (APP_URL), without a slash at the end; null: not known, and no link is made. */
  appUrl: string | null;
};
