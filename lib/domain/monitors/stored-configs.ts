import { LRUCache } from 'lru-cache';
import { isCalled } from '@/lib/checks/types';
import type { Keyring } from '@/lib/core/keyring';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { permits } from '@/lib/domain/context/permissions';
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
import { ROW_VERSION } from './lists/current-query';
import { type Columns, readFields, selectFields } from './stored-fields';

/** The configuration of a monitor as the API returns it. It is shared: read only. */
export type StoredConfig = Pick<Monitor, 'version' | 'createdAt' | 'updatedAt'> &
  Versioned & {
    config: Readonly<MonitorConfig>;
    /** What `serializeInParts` wrote of it. */
    json: string | null;
    /** The token of the heartbeat URL; `[hidden]` for those who may not change the monitor, null for types without one. */
    heartbeatToken: string | null;
  };

/** Identifies a monitor and the version of its row. */
export type Versioned = { id: string; rowVersion: string };

/** Approximate bytes of a configuration and its JSON, apart from header values, bodies, assertions and authentication. */
const BYTES = 2500;
const MAX_BYTES = 48 * 1024 * 1024;

type Reading = Pick<OrganizationContext, 'db' | 'actor' | 'keyring'>;
type Cache = LRUCache<string, StoredConfig>;

/** By key ring, so that nothing can be read without the key. */
const caches = new WeakMap<Keyring, Cache>();

/**
 * The configurations of monitors in their order, from memory where this version of a row was read before: monitors are configured rarely
 * and listed often. Actors who may not change them do not get their secrets. At most one query; monitors that were deleted meanwhile have none.
 */
export async function readConfigs(
  ctx: Reading,
  monitors: readonly Versioned[],
): Promise<(StoredConfig | undefined)[]> {
  const cache = caches.get(ctx.keyring) ?? createConfigCache(MAX_BYTES);
  caches.set(ctx.keyring, cache);
  const isAll = permits(ctx, 'monitor.update');
  const keyOf = (id: string) => (isAll ? id : `${id} ${HIDDEN}`);
  const known = monitors.map(({ id, rowVersion }) => {
    const stored = cache.get(keyOf(id));
    return stored?.rowVersion === rowVersion ? stored : undefined;
  });
  const missing = monitors.filter((_, place) => known[place] === undefined).map(({ id }) => id);
  if (missing.length === 0) return known;
  const read = new Map<string, StoredConfig>();
  const rows = await ctx.db.$queryRaw<
    (Columns<FieldName> &
      Versioned & {
        version: number;
        createdAt: Date;
        updatedAt: Date;
        heartbeatTokenSealed: Uint8Array | null;
      })[]
  >`
    SELECT monitor.id, ${ROW_VERSION} AS "rowVersion", monitor.version,
           monitor.created_at AS "createdAt", monitor.updated_at AS "updatedAt",
           heartbeat_token_sealed AS "heartbeatTokenSealed", ${selectFields(FIELD_NAMES)}
      FROM monitor
     WHERE id = ANY(${missing})`;
  for (const row of rows) {
    const { id, rowVersion, version } = row;
    const times = { createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
    const fields = readFields(ctx.keyring, id, FIELD_NAMES, row);
    const sealed = isCalled(row) ? row.heartbeatTokenSealed : null;
    const heartbeatToken = sealed && (isAll ? openToken(ctx.keyring, id, sealed) : HIDDEN);
    const config = freeze(isAll ? fields : hideSecrets(fields));
    const stored = { id, rowVersion, config, json: null, version, heartbeatToken, ...times };
    read.set(id, stored);
    cache.set(keyOf(id), stored);
  }
  return known.map((stored, place) => stored ?? read.get(monitors[place]?.id ?? ''));
}

/** Configurations by monitor ID and access, the most recently used within `maxBytes`. */
export function createConfigCache(maxBytes: number): Cache {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ config: { headers, body, assertions, authentication, clientCertificate } }) =>
      BYTES +
      3 *
        ((body?.length ?? 0) +
          JSON.stringify([headers, assertions, authentication, clientCertificate]).length),
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
