import { useId } from 'react';
import { CopyButton } from './copy-button';

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
