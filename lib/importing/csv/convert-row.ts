import {
  findCheckType,
  hasFieldGroup,
  isCalled,
  isGroup,
  MONITOR_TYPES,
  PROBED_TYPES,
} from '@/lib/checks/types';
import { formatTiming } from '@/lib/core/time/duration';
import { defaultsOfType } from '@/lib/schemas/monitor';
import { describeField, type FieldName, monitorDefaults } from '@/lib/schemas/monitor/fields';
import { isRegionId } from '@/lib/schemas/regions';
import { looseSeconds } from '../files/durations';
import { isRecord, looseFlag, looseNumber, toTextMap, tryJson } from '../files/loose';
import { Draft } from '../plan/draft';
import { setHeartbeat, setSchedule } from '../plan/heartbeat';
import {
  addHeaders,
  setHttpUrl,
  setKeyword,
  setMethod,
  setRedirects,
  setRequestBody,
} from '../plan/http-request';
import { readSetting } from '../plan/misread';
import type { ImportedMonitor } from '../plan/plan';
import { NO_TARGET } from '../plan/reasons';
import { refOf } from '../plan/ref';
import { listOf, shown, spanOf } from '../plan/sentences';
import { setStatusCodes } from '../plan/status-codes';
import { hostAndPort, nameOfTarget, withoutPassword } from '../plan/targets';
import { completeTarget, NO_TYPE, SCHEME_ADDED, typeOfTarget } from './convert-line';
import { FIELDS } from './fields';

/** The names of columns. `Expected status`, `expected_status` and `expectedStatus` are read alike. */
const COLUMNS = {
  name: ['name', 'friendlyName', 'title'],
  target: ['url', 'target', 'host', 'hostname'],
  port: ['port'],
  type: ['type'],
  record: ['record', 'recordType'],
  method: ['method'],
  interval: ['interval'],
  timeout: ['timeout'],
  status: ['expectedStatusCode', 'expectedStatus', 'statusCode'],
  headers: ['headers'],
  body: ['body'],
  keyword: ['keyword'],
  regions: ['regions', 'region'],
  alert: ['alertThreshold'],
  recovery: ['recoveryThreshold'],
  degraded: ['degradedThreshold'],
  confirm: ['confirmInterval'],
  period: ['period'],
  schedule: ['schedule'],
  grace: ['grace'],
  follow: ['followRedirects'],
  redirects: ['maxRedirects'],
  verify: ['tlsVerify'],
  expiry: ['tlsExpiryDays'],
  tags: ['tags', 'tag'],
  ref: ['ref'],
  id: ['id'],
  enabled: ['enabled', 'active'],
} as const;
type Column = keyof typeof COLUMNS;

const plain = (column: string) => column.replaceAll('_', '').toLowerCase();
const KNOWN = new Set(Object.values(COLUMNS).flat().map(plain));
const TARGETS = new Set(COLUMNS.target.map(plain));

/** Whether a column, as `readHeader` normalizes it, is imported. */
export const isKnownColumn = (column: string) => KNOWN.has(plain(column));

/** Whether a column can name the target. A table needs one. */
export const isTargetColumn = (column: string) => TARGETS.has(plain(column));

const TYPE_NAMES: Partial<Record<string, string>> = {
  https: 'http',
  website: 'http',
  port: 'tcp',
  icmp: 'ping',
  job: 'heartbeat',
  push: 'heartbeat',
};

function readCells(row: Record<string, string>, columns: readonly string[]) {
  const texts = new Map(Object.entries(row).map(([column, text]) => [plain(column), text]));
  const given = new Set(columns.map(plain));
  const cell = (column: Column) =>
    COLUMNS[column].map((name) => texts.get(plain(name))).find((text) => text !== undefined) ?? null;
  return {
    cell,
    /** Whether the table has the column. */
    has: (column: Column) => COLUMNS[column].some((name) => given.has(plain(name))),
  };
}

/** The columns with a number, a duration or a flag, by the field that they set. */
const READERS = {
  interval: { column: 'interval', read: positive(looseSeconds), show: spanOf },
  timeout: { column: 'timeout', read: positive(looseSeconds), show: spanOf },
  degradedThreshold: { column: 'degraded', read: positive(looseMilliseconds), show: formatTiming },
  confirmInterval: { column: 'confirm', read: looseSeconds, show: spanOf },
  alertThreshold: { column: 'alert', read: natural, show: String },
  recoveryThreshold: { column: 'recovery', read: natural, show: String },
  maxRedirects: { column: 'redirects', read: natural, show: String },
  tlsExpiryDays: { column: 'expiry', read: natural, show: String },
  grace: { column: 'grace', read: looseSeconds, show: spanOf },
} as const satisfies Partial<
  Record<FieldName, { column: Column; read(text: string): number | null; show(value: number): string }>
