import { createStore } from '@/components/ui/store';

/** The monitor that was asked to be checked from outside of its page; null if none. */
const requested = createStore<string | null>(null);

/** Has the page of a monitor check it: the one that is open, or the next that opens. */
export const requestCheckOf = (id: string): void => requested.set(id);

/** Whether a check of this monitor was requested, once. */
export function takeCheckRequest(id: string): boolean {
  if (requested.read() !== id) return false;
  requested.set(null);
  return true;
}

export const useCheckRequest = requested.use;
