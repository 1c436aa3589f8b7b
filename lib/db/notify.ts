import type { Database, Transaction } from './client';

/** What processes tell each other; delivered at commit, once a transaction however often it is called. */
export type Channel = 'pharos_checks' | 'pharos_deliveries' | 'pharos_dry_runs' | 'pharos_mail';

/** Wakes whoever listens on `channel` when the transaction commits. */
export async function notify(tx: Transaction | Database, channel: Channel): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${channel}, '')`;
}
