'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Button } from './button';

/** A command or a key to copy; `label` names the copy button. Long lines wrap. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const id = useId();
  return (
    <div className="flex items-start gap-2 rounded-md border border-line bg-sunken p-1.5">
      <pre
        id={id}
        className="min-w-0 flex-1 px-1.5 py-1 font-mono text-xs leading-5 break-all whitespace-pre-wrap"
      >
        {text}
      </pre>
      <CopyButton text={text} targetId={id} label={label} />
    </div>
  );
}

/** A code block under its title. */
export function TitledCode({ title, ...code }: { title: string; text: string; label: string }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-xs text-muted">{title}</p>
      <CodeBlock {...code} />
    </div>
  );
}

const TEXTS = { copied: 'Copied', selected: 'Selected. Press Ctrl+C' } as const;

/**
 * Copies a text. Without access to the clipboard (on a plain `http` address) it selects the element `targetId` instead,
 * to be copied by hand.
 */
function CopyButton({ text, targetId, label }: { text: string; targetId: string; label: string }) {
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
    <Button
      icon={done === 'copied' ? <Check /> : <Copy />}
      onClick={copy}
      aria-label={label}
      title={label}
      size="icon"
    >
      <span aria-live="polite" className="text-xs empty:hidden">
        {done === null ? '' : TEXTS[done]}
      </span>
    </Button>
  );
}
