'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { leave } from '@/components/ui/navigation/leave';
import { showOverlay, useOverlay } from './overlay';
import type { PaletteProps } from './palette/palette-button';
import { useTypeAhead } from './palette/type-ahead';
import { PLACES } from './places';
import { useShortcuts } from './shortcuts/use-shortcuts';

// Loaded when first opened, because most visits never do. Without `ssr: false` this component would be suspended, too.
const KeyList = dynamic(() => import('./shortcuts/key-list').then((module) => module.KeyList), {
  ssr: false,
});
const Palette = dynamic(() => import('./palette/palette').then((module) => module.Palette), { ssr: false });

/** The shortcuts that work on every page, and the overlays they open. */
export function ShellKeys(props: PaletteProps) {
  const router = useRouter();
  const overlay = useOverlay();
  useShortcuts(
    Object.fromEntries(
      PLACES.map(({ href, label, key }) => [
        `g ${key}`,
        { label, run: () => leave(() => router.push(href)) },
      ]),
    ),
    'Go to',
  );
  useShortcuts(
    {
      'mod+k': {
        label: 'Search and commands',
        run: () => showOverlay(overlay === 'palette' ? null : 'palette'),
      },
      '?': { label: 'Keyboard shortcuts', run: () => showOverlay('keys') },
    },
    'Everywhere',
  );
  useTypeAhead(overlay === 'palette');
  const close = () => showOverlay(null);
  if (overlay === 'keys') return <KeyList onClose={close} />;
  return overlay === 'palette' ? <Palette onClose={close} {...props} /> : null;
}
