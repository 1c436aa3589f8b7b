import type { Typed } from '@/components/monitors/form/monitor-input';
import { type FormState, refusedState } from '@/components/ui/form-state';
import type { DomainError } from '@/lib/core/errors';
import { parseDnsTarget } from '@/lib/schemas/targets';

const RESOLVER = 'must be a host name or an IP address, with its port where that is not 53';

/**
 * The form after a refusal. Host and resolver of a dns monitor are one text for the API: where the host alone is right, the
 * resolver is to blame.
 */
export function refusedMonitor(previous: FormState, error: DomainError, typed: Typed): FormState {
  const state = refusedState(previous, error, { ...typed });
  const { url, ...others } = state.errors;
  const { type, resolver = '', url: host = '' } = typed;
  if (url === undefined || type !== 'dns' || resolver.trim() === '' || parseDnsTarget(host.trim()) === null) {
    return state;
  }
  const said = error.code === 'BLOCKED_TARGET' ? url : RESOLVER;
  return { ...state, errors: { ...others, resolver: said } };
}
