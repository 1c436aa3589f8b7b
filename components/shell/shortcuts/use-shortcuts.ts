'use client';

import { useEffect, useRef } from 'react';
import { addShortcuts, type Shortcuts } from './registry';

/**
 * Makes keys do something while the component is on the page:
 * `useShortcuts({ j: { label: 'Next monitor', run: next }, 'g m': …, 'mod+k': … })`. They do nothing while somebody types
 * or a dialog is open, and stand in the list of keys (`?`) under `group`.
 */
export function useShortcuts(shortcuts: Shortcuts, group = 'On this page'): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => addShortcuts({ group, read: () => latest.current }), [group]);
}
