import { LRUCache } from 'lru-cache';
import { isProbed } from '@/lib/checks/types';
import type { Keyring } from '@/lib/core/keyring';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
import { Prisma } from '@/lib/platform/db/generated/client';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Monitor } from '@/lib/schemas/monitor';
import {
  describeField,
  FIELD_NAMES,
  type FieldName,
  type MonitorConfig,
  SECRET_FIELDS,
} from '@/lib/schemas/monitor/fields';
import { openToken } from './heartbeats/heartbeat-token';
import { type Columns, readFields, selectFields } from './stored-fields';

/** The configuration of a monitor as the API returns it. It is shared: read only. */
export type StoredConfig = Pick<Monitor, 'version' | 'createdAt' | 'updatedAt'> & {
  config: Readonly<MonitorConfig>;
  /** The token of the heartbeat URL; `[hidden]` for those who may not change the monitor, null for types without one. */
  heartbeatToken: string | null;
};

/** Identifies a monitor and the version of its row. */
export type Versioned = { id: string; rowVersion: string };

/** The column of `Versioned`: the transaction that wrote the row, and where. It changes whenever anything in the row does. */
export const ROW_VERSION = Prisma.sql`concat(monitor.xmin, ' ', monitor.ctid)`;

/** Approximate bytes of a configuration, apart from header values, bodies and assertions. */
const BYTES = 1500;
const MAX_BYTES = 48 * 1024 * 1024;

type Reading = Pick<OrganizationContext, 'db' | 'actor' | 'keyring'>;
type Cache = LRUCache<string, StoredConfig>;

/** By key ring, so that nothing can be read without the key. */
const caches = new WeakMap<Keyring, Cache>();

/**
 * The configurations of monitors by ID, from memory where this version of a row was read before: monitors are configured rarely and
 * listed often. Actors who may not change them do not get their secrets. At most one query.
 */
export async function readConfigs(
  ctx: Reading,
  monitors: readonly Versioned[],
): Promise<ReadonlyMap<string, StoredConfig>> {
  const cache = caches.get(ctx.keyring) ?? createCache();
  caches.set(ctx.keyring, cache);
  const access = permits(ctx, 'monitor.update') ? 'all' : 'hidden';
  const keyOf = ({ id, rowVersion }: Versioned) => `${id} ${rowVersion} ${access}`;
  const found = new Map<string, StoredConfig>();
  const missing: string[] = [];
  for (const monitor of monitors) {
    const known = cache.get(keyOf(monitor));
    if (known) found.set(monitor.id, known);
    else missing.push(monitor.id);
  }
  if (missing.length === 0) return found;
  const rows = await ctx.db.$queryRaw<
    (Columns<FieldName> &
      Versioned & {
        version: number;
        createdAt: Date;
        updatedAt: Date;
        heartbeatTokenSealed: Uint8Array | null;
      })[]
  >`
    SELECT monitor.id, ${ROW_VERSION} AS "rowVersion", monitor.version, monitor.created_at AS "createdAt", monitor.updated_at AS "updatedAt",
           heartbeat_token_sealed AS "heartbeatTokenSealed", ${selectFields(FIELD_NAMES)}
      FROM monitor WHERE id = ANY(${missing})`;
  for (const row of rows) {
    const { version } = row;
    const times = { createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
    const fields = readFields(ctx.keyring, row.id, FIELD_NAMES, row);
    const isAll = access === 'all';
    const sealed = isProbed(row) ? null : row.heartbeatTokenSealed;
    const heartbeatToken = sealed && (isAll ? openToken(ctx.keyring, row.id, sealed) : HIDDEN);
    const config = freeze(isAll ? fields : hideSecrets(fields));
    const stored = { config, version, heartbeatToken, ...times };
    found.set(row.id, stored);
    cache.set(keyOf(row), stored);
  }
  return found;
}

function createCache(): Cache {
  return new LRUCache({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ config: { headers, body, assertions } }) =>
      BYTES + 2 * ((body?.length ?? 0) + JSON.stringify([headers, assertions]).length),
  });
}

function hideSecrets(config: MonitorConfig): MonitorConfig {
  const hidden = SECRET_FIELDS.map((name) => [name, describeField(name).secret?.hide(config[name])]);
  return { ...config, ...Object.fromEntries(hidden) };
}

function freeze(config: MonitorConfig): Readonly<MonitorConfig> {
  for (const value of Object.values(config)) Object.freeze(value);
  return Object.freeze(config);
}
