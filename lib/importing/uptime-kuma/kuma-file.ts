import { invalidState } from '@/lib/core/errors';
import { decodeJson, decodeText, looksLikeJson, requireItems } from '../files/decode';
import { isRecord, looseList, looseTexts, tryJson } from '../files/loose';
import { isSqlite, readSqlite, type SqliteRow, type Tables } from '../files/sqlite';
import { rejectEntry } from '../plan/entries';
import { type ImportedMonitor, MAX_ITEMS } from '../plan/plan';
import { leftBehind } from '../plan/sentences';
import { type KumaMonitor, MONITOR_COLUMNS, parseMonitor, withColumnNames } from './monitor-row';

export type KumaFile = {
  monitors: KumaMonitor[];
  /** What a list of monitors contains besides. */
  others: ImportedMonitor[];
  /** Days before a certificate expires at which Uptime Kuma notifies. */
  expiryDays: number[];
  notes: string[];
};

const HINT = 'Choose kuma.db from the data folder of Uptime Kuma, or a backup in JSON.';
const DEFAULT_EXPIRY_DAYS = [7, 14, 21];
/** Beyond what a limited number of monitors can have. */
const MAX_TAG_LINKS = 10 * MAX_ITEMS;

/** Tables that are not imported, with the noun for their rows. */
const OTHER_TABLES = {
  notification: 'notification setting',
  status_page: 'status page',
  maintenance: 'maintenance window',
  proxy: 'proxy',
  docker_host: 'Docker host',
} as const;

/** Reads `kuma.db` (1.23 and 2.x) or a backup in JSON. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export async function readKumaFile(file: Uint8Array): Promise<KumaFile> {
  return isSqlite(file) ? readSqlite(file, readDatabase) : readBackup(file);
}

function readDatabase(tables: Tables): KumaFile {
  const rows = tables.read('monitor', MONITOR_COLUMNS, MAX_ITEMS + 1);
  if (rows.length === 0 && tables.count('heartbeat') === 0 && tables.count('setting') === 0)
    throw invalidState(`The database has no monitors of Uptime Kuma. ${HINT}`);
  requireItems(rows.length);
  const tags = readTags(tables);
  return {
    others: [],
    monitors: rows.map((row) => parseMonitor({ ...row, tags: tags.get(String(row.id)) })),
    expiryDays: readExpiryDays(tables),
    notes: Object.entries(OTHER_TABLES).flatMap(([table, noun]) =>
      leftBehind(tables.count(table), noun, noun === 'proxy' ? 'proxies' : undefined),
    ),
  };
}

/** The tags of each monitor, by its ID. */
function readTags(tables: Tables): Map<string, SqliteRow[]> {
  const names = new Map(
    tables.read('tag', ['id', 'name'], MAX_ITEMS).map(({ id, name }) => [String(id), name ?? null]),
  );
  const links = tables.read('monitor_tag', ['monitor_id', 'tag_id', 'value'], MAX_TAG_LINKS);
  const tags = new Map<string, SqliteRow[]>();
  for (const { monitor_id, tag_id, value } of links) {
    const tag = { name: names.get(String(tag_id)) ?? null, value: value ?? null };
    const others = tags.get(String(monitor_id));
    if (others === undefined) tags.set(String(monitor_id), [tag]);
    else others.push(tag);
  }
  return tags;
}

function readExpiryDays(tables: Tables): number[] {
  const settings = tables.read('setting', ['key', 'value'], 1000);
  const stored = settings.find(({ key }) => key === 'tlsExpiryNotifyDays')?.value;
  const days = typeof stored === 'string' ? looseTexts.parse(tryJson(stored)).map(Number) : [];
  const valid = days.filter((day) => Number.isInteger(day) && day > 0);
  return valid.length > 0 ? valid : DEFAULT_EXPIRY_DAYS;
}

function readBackup(file: Uint8Array): KumaFile {
  const text = decodeText(file, HINT);
  if (!looksLikeJson(text)) throw invalidState(`This is not a file of Uptime Kuma. ${HINT}`);
  const backup = decodeJson(text, HINT);
  if (!isRecord(backup) || !('monitorList' in backup))
    throw invalidState(`The JSON has no monitors of Uptime Kuma (monitorList). ${HINT}`);
  const { monitorList } = backup;
  const entries = isRecord(monitorList)
    ? Object.entries(monitorList)
    : looseList.parse(monitorList).map((entry, index) => [String(index + 1), entry] as const);
  requireItems(entries.length);
  const list = entries.map(([, entry]) => entry).filter(isRecord);
  return {
    others: entries.flatMap(([key, entry]) => (isRecord(entry) ? [] : [rejectEntry(`Entry ${key}`)])),
    monitors: list.map((monitor) => parseMonitor(withColumnNames(monitor))),
    expiryDays: DEFAULT_EXPIRY_DAYS,
    notes: [
      ...leftBehind(looseList.parse(backup.notificationList).length, OTHER_TABLES.notification),
      ...leftBehind(looseList.parse(backup.proxyList).length, OTHER_TABLES.proxy, 'proxies'),
    ],
  };
}
