import { type Typed, trimAll } from '@/components/monitors/form/monitor-input';
import { type FormState, refusedState } from '@/components/ui/forms/form-state';
import { findCheckType } from '@/lib/checks/types';
import type { DomainError } from '@/lib/core/errors';

/**
 * The form after a rejected submission. The API has one field for the target; if the form splits it into several inputs, the
 * invalid one gets the error.
 */
export function refusedMonitor(previous: FormState, error: DomainError, typed: Typed): FormState {
  const state = refusedState(previous, error, { ...typed });
  const { url, ...others } = state.errors;
  const blamed = findCheckType(typed.type)?.form.parts?.blame(trimAll(typed));
  if (url === undefined || !blamed) return state;
  const message = error.code === 'BLOCKED_TARGET' ? url : blamed.message;
  return { ...state, errors: { ...others, [blamed.name]: message } };
}
