'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { showOverlay, useOverlay } from './overlay';
import { PLACES } from './places';
import { useShortcuts } from './shortcuts/use-shortcuts';

const KeyList = dynamic(() => import('./shortcuts/key-list').then((module) => module.KeyList));

/** The keys that work on every page, and what they open. */
export function ShellKeys() {
  const router = useRouter();
  const overlay = useOverlay();
  useShortcuts(
    Object.fromEntries(
      PLACES.map(({ href, label, key }) => [`g ${key}`, { label, run: () => router.push(href) }]),
    ),
    'Go to',
  );
  useShortcuts({ '?': { label: 'This list', run: () => showOverlay('keys') } }, 'Everywhere');
  return overlay === 'keys' ? <KeyList onClose={() => showOverlay(null)} /> : null;
}
