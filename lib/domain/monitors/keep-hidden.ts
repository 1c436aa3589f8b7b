import { readTarget } from '@/lib/checks/types';
import { DomainError, type ErrorDetail } from '@/lib/core/errors';
import { HIDDEN, listHiddenHeaders } from '@/lib/schemas/hidden';
import type { MonitorConfig } from '@/lib/schemas/monitor-fields';

type Target = Pick<MonitorConfig, 'type' | 'url'>;
type Stored = Target & Pick<MonitorConfig, 'headers' | 'body'>;
type Given = Partial<Pick<MonitorConfig, 'headers' | 'body'>>;

const NOTHING_STORED = 'is hidden, and no value is stored under this name; send the value itself';
const ORIGIN_CHANGED =
  'is hidden, and is kept only for the origin that it was stored for; send the value itself';

/**
 * `given` with the stored values in the place of `[hidden]`, for a monitor that will probe `target`. Nobody learns a value
 * by keeping it: throws VALIDATION_ERROR where nothing is stored under the name, and where `target` has another origin
 * than `stored`.
 */
export function keepHidden<T extends Given>(given: T, stored: Stored, target: Target): T {
  const names = listHiddenHeaders(given.headers ?? {});
  const isBodyHidden = given.body === HIDDEN;
  if (names.length === 0 && !isBodyHidden) return given;

  // Names of headers are the same in any case.
  const values = new Map(Object.entries(stored.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const isSameOrigin = originOf(target) === originOf(stored);
  const refuse = (path: string, isStored: boolean): ErrorDetail[] => {
    if (!isStored) return [{ path, code: 'nothing_stored', message: NOTHING_STORED }];
    return isSameOrigin ? [] : [{ path, code: 'origin_changed', message: ORIGIN_CHANGED }];
  };
  const details = [
    ...names.flatMap((name) => refuse(`headers.${name}`, values.has(name.toLowerCase()))),
    ...(isBodyHidden ? refuse('body', stored.body !== null) : []),
  ];
  if (details.length > 0) {
    const fields = details.map(({ path }) => path).join(', ');
    throw new DomainError('VALIDATION_ERROR', `The request is not valid: ${fields}.`, details);
  }
  const kept = Object.fromEntries(names.map((name) => [name, values.get(name.toLowerCase()) ?? '']));
  return {
    ...given,
    ...(given.headers ? { headers: { ...given.headers, ...kept } } : {}),
    ...(isBodyHidden ? { body: stored.body } : {}),
  };
}

/** To whom a probe sends headers and body; one that sends neither is only itself. */
function originOf(target: Target): string {
  return readTarget(target)?.origin ?? `${target.type} ${target.url}`;
}
