import { ChevronRight } from 'lucide-react';
import type { DiffRun, EvidencePart } from './compare-evidence';

/** Lines that stay around a change when what is the same is collapsed. */
const CONTEXT = 3;
/** Lines that stay at the beginning of a part that is compared with nothing. */
const BEGINNING = 20;
const TEXT = 'block px-3 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap no-underline';
const STYLES = {
  added: { mark: '+', className: 'bg-bad-wash' },
  removed: { mark: '−', className: 'bg-good-wash' },
  same: { mark: ' ', className: 'text-muted' },
} satisfies Record<DiffRun['kind'], object>;

type Props = { part: EvidencePart; isCompared: boolean };

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
        {runs.map(({ kind, start, lines }, index) => {
          const before = isCompared ? CONTEXT : BEGINNING;
          const head = isCompared && index === 0 ? 0 : before;
          const tail = index === runs.length - 1 ? 0 : CONTEXT;
          return kind === 'same' ? (
            <SameLines
              key={start}
              lines={lines}
              head={head}
              tail={tail}
              what={isCompared ? 'equal' : 'more'}
            />
          ) : (
            <Lines key={start} kind={kind} lines={lines} />
          );
        })}
        {omitted > 0 ? <p className="px-3 pt-1 text-xs text-muted">{`${omitted} more lines`}</p> : null}
      </div>
    </details>
  );
}

function Lines({ kind, lines }: Pick<DiffRun, 'kind' | 'lines'>) {
  if (lines.length === 0) return null;
  const { mark, className } = STYLES[kind];
  const Element = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span';
  return (
    <Element className={`${TEXT} ${className}`}>{lines.map((line) => `${mark} ${line}`).join('\n')}</Element>
  );
}

type SameProps = { lines: string[]; head: number; tail: number; what: string };

/** Lines without a change, collapsed apart from the first and the last few. */
function SameLines({ lines, head, tail, what }: SameProps) {
  const hidden = lines.slice(head, lines.length - tail);
  if (hidden.length <= 2 * CONTEXT) return <Lines kind="same" lines={lines} />;
  return (
    <>
      <Lines kind="same" lines={lines.slice(0, head)} />
      <details className="group/same">
        <summary className="list-none px-3 py-1 text-xs text-muted underline underline-offset-2 hover:bg-sunken [&::-webkit-details-marker]:hidden">
          <span className="group-open/same:hidden">Show </span>
          <span className="hidden group-open/same:inline">Hide </span>
          {`${hidden.length} ${what} lines`}
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
