import { useEffect } from 'react';
import { createStore } from '@/components/ui/store';
import { showOverlay } from '../overlay';

/** What is typed into the palette. */
export const paletteText = createStore('');

/** Sends keys to the input of the palette until it has the focus: its code may still be loading. Clears it on closing. */
export function useTypeAhead(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    document.addEventListener('keydown', typeAhead);
    return () => {
      document.removeEventListener('keydown', typeAhead);
      paletteText.set('');
    };
  }, [isOpen]);
}

function typeAhead(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (event.defaultPrevented || ctrlKey || metaKey || altKey) return;
  if (target instanceof Element && target.closest('[role=dialog]')) return;
  if (key === 'Escape') showOverlay(null);
  if (key !== 'Backspace' && key.length !== 1) return;
  event.preventDefault();
  const text = paletteText.read();
  paletteText.set(key === 'Backspace' ? text.slice(0, -1) : text + key);
}
