import { readTarget } from '@/lib/checks/types';
import { DomainError, type ErrorDetail } from '@/lib/core/errors';
import { NOT_KEPT } from '@/lib/schemas/hidden';
import {
  describeField,
  type MonitorConfig,
  SECRET_FIELDS,
  type SecretField,
} from '@/lib/schemas/monitor/fields';
import { placeToConnect } from '@/lib/schemas/monitor/fields/connection-conflicts';

type Target = Pick<MonitorConfig, 'type' | 'url' | 'connectTo'>;
type Secrets = Pick<MonitorConfig, SecretField>;

/**
 * Replaces `[hidden]` in `given` with the stored values, for a monitor that will probe `target`. Throws VALIDATION_ERROR if no
 * value is stored under the name, or if the origin of `target` differs, because that would reveal the value.
 */
export function keepHidden<T extends Partial<Secrets>>(
  given: T,
  stored: Target & Secrets,
  target: Target,
): T {
  const hidden = SECRET_FIELDS.flatMap((name) => {
    const { secret } = describeField(name);
    const paths = given[name] === undefined ? [] : secret?.listHidden(given[name]);
    return secret && paths?.length ? [{ name, secret, paths }] : [];
  });
  const isSameOrigin = originOf(target) === originOf(stored);
  const details = hidden.flatMap(({ name, secret, paths }) =>
    paths.flatMap((parts): ErrorDetail[] => {
      const path = [name, ...parts].join('.');
      if (secret.find(stored[name], parts, given[name]) === null)
        return [{ path, code: 'nothing_stored', message: NOT_KEPT.nothing_stored }];
      return isSameOrigin ? [] : [{ path, code: 'origin_changed', message: NOT_KEPT.origin_changed }];
    }),
  );
  if (details.length > 0) {
    const fields = details.map(({ path }) => path).join(', ');
    throw new DomainError('VALIDATION_ERROR', `The request is not valid: ${fields}.`, details);
  }
  const kept = hidden.map(({ name, secret }) => [name, secret.fill(given[name], stored[name])]);
  return { ...given, ...Object.fromEntries(kept) };
}

/** The recipient of headers and body; probes without them have a unique one. */
export function originOf(target: Target): string {
  const origin = readTarget(target)?.origin ?? `${target.type} ${target.url}`;
  const place = placeToConnect(target);
  return place === null ? origin : `${origin} at ${place.host} ${place.port}`;
}
