import { addAssertions, literal } from '../plan/assertions';
import { Draft } from '../plan/draft';
import { setHeartbeat } from '../plan/heartbeat';
import {
  addHeaders,
  keepLeftOut,
  setAbsentKeyword,
  setBasicAuth,
  setHttpUrl,
  setKeyword,
  setMethod,
  setRequestBody,
} from '../plan/http-request';
import type { ImportedMonitor } from '../plan/plan';
import { DIGEST, NO_TARGET, UDP, UNKNOWN_KIND } from '../plan/reasons';
import { refOf } from '../plan/ref';
import { setCodesThat } from '../plan/status-codes';
import { connectionTarget, nameOfTarget } from '../plan/targets';
import { FIELDS } from './fields';
import { alertsIfPresent, type RobotMonitor, robotMonitorSchema } from './robot-monitor';

/** Ports of the predefined services, by `sub_type`. */
const SERVICE_PORTS: Partial<Record<number, number>> = { 1: 80, 2: 443, 3: 21, 4: 25, 5: 110, 6: 143 };

const UNSUPPORTED: Partial<Record<string, string>> = { udp: UDP };

/** Seconds that a call may be late if the file does not say: enough for a slow network. */
const GRACE = 60;
const NO_INTERVAL =
  'The file does not say how often the job calls. Export from the API, or create a heartbeat in Pharos and let the job call it.';

/** One monitor of UptimeRobot as a monitor of Pharos, or why it cannot be imported. */
export function convertMonitor(record: Record<string, unknown>): ImportedMonitor {
  const robot = robotMonitorSchema.parse(record);
  const identity = robot.friendly_name || nameOfTarget(robot.url ?? '');
  const ref = robot.id === null ? refOf('uptimerobot', identity) : `uptimerobot-${robot.id}`;
  const draft = new Draft(FIELDS, { name: identity, kind: robot.type, ref });
  const unsupported = Object.hasOwn(UNSUPPORTED, robot.type) ? UNSUPPORTED[robot.type] : undefined;
  if (unsupported !== undefined) return draft.reject(unsupported);
  if (robot.type === 'heartbeat') return toHeartbeat(draft, robot);
  const reason = robot.url === null ? NO_TARGET : setTarget(draft, robot, robot.url.trim());
  if (reason !== null) return draft.reject(reason);
  draft.setInterval(robot.interval);
  draft.setTimeout(robot.timeout);
  draft.setEnabled(!isPaused(robot));
  if (draft.hasRequest) keepLeftOut(draft, record, REQUEST_NAMES);
  return draft.finish();
}

const REQUEST_NAMES = {
  method: 'http_method',
  headers: 'custom_http_headers',
  user: 'http_username',
  body: 'post_value',
};

function toHeartbeat(draft: Draft, robot: RobotMonitor): ImportedMonitor {
  if (robot.interval === null || robot.interval <= 0) return draft.reject(NO_INTERVAL);
  setHeartbeat(draft, { period: robot.interval, grace: robot.grace_period ?? GRACE });
  if (robot.grace_period === null) draft.change('The file has no grace: a call may be a minute late.');
  draft.setEnabled(!isPaused(robot));
  return draft.finish();
}

function isPaused({ status }: RobotMonitor): boolean {
  return ['0', 'paused'].includes(status.trim().toLowerCase());
}

/** Returns why there is no target. */
function setTarget(draft: Draft, robot: RobotMonitor, url: string): string | null {
  switch (robot.type) {
    case 'http':
    case 'keyword':
      return setRequest(draft, robot, url);
    case 'ping':
      draft.setTarget('ping', hostOf(url));
      return null;
    case 'port': {
      const port = robot.port ?? SERVICE_PORTS[robot.sub_type ?? 0] ?? null;
      const target = connectionTarget(url, port);
      if (target === null) return NO_TARGET;
      draft.setTarget('tcp', target);
      return null;
    }
    case 'dns':
      draft.setTarget('dns', hostOf(url));
      draft.change('The expected records are not imported: any address of the name is a success.');
      return null;
    default:
      return UNKNOWN_KIND;
  }
}

function setRequest(draft: Draft, robot: RobotMonitor, url: string): string | null {
  const auth = robot.http_auth_type || robot.auth_type;
  if (['2', 'digest'].includes(auth.toLowerCase())) return DIGEST;
  if (robot.type === 'keyword') {
    setKeywordOf(draft, robot);
  }
  setMethod(draft, robot.http_method);
  addHeaders(draft, robot.custom_http_headers);
  setHttpUrl(draft, url);
  if (robot.http_username !== null) setBasicAuth(draft, robot.http_username, robot.http_password ?? '');
  const isJson = ['1', 'application/json'].includes(robot.post_content_type.toLowerCase());
  setRequestBody(draft, robot.post_value, isJson ? 'application/json' : null);
  const { up, down } = robot.custom_http_statuses;
  const isUp = (code: number) => (up.length > 0 ? up.includes(String(code)) : code >= 200 && code <= 399);
  const accepts = (code: number) => isUp(code) && !down.includes(String(code));
  return setCodesThat(draft, accepts) ? null : 'It accepts no status code.';
}

/** The keyword that must exist, or must not. */
function setKeywordOf(draft: Draft, robot: RobotMonitor): void {
  const { keyword_value: keyword, keyword_type: type, keyword_case_type: caseType } = robot;
  const isAbsent = alertsIfPresent(type);
  if (keyword !== null && ['1', 'caseinsensitive'].includes(caseType.toLowerCase())) {
    const comparison = isAbsent ? 'notMatches' : 'matches';
    if (!addAssertions(draft, { source: 'body', comparison, target: `(?i)${literal(keyword)}` }))
      draft.change('The keyword is too long and left out.');
  } else if (isAbsent) setAbsentKeyword(draft, keyword);
  else setKeyword(draft, keyword);
}

function hostOf(text: string): string {
  return text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[/?#].*$/s, '');
}
