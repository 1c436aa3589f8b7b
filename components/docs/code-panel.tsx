import { cn } from '@/components/ui/cn';

type Props = { text: string; label: string; className?: string };

/**
 * A text to read and copy; `label` says what the button copies. The one script of the page serves all these buttons, so
 * that a hundred of them cost no more than one.
 */
export function CodePanel({ text, label, className }: Props) {
  return (
    <div
      className={cn(
        '[&_button]:float-right [&_button]:m-1.5 [&_button]:rounded [&_button]:border [&_button]:border-line [&_button]:bg-surface [&_button]:px-1.5 [&_button]:py-0.5 [&_button]:text-xs [&_button]:text-muted hover:[&_button]:text-ink [@media(scripting:none)]:[&_button]:hidden',
        className,
      )}
    >
      <button type="button" data-copy="" aria-label={label}>
        Copy
      </button>
      <pre className="px-3 py-2.5 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">{text}</pre>
    </div>
  );
}
