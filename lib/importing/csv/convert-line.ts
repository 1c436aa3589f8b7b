import { hasFieldGroup, type MonitorType, PROBED_TYPES, readTarget } from '@/lib/checks/types';
import { addScheme } from '@/lib/core/addresses';
import { Draft } from '../plan/draft';
import { setHttpUrl } from '../plan/http-request';
import type { ImportedMonitor } from '../plan/plan';
import { refOf } from '../plan/ref';
import { nameOfTarget, withoutPassword } from '../plan/targets';
import { FIELDS } from './fields';

/** Why a target has no type. */
export const NO_TYPE = 'It is not an http or https URL, host:port, host name or IP address.';

/** What was done to a URL without a scheme. */
export const SCHEME_ADDED = 'https:// was added to the URL.';

/** The first type of monitor that a target is valid for: HTTP for a URL, TCP for `host:port`, ping for a host. */
export function typeOfTarget(target: string): MonitorType | undefined {
  const url = withoutPassword(target);
  return PROBED_TYPES.find((type) => readTarget({ type, url }) !== null);
}

/** A target that is valid for no type as the URL that it is without a scheme, such as `example.com:8443/path`; others as they are. */
export function completeTarget(target: string): string {
  return typeOfTarget(target) === undefined ? (addScheme(target) ?? target) : target;
}

/** One line of a plain list as a monitor, or why it is none. */
export function convertLine(given: string): ImportedMonitor {
  const line = completeTarget(given);
  const type = typeOfTarget(line);
  const ref = refOf('csv', withoutPassword(line), nameOfTarget(line));
  const draft = new Draft(FIELDS, { name: nameOfTarget(line), kind: type ?? 'unknown', ref });
  if (type === undefined) return draft.reject(NO_TYPE);
  if (line !== given) draft.change(SCHEME_ADDED);
  if (hasFieldGroup(type, 'request')) setHttpUrl(draft, line);
  else draft.setTarget(type, line);
  // A list has only targets.
  draft.keep('method', 'headers', 'body');
  return draft.finish();
}
