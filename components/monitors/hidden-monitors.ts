import { createStore } from '@/components/ui/store';

/** IDs of monitors that are about to be deleted. They stay hidden when the page changes. */
const hidden = createStore<ReadonlySet<string>>(new Set());

export const useHiddenMonitors = hidden.use;

export function hideMonitors(ids: readonly string[]): void {
  hidden.set(new Set([...hidden.read(), ...ids]));
}

/** Shows them again after the deletion was undone or failed. */
export function showMonitors(ids: readonly string[]): void {
  hidden.set(new Set([...hidden.read()].filter((id) => !ids.includes(id))));
}