>;
const FLAGS = {
  followRedirects: 'follow',
  tlsVerify: 'verify',
  enabled: 'enabled',
} as const satisfies Partial<Record<FieldName, Column>>;

function positive(read: (text: string) => number | null): (text: string) => number | null {
  return (text) => {
    const value = read(text);
    return value !== null && value > 0 ? value : null;
  };
}

function natural(text: string): number | null {
  const value = looseNumber.parse(text);
  return value !== null && value >= 0 ? value : null;
}

function looseMilliseconds(text: string): number | null {
  const seconds = looseNumber.parse(text) === null ? looseSeconds(text) : null;
  return seconds === null ? looseNumber.parse(text) : seconds * 1000;
}

/** Reads the settings of a row; what is not understood becomes the default, and is added to the changes. */
function readSettings(draft: Draft, { cell }: ReturnType<typeof readCells>, type: string) {
  const defaultOf = (field: FieldName) => {
    const known = MONITOR_TYPES.find((each) => each === type);
    const defaults: Partial<Record<FieldName, unknown>> = {
      ...monitorDefaults,
      ...(known === undefined ? {} : defaultsOfType(known)),
    };
    return defaults[field];
  };
  const labelOf = (field: FieldName) => describeField(field).form.label;
  return {
    number: (field: keyof typeof READERS) => {
      const { column, read, show } = READERS[field];
      const usual = defaultOf(field);
      const instead = typeof usual === 'number' ? show(usual) : null;
      return readSetting(draft, { label: labelOf(field), text: cell(column), read, instead });
    },
    flag: (field: keyof typeof FLAGS) =>
      readSetting(draft, {
        label: labelOf(field),
        text: cell(FLAGS[field]),
        read: (text) => looseFlag.parse(text),
        instead: String(defaultOf(field)),
      }),
  };
}
type Settings = ReturnType<typeof readSettings>;

/** One row of a CSV with these columns as a monitor, or why it cannot be imported. */
export function convertRow(row: Record<string, string>, columns: readonly string[]): ImportedMonitor {
  const cells = readCells(row, columns);
  const { cell } = cells;
  const host = cell('target')?.trim() ?? '';
  const placed = cell('port') === null ? host : (hostAndPort(host, looseNumber.parse(cell('port'))) ?? host);
  const completed = completeTarget(placed);
  const named = (cell('type') ?? typeOfTarget(completed) ?? '').trim().toLowerCase();
  const type = (Object.hasOwn(TYPE_NAMES, named) ? TYPE_NAMES[named] : undefined) ?? named;
  const target = findCheckType(type)?.form.complete?.(placed)?.target ?? completed;
  const name = cell('name') ?? nameOfTarget(target);
  const identity = cell('id') ?? cell('name');
  const ref =
    identity === null ? refOf('csv', withoutPassword(target), nameOfTarget(target)) : refOf('csv', identity);
  const draft = new Draft(FIELDS, { name, kind: named || 'unknown', ref: cell('ref') ?? ref });
  const job = MONITOR_TYPES.find((each) => each === type);
  const settings = readSettings(draft, cells, type);
  if (job && isCalled({ type: job })) {
    const times = { period: cell('period'), grace: settings.number('grace'), schedule: cell('schedule') };
    const reason = setJob(draft, times);
    if (reason !== null) return draft.reject(reason);
    setShared(draft, cells, settings);
    return draft.finish();
  }
  if (target === '') return draft.reject(NO_TARGET);
  const isPlainHost = hostAndPort(host, 1) !== null;
  if (isPlainHost && placed === host && cell('port') !== null)
    return draft.reject(`The port “${shown(cell('port') ?? '')}” is not a number from 1 to 65535.`);
  if (target !== placed) draft.change(SCHEME_ADDED);
  if (named === '') return draft.reject(NO_TYPE);
  const known = PROBED_TYPES.find((each) => each === type);
  if (known === undefined)
    return draft.reject(
      `The type ${shown(named)} is not supported. Use ${listOf(MONITOR_TYPES.filter((each) => !isGroup({ type: each })))}.`,
    );

  if (hasFieldGroup(known, 'request')) {
    setRequest(draft, cells, settings, target);
  } else {
    const parts = { url: target, recordType: cell('record')?.toUpperCase() ?? '', resolver: '' };
    draft.setTarget(known, findCheckType(known)?.form.parts?.join(parts) ?? target);
  }

  setChecks(draft, cells, settings);
  setShared(draft, cells, settings);
  return draft.finish();
}

