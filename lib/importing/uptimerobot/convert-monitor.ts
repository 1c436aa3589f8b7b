import { Draft } from '../plan/draft';
import {
  addHeaders,
  setBasicAuth,
  setHttpUrl,
  setKeyword,
  setMethod,
  setRequestBody,
} from '../plan/http-request';
import type { ImportedMonitor } from '../plan/plan';
import { ABSENT_KEYWORD, DIGEST, HEARTBEAT, NO_TARGET, UDP, UNKNOWN_KIND } from '../plan/reasons';
import { refOf } from '../plan/ref';
import { setStatusCodes } from '../plan/status-codes';
import { connectionTarget, nameOfTarget } from '../plan/targets';
import { alertsIfPresent, type RobotMonitor } from './robot-monitor';

/** Ports of the predefined services, by `sub_type`. */
const SERVICE_PORTS: Partial<Record<number, number>> = { 1: 80, 2: 443, 3: 21, 4: 25, 5: 110, 6: 143 };

const UNSUPPORTED: Partial<Record<string, string>> = { heartbeat: HEARTBEAT, udp: UDP };

/** One monitor of UptimeRobot as a monitor of Pharos, or why it cannot be imported. */
export function convertMonitor(robot: RobotMonitor): ImportedMonitor {
  const identity = robot.friendly_name || nameOfTarget(robot.url ?? '');
  const ref = robot.id === null ? refOf('uptimerobot', identity) : `uptimerobot-${robot.id}`;
  const draft = new Draft({ name: identity, kind: robot.type, ref });
  const unsupported = Object.hasOwn(UNSUPPORTED, robot.type) ? UNSUPPORTED[robot.type] : undefined;
  if (unsupported !== undefined) return draft.reject(unsupported);
  const reason = robot.url === null ? NO_TARGET : setTarget(draft, robot, robot.url.trim());
  if (reason !== null) return draft.reject(reason);
  draft.setInterval(robot.interval);
  draft.setTimeout(robot.timeout);
  draft.setEnabled(!['0', 'paused'].includes(robot.status.trim().toLowerCase()));
  return draft.finish();
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
    if (alertsIfPresent(robot.keyword_type)) return ABSENT_KEYWORD;
    setKeyword(draft, robot.keyword_value);
    if (['1', 'caseinsensitive'].includes(robot.keyword_case_type.toLowerCase()))
      draft.change('The keyword is case-sensitive in Pharos.');
  }
  setMethod(draft, robot.http_method);
  addHeaders(draft, robot.custom_http_headers);
  setHttpUrl(draft, url);
  if (robot.http_username !== null) setBasicAuth(draft, robot.http_username, robot.http_password ?? '');
  const isJson = ['1', 'application/json'].includes(robot.post_content_type.toLowerCase());
  setRequestBody(draft, robot.post_value, isJson ? 'application/json' : null);
  const { custom_http_statuses: statuses } = robot;
  setStatusCodes(draft, statuses.length > 0 ? statuses : ['200-399']);
  return null;
}

function hostOf(text: string): string {
  return text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[/?#].*$/s, '');
}
