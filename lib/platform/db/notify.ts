import type { Database, Transaction } from './client';

/** What processes tell each other; delivered at commit, once a transaction however often it is called. */
export type Channel =
  | 'pharos_checks'
  | 'pharos_deliveries'
  | 'pharos_dry_runs'
  | 'pharos_live'
  | 'pharos_mail'
  | 'pharos_pages'
  | 'pharos_domains';

/** Wakes whoever listens on `channel` when the transaction commits; `payload` is short of 8,000 bytes. */
export async function notify(tx: Transaction | Database, channel: Channel, payload = ''): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${channel}, ${payload})`;
}