/** When and where a target is checked. */
function setChecks(draft: Draft, { cell }: ReturnType<typeof readCells>, { number }: Settings): void {
  draft.setInterval(number('interval'));
  draft.setTimeout(number('timeout'));
  draft.setDegradedThreshold(number('degradedThreshold'));
  const confirm = number('confirmInterval');
  if (confirm !== null && !draft.setConfirmInterval(confirm))
    draft.change('A confirmation interval must be 5–30 whole seconds, and is left out.');
  setRegions(
    draft,
    (cell('regions') ?? '').split(/[,;|\s]+/).filter((region) => region !== ''),
  );
}

/** What every type has. */
function setShared(draft: Draft, { cell }: ReturnType<typeof readCells>, { number, flag }: Settings): void {
  draft.setAlertThreshold(number('alertThreshold'));
  draft.setRecoveryThreshold(number('recoveryThreshold'));
  draft.setTags((cell('tags') ?? '').split(/[,;|]/));
  const enabled = flag('enabled');
  if (enabled !== null) draft.setEnabled(enabled);
}

function setRequest(
  draft: Draft,
  { cell, has }: ReturnType<typeof readCells>,
  { number, flag }: Settings,
  url: string,
): void {
  setMethod(draft, cell('method'));
  setHeaders(draft, cell('headers'));
  setHttpUrl(draft, url);
  setRequestBody(draft, cell('body'), null);
  setStatusCodes(draft, (cell('status') ?? '').split(/[,;\s]+/));
  setKeyword(draft, cell('keyword'));
  setRedirects(draft, number('maxRedirects'));
  draft.setTlsExpiryDays(number('tlsExpiryDays'));
  const [follow, verify] = [flag('followRedirects'), flag('tlsVerify')];
  if (follow !== null) draft.body.followRedirects = follow;
  if (verify !== null) draft.body.tlsVerify = verify;
  if (!has('headers')) draft.keep('headers');
  if (!has('method') && !has('body')) draft.keep('method', 'body');
}

/** JSON, or one `Name: value` per line. */
function setHeaders(draft: Draft, text: string | null): void {
  if (text === null) return;
  const parsed = tryJson(text);
  if (isRecord(parsed)) {
    addHeaders(draft, toTextMap(parsed));
    return;
  }
  for (const line of text.split(/\r\n|\n|\r/).filter((each) => each.trim() !== '')) {
    const colon = line.indexOf(':');
    addHeaders(draft, { [line.slice(0, Math.max(0, colon))]: line.slice(colon + 1).trim() });
  }
}

function setRegions(draft: Draft, regions: readonly string[]): void {
  draft.setRegions(regions, new Map(regions.filter(isRegionId).map((region) => [region, region])));
}

const NO_TIMES = 'A heartbeat needs a period, or a schedule.';
const BOTH = 'A heartbeat has either a period or a schedule, not both.';

type Times = { period: string | null; grace: number | null; schedule: string | null };

/** Makes the monitor a heartbeat. A schedule is a cron expression, followed by a time zone unless it is UTC. Returns what is wrong. */
function setJob(draft: Draft, { period, grace, schedule }: Times): string | null {
  const text = schedule?.trim() ?? '';
  if (text !== '' && period !== null) return BOTH;
  if (text === '' && period === null) return NO_TIMES;
  const seconds = period === null ? null : positive(looseSeconds)(period);
  if (period !== null && seconds === null) return `The period “${shown(period)}” is not understood.`;
  setHeartbeat(draft, { period: seconds, grace });
  return text === '' ? null : setCron(draft, text);
}

const FIELDS_OF_CRON = 5;
const FIVE_FIELDS = 'The schedule must have five fields, such as 30 3 * * *, and can end with a time zone.';
/** What a sixth field is if a schedule has seconds, as those of some products. */
const FIELD_OF_CRON = /^(?:[\d*?,/LW#-]+$|(?:sun|mon|tue|wed|thu|fri|sat)\b)/i;

function setCron(draft: Draft, text: string): string | null {
  const words = text.split(/\s+/);
  const [timeZone, ...others] = words.slice(FIELDS_OF_CRON);
  const isZone = timeZone === undefined || !FIELD_OF_CRON.test(timeZone);
  if (words.length < FIELDS_OF_CRON || others.length > 0 || !isZone) return FIVE_FIELDS;
  return setSchedule(draft, { cron: words.slice(0, FIELDS_OF_CRON).join(' '), timeZone });
}
