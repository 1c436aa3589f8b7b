'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { showOverlay, useOverlay } from './overlay';
import type { PaletteProps } from './palette/palette-button';
import { PLACES } from './places';
import { useShortcuts } from './shortcuts/use-shortcuts';

// Both are loaded when they are opened for the first time: most visits never do.
const KeyList = dynamic(() => import('./shortcuts/key-list').then((module) => module.KeyList));
const Palette = dynamic(() => import('./palette/palette').then((module) => module.Palette));

/** The keys that work on every page, and what they open. */
export function ShellKeys(props: PaletteProps) {
  const router = useRouter();
  const overlay = useOverlay();
  useShortcuts(
    Object.fromEntries(
      PLACES.map(({ href, label, key }) => [`g ${key}`, { label, run: () => router.push(href) }]),
    ),
    'Go to',
  );
  useShortcuts(
    {
      'mod+k': { label: 'Search and commands', run: () => showOverlay('palette') },
      '?': { label: 'This list', run: () => showOverlay('keys') },
    },
    'Everywhere',
  );
  const close = () => showOverlay(null);
  if (overlay === 'keys') return <KeyList onClose={close} />;
  return overlay === 'palette' ? <Palette onClose={close} {...props} /> : null;
}
