import { invalidState } from '@/lib/core/errors';
import { decodeText, requireItems } from '../files/decode';
import { isRecord, looseList } from '../files/loose';
import { decodeYaml } from '../files/yaml';
import type { ReadFile } from '../plan/plan';
import { leftBehind } from '../plan/sentences';
import { convertEndpoint, convertExternal } from './convert-endpoint';
import { endpointSchema, readDefaultAlerts } from './endpoint';
import { findPlaceholders, unescapeAll } from './placeholders';

const HINT = 'Choose the configuration of Gatus (config.yaml).';
const LISTS = ['endpoints', 'external-endpoints', 'suites'];

/** Reads the configuration of Gatus. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export function readGatus(file: Uint8Array): ReadFile {
  const config = decodeYaml(decodeText(file, HINT), HINT);
  if (!isRecord(config) || !LISTS.some((name) => Array.isArray(config[name])))
    throw invalidState(`The YAML has no endpoints of Gatus. ${HINT}`);
  const endpoints = looseList.parse(config.endpoints).filter(isRecord);
  const external = looseList.parse(config['external-endpoints']).filter(isRecord);
  requireItems(endpoints.length + external.length);

  const defaults = readDefaultAlerts(config.alerting);
  const parsed = endpoints.map((endpoint) => ({
    endpoint: endpointSchema.parse(unescapeAll(endpoint)),
    // Settings that are not imported do not need their value either.
    placeholders: ['url', 'headers', 'body', 'conditions', 'dns'].flatMap((name) =>
      listPlaceholders(endpoint[name]),
    ),
  }));
  const { alerting, suites, announcements, maintenance } = config;
  const windows = parsed.reduce((sum, { endpoint }) => sum + endpoint['maintenance-windows'].length, 0);
  return {
    items: [
      ...parsed.map(({ endpoint, placeholders }) => convertEndpoint(endpoint, defaults, placeholders)),
      ...external.map((each) => convertExternal(endpointSchema.parse(unescapeAll(each)), defaults)),
    ],
    notes: [
      ...leftBehind(isRecord(alerting) ? Object.keys(alerting).length : 0, 'alerting provider'),
      ...leftBehind(looseList.parse(suites).length, 'suite'),
      ...leftBehind(windows + (isRecord(maintenance) ? 1 : 0), 'maintenance window'),
      ...leftBehind(looseList.parse(announcements).length, 'announcement'),
    ],
  };
}

/** The placeholders in all texts of a value. */
function listPlaceholders(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return findPlaceholders(value);
  if (typeof value !== 'object' || value === null || depth > 10) return [];
  return Object.values(value).flatMap((each) => listPlaceholders(each, depth + 1));
}
