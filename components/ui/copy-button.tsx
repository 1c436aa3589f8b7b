'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button';

const SAYS = { copied: 'Copied', marked: 'Marked: press Ctrl+C' } as const;

/**
 * Copies a text. Where the browser gives no clipboard (a plain http address), it marks the element `targetId` instead,
 * for the person to copy by hand.
 */
export function CopyButton({ text, targetId, label }: { text: string; targetId: string; label: string }) {
  const [done, setDone] = useState<'copied' | 'marked' | null>(null);

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
      setDone('marked');
    }
  };

  return (
    <Button onClick={copy} aria-label={label} title={label} className="h-7 px-1.5">
      {done === 'copied' ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-live="polite" className="text-xs empty:hidden">
        {done === null ? '' : SAYS[done]}
      </span>
    </Button>
  );
}
