import type { Client } from 'pg';
import type { TableSum } from '../archive/records';
import { quoteName } from './read-catalog';

/**
 * The ID of the oldest transaction that a snapshot does not see as ended. Row versions that older transactions wrote are complete: no
 * more are added. They can only be deleted, and an update deletes one.
 */
export type Horizon = string;

/** The horizon of the current snapshot of `client`. */
export async function readHorizon(client: Client): Promise<Horizon> {
  const { rows } = await client.query<{ horizon: Horizon }>(
    'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon',
  );
  return rows[0]?.horizon ?? '3';
}

/**
 * The condition for row versions from before a horizon. IDs of transactions wrap around after two billion, so it is false for rows
 * that are still older: every row meets either this or `isAfter`.
 */
export function isBefore(horizon: Horizon): string {
  return `age(xmin) > age('${horizon}'::xid8::xid)`;
}

/** The condition for the other rows. */
export function isAfter(horizon: Horizon): string {
  return `NOT ${isBefore(horizon)}`;
}

/** How many rows of a partition the snapshot of `client` sees on either side of a horizon. */
async function countSides(
  client: Client,
  name: string,
  horizon: Horizon,
): Promise<{ before: number; after: number }> {
  const { rows } = await client.query<{ before: string; after: string }>(
    `SELECT count(*) FILTER (WHERE ${isBefore(horizon)}) AS before, count(*) FILTER (WHERE ${isAfter(horizon)}) AS after
       FROM ${quoteName(name)}`,
  );
  return { before: Number(rows[0]?.before), after: Number(rows[0]?.after) };
}

/**
 * Looks whether partitions still contain the rows from before a horizon that were copied then: a row version never changes and is never
 * added, so the same number means the same rows. Returns, by name of those that do, the share of rows that have been added.
 */
export async function findIntact(
  client: Client,
  copied: readonly TableSum[],
  horizon: Horizon,
): Promise<Map<string, number>> {
  const intact = new Map<string, number>();
  for (const { name, rows } of copied) {
    const { before, after } = await countSides(client, name, horizon);
    if (before === rows) intact.set(name, after === 0 ? 0 : after / (before + after));
  }
  return intact;
}
