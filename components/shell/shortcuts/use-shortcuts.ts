'use client';

import { useEffect, useRef } from 'react';
import { addShortcuts, type Shortcuts } from './registry';

/**
 * Registers shortcuts while the component is mounted:
 * `useShortcuts({ j: { label: 'Next monitor', run: next }, 'g m': …, 'mod+k': … })`. They are inactive while typing and in
 * dialogs, and are listed (`?`) under `group`.
 */
export function useShortcuts(shortcuts: Shortcuts, group = 'On this page'): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => addShortcuts({ group, read: () => latest.current }), [group]);
}
