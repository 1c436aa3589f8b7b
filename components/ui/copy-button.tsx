'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button';

const TEXTS = { copied: 'Copied', selected: 'Selected. Press Ctrl+C' } as const;

/**
 * Copies a text. Without access to the clipboard (on a plain `http` address) it selects the element `targetId` instead,
 * to be copied by hand.
 */
export function CopyButton({ text, targetId, label }: { text: string; targetId: string; label: string }) {
  const [done, setDone] = useState<keyof typeof TEXTS | null>(null);

  useEffect(() => {
    if (done === null) return;
    const timer = setTimeout(() => setDone(null), 2500);
    return () => clearTimeout(timer);
  }, [done]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone('copied');
    } catch {
      const element = document.getElementById(targetId);
      if (element) window.getSelection()?.selectAllChildren(element);
      setDone('selected');
    }
  };

  return (
    <Button onClick={copy} aria-label={label} title={label} className="h-7 px-1.5">
      {done === 'copied' ? <Check /> : <Copy />}
      <span aria-live="polite" className="text-xs empty:hidden">
        {done === null ? '' : TEXTS[done]}
      </span>
    </Button>
  );
}
