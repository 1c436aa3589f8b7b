import { invalidState } from '@/lib/core/errors';
import { requireItems } from '../files/decode';
import { isRecord, looseList } from '../files/loose';
import { rejectEntry } from '../plan/entries';
import type { ReadFile } from '../plan/plan';
import { leftBehind } from '../plan/sentences';
import { convertEndpoint, convertExternal } from './convert-endpoint';
import { endpointSchema, readDefaultAlerts } from './endpoint';
import { fillIn, hideUnknown, listPlaceholders, type Variables, variableOf } from './placeholders';
import { HINT, readConfig } from './read-config';

const LISTS = ['endpoints', 'external-endpoints', 'suites'];
/** Settings that are not imported do not need their value either. */
const SETTINGS = ['url', 'headers', 'body', 'conditions', 'dns'];
/** Most variables in a command. */
const MAX_VARIABLES = 100;

/** Reads the configuration of Gatus from one or several files. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export function readGatus(files: readonly Uint8Array[], variables: Variables): ReadFile {
  const config = readConfig(files);
  if (!LISTS.some((name) => Array.isArray(config[name])))
    throw invalidState(`The YAML has no endpoints of Gatus. ${HINT}`);
  const endpoints = looseList.parse(config.endpoints).filter(isRecord);
  const external = looseList.parse(config['external-endpoints']).filter(isRecord);
  const lists = ['endpoints', 'external-endpoints'].flatMap((name) => looseList.parse(config[name]));
  requireItems(lists.length);

  const defaults = readDefaultAlerts(fillIn(config.alerting, variables));
  const read = (raw: Record<string, unknown>) => endpointSchema.parse(fillIn(raw, variables));
  const parsed = endpoints.map((raw) => {
    const shown = hideUnknown(raw, variables);
    return { endpoint: read(shown), placeholders: listPlaceholders(pick(shown), variables) };
  });
  const { alerting, suites, announcements, maintenance } = config;
  const windows = parsed.reduce((sum, { endpoint }) => sum + endpoint['maintenance-windows'].length, 0);
  return {
    items: [
      ...parsed.map(({ endpoint, placeholders }) => convertEndpoint(endpoint, defaults, placeholders)),
      ...external.map((raw) => convertExternal(read(raw), defaults)),
      ...lists.flatMap((each, index) => (isRecord(each) ? [] : [rejectEntry(`Entry ${index + 1}`)])),
    ],
    notes: [
      ...noteVariables(endpoints.flatMap((raw) => listPlaceholders(pick(raw), variables))),
      ...leftBehind(isRecord(alerting) ? Object.keys(alerting).length : 0, 'alerting provider'),
      ...leftBehind(looseList.parse(suites).length, 'suite'),
      ...leftBehind(windows + (isRecord(maintenance) ? 1 : 0), 'maintenance window'),
      ...leftBehind(looseList.parse(announcements).length, 'announcement'),
    ],
  };
}

function pick(endpoint: Record<string, unknown>): unknown[] {
  return SETTINGS.map((name) => endpoint[name]);
}

/** How to import the values of placeholders. */
function noteVariables(placeholders: readonly string[]): string[] {
  const names = [...new Set(placeholders.map(variableOf).filter((name) => name !== null))];
  if (names.length === 0) return [];
  const list = names.slice(0, MAX_VARIABLES).map((name) => `$${name}`);
  return [
    `Some values are in the environment of Gatus. Put its variables into a file, as NAME=value, and import with --variables FILE on the command line; or run envsubst '${list.join(' ')}' < config.yaml > full.yaml with them set, and import full.yaml.`,
  ];
}
