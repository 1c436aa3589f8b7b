'use client';

import { useRouter } from 'next/navigation';
import { useShortcuts } from './use-shortcuts';

/** Shortcuts to links of this page, by their place: `1` is the first. */
export function LinkKeys({ links }: { links: readonly { label: string; href: string }[] }) {
  const router = useRouter();
  const shortcuts = links.map(({ label, href }, index) => [
    String(index + 1),
    { label, run: () => router.push(href, { scroll: false }) },
  ]);
  useShortcuts(Object.fromEntries(shortcuts));
  return null;
}
