import { ChevronRight } from 'lucide-react';
import type { Part, Run } from './compare-evidence';

/** Lines that stay around a change when what is the same is collapsed. */
const CONTEXT = 3;
const TEXT = 'block px-3 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap no-underline';
const STYLES = {
  added: { mark: '+', className: 'bg-bad-wash' },
  removed: { mark: '−', className: 'bg-good-wash' },
  same: { mark: ' ', className: 'text-muted' },
} satisfies Record<Run['kind'], object>;

type Props = { part: Part; isCompared: boolean };

/** A part of evidence as a difference of lines; closed if it is the same as in the last good response. */
export function ComparedPart({ part: { title, runs, changes, omitted }, isCompared }: Props) {
  return (
    <details className="group/part border-t border-line" open={!isCompared || changes > 0}>
      <summary className="flex list-none items-center gap-1.5 px-3 py-2 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 text-muted transition-transform group-open/part:rotate-90" />
        <span className="font-medium">{title}</span>
        <span className="text-xs text-muted">{isCompared ? formatChanges(changes) : ''}</span>
      </summary>
      <div className="border-t border-line bg-canvas py-2">
        {runs.map((run, index) => {
          const place = { isFirst: index === 0, isLast: index === runs.length - 1 };
          return run.kind === 'same' && isCompared ? (
            <SameLines key={run.start} run={run} {...place} />
          ) : (
            <Lines key={run.start} kind={run.kind} lines={run.lines} />
          );
        })}
        {omitted > 0 ? <p className="px-3 pt-1 text-xs text-muted">{`${omitted} more lines`}</p> : null}
      </div>
    </details>
  );
}

function Lines({ kind, lines }: Pick<Run, 'kind' | 'lines'>) {
  if (lines.length === 0) return null;
  const { mark, className } = STYLES[kind];
  const Element = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span';
  return (
    <Element className={`${TEXT} ${className}`}>{lines.map((line) => `${mark} ${line}`).join('\n')}</Element>
  );
}

type SameProps = { run: Run; isFirst: boolean; isLast: boolean };

/** What both have, collapsed apart from the lines next to a change. */
function SameLines({ run: { lines }, isFirst, isLast }: SameProps) {
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  const hidden = lines.slice(head, lines.length - tail);
  if (hidden.length <= 2 * CONTEXT) return <Lines kind="same" lines={lines} />;
  return (
    <>
      <Lines kind="same" lines={lines.slice(0, head)} />
      <details className="group/same">
        <summary className="list-none px-3 py-0.5 text-xs text-muted hover:bg-sunken [&::-webkit-details-marker]:hidden">
          <span className="group-open/same:hidden">Show </span>
          <span className="hidden group-open/same:inline">Hide </span>
          {hidden.length} equal lines
        </summary>
        <Lines kind="same" lines={hidden} />
      </details>
      <Lines kind="same" lines={tail === 0 ? [] : lines.slice(-tail)} />
    </>
  );
}

function formatChanges(changes: number): string {
  if (changes === 0) return 'Same as in the last good response';
  return changes === 1 ? '1 line differs' : `${changes} lines differ`;
}
