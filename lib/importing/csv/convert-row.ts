import {
  findCheckType,
  hasFieldGroup,
  isCalled,
  isGroup,
  MONITOR_TYPES,
  PROBED_TYPES,
} from '@/lib/checks/types';
import { isRegionId } from '@/lib/schemas/regions';
import { goSeconds } from '../files/durations';
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
import type { ImportedMonitor } from '../plan/plan';
import { NO_TARGET } from '../plan/reasons';
import { refOf } from '../plan/ref';
import { listOf, shown } from '../plan/sentences';
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
    number: (column: Column) => looseNumber.parse(cell(column)),
    flag: (column: Column) => looseFlag.parse(cell(column)),
    /** Whether the table has the column. */
    has: (column: Column) => COLUMNS[column].some((name) => given.has(plain(name))),
  };
}

/** One row of a CSV with these columns as a monitor, or why it cannot be imported. */
export function convertRow(row: Record<string, string>, columns: readonly string[]): ImportedMonitor {
  const cells = readCells(row, columns);
  const { cell, number, flag } = cells;
  const host = cell('target')?.trim() ?? '';
  const placed = cell('port') === null ? host : (hostAndPort(host, number('port')) ?? host);
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
  if (job && isCalled({ type: job })) {
    const [period, grace] = [secondsIn(cell('period')), secondsIn(cell('grace'))];
    const reason = setJob(draft, { period, grace, schedule: cell('schedule') });
    if (reason !== null) return draft.reject(reason);
    return finish();
  }
  if (target === '') return draft.reject(NO_TARGET);
  if (target !== placed) draft.change(SCHEME_ADDED);
  if (named === '') return draft.reject(NO_TYPE);
  const known = PROBED_TYPES.find((each) => each === type);
  if (known === undefined)
    return draft.reject(
      `The type ${shown(named)} is not supported. Use ${listOf(MONITOR_TYPES.filter((each) => !isGroup({ type: each })))}.`,
    );

  if (hasFieldGroup(known, 'request')) {
    setRequest(draft, cells, target);
  } else {
    const parts = { url: target, recordType: cell('record')?.toUpperCase() ?? '', resolver: '' };
    draft.setTarget(known, findCheckType(known)?.form.parts?.join(parts) ?? target);
  }

  draft.setInterval(secondsIn(cell('interval')));
  draft.setTimeout(secondsIn(cell('timeout')));
  draft.setDegradedThreshold(number('degraded'));
  const confirm = secondsIn(cell('confirm'));
  if (confirm !== null && !draft.setConfirmInterval(confirm))
    draft.change('A confirmation interval must be 5–30 whole seconds, and is left out.');
  setRegions(
    draft,
    (cell('regions') ?? '').split(/[,;|\s]+/).filter((region) => region !== ''),
  );
  return finish();

  function finish(): ImportedMonitor {
    draft.setAlertThreshold(number('alert'));
    draft.setRecoveryThreshold(number('recovery'));
    draft.setTags((cell('tags') ?? '').split(/[,;|]/));
    const enabled = flag('enabled');
    if (enabled !== null) draft.setEnabled(enabled);
    return draft.finish();
  }
}

function setRequest(
  draft: Draft,
  { cell, number, flag, has }: ReturnType<typeof readCells>,
  url: string,
): void {
  setMethod(draft, cell('method'));
  setHeaders(draft, cell('headers'));
  setHttpUrl(draft, url);
  setRequestBody(draft, cell('body'), null);
  setStatusCodes(draft, (cell('status') ?? '').split(/[,;\s]+/));
  setKeyword(draft, cell('keyword'));
  setRedirects(draft, number('redirects'));
  draft.setTlsExpiryDays(number('expiry'));
  const [follow, verify] = [flag('follow'), flag('verify')];
  if (follow !== null) draft.body.followRedirects = follow;
  if (verify !== null) draft.body.tlsVerify = verify;
  if (!has('headers')) draft.keep('headers');
  if (!has('method') && !has('body')) draft.keep('method', 'body');
}

/** Seconds, or a duration with a unit such as `5m`. */
function secondsIn(text: string | null): number | null {
  return looseNumber.parse(text) ?? goSeconds(text);
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

type Times = { period: number | null; grace: number | null; schedule: string | null };

/** Makes the monitor a heartbeat. A schedule is a cron expression, followed by a time zone unless it is UTC. Returns what is wrong. */
function setJob(draft: Draft, { period, grace, schedule }: Times): string | null {
  const text = schedule?.trim() ?? '';
  if (text !== '' && period !== null) return BOTH;
  if (text === '' && period === null) return NO_TIMES;
  setHeartbeat(draft, { period, grace });
  if (text === '') return null;
  const [, cron = '', timeZone] = /^((?:\S+\s+){4}\S+)(?:\s+(\S+))?$/.exec(text) ?? [];
  return setSchedule(draft, { cron, timeZone });
}
