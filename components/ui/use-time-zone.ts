import { useSyncExternalStore } from 'react';

const never = () => () => {};
const readZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const ofTheServer = () => 'UTC';

/** The reader's time zone; UTC on the server, which cannot know it, and until the page lives. */
export function useTimeZone(): string {
  return useSyncExternalStore(never, readZone, ofTheServer);
}
