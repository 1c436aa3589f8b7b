import { ChevronRight } from 'lucide-react';
import type { DiffRun, EvidencePart } from './compare-evidence';

/** Lines that stay around a change when what is the same is collapsed. */
const CONTEXT = 3;
/** Lines that stay at the beginning of a part that is compared with nothing. */
const BEGINNING = 20;
const TEXT = 'block px-3 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap no-underline';
const COLUMNS = 'md:grid md:grid-cols-2 md:divide-x md:divide-line';
const LABEL = 'px-3 text-xs font-medium text-muted';

type Props = { part: EvidencePart; isCompared: boolean };

/** A part of evidence in two columns, before and now; closed if it is the same as in the last good response. */
export function ComparedPart({ part: { title, runs, changes, omitted }, isCompared }: Props) {
  const blocks = pairRuns(runs);
  return (
    <details className="group/part border-t border-line" open={!isCompared || changes > 0}>
      <summary className="flex list-none items-center gap-1.5 px-3 py-2 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 text-muted transition-transform group-open/part:rotate-90" />
        <span className="font-medium">{title}</span>
        <span className="text-xs text-muted">{isCompared ? formatChanges(changes) : ''}</span>
      </summary>
      <div className="border-t border-line bg-canvas">
        {isCompared ? (
          // Each change repeats them where there is one column, and for screen readers.
          <div className={`max-md:hidden ${COLUMNS}`} aria-hidden="true">
            <p className={`${LABEL} pt-2`}>Before</p>
            <p className={`${LABEL} pt-2`}>Now</p>
          </div>
        ) : null}
        {blocks.map((block, index) =>
          block.kind === 'same' ? (
            <SameLines
              key={block.start}
              lines={block.lines}
              head={isCompared ? (index === 0 ? 0 : CONTEXT) : BEGINNING}
              tail={index === blocks.length - 1 ? 0 : CONTEXT}
              isCompared={isCompared}
            />
          ) : (
            <Change key={block.start} {...block} />
          ),
        )}
        {omitted > 0 ? (
          <p className="px-3 py-1 text-xs text-muted">
            {omitted === 1 ? '1 more line' : `${omitted.toLocaleString('en')} more lines`}
          </p>
        ) : null}
      </div>
    </details>
  );
}

type ChangeLines = { before: string[]; now: string[] };
type Block = { start: number } & ({ kind: 'same'; lines: string[] } | ({ kind: 'change' } & ChangeLines));

/** What was removed and what was added in its place become one change. */
function pairRuns(runs: readonly DiffRun[]): Block[] {
  const blocks: Block[] = [];
  for (const { kind, start, lines } of runs) {
    const last = blocks.at(-1);
    if (kind === 'same') blocks.push({ kind, start, lines });
    else if (kind === 'added' && last?.kind === 'change') last.now = lines;
    else if (kind === 'added') blocks.push({ kind: 'change', start, before: [], now: lines });
    else blocks.push({ kind: 'change', start, before: lines, now: [] });
  }
  return blocks;
}

/** Lines that differ, next to each other, or below each other on a phone. */
function Change({ before, now }: ChangeLines) {
  return (
    <div className={COLUMNS}>
      <Side Element="del" label={now.length > 0 ? 'Before' : 'Only before'} lines={before} />
      <Side Element="ins" label={before.length > 0 ? 'Now' : 'Only now'} lines={now} />
    </div>
  );
}

/** A bar marks changed lines, not their color alone. */
function Side({ Element, label, lines }: { Element: 'del' | 'ins'; label: string; lines: string[] }) {
  if (lines.length === 0) return <div className="bg-sunken max-md:hidden" />;
  return (
    <div className="border-l-4 border-l-accent bg-accent/10">
      <p className={`${LABEL} pt-1 md:sr-only`}>{label}</p>
      <Element className={`${TEXT} pl-2`}>{lines.join('\n')}</Element>
    </div>
  );
}

type SameProps = { lines: string[]; head: number; tail: number; isCompared: boolean };

/** Lines without a change, collapsed apart from the first and the last few. */
function SameLines({ lines, head, tail, isCompared }: SameProps) {
  const hidden = lines.slice(head, lines.length - tail);
  if (hidden.length <= 2 * CONTEXT) return <Unchanged lines={lines} isCompared={isCompared} />;
  return (
    <>
      <Unchanged lines={lines.slice(0, head)} isCompared={isCompared} />
      <details className="group/same">
        <summary className="list-none px-3 py-1 text-xs text-muted underline underline-offset-2 hover:bg-sunken [&::-webkit-details-marker]:hidden">
          <span className="group-open/same:hidden">Show </span>
          <span className="hidden group-open/same:inline">Hide </span>
          {`${hidden.length} ${isCompared ? 'unchanged' : 'more'} lines`}
        </summary>
        <Unchanged lines={hidden} isCompared={isCompared} />
      </details>
      <Unchanged lines={tail === 0 ? [] : lines.slice(-tail)} isCompared={isCompared} />
    </>
  );
}

/** In both columns, but read once. */
function Unchanged({ lines, isCompared }: { lines: string[]; isCompared: boolean }) {
  if (lines.length === 0) return null;
  const text = <span className={`${TEXT} text-muted`}>{lines.join('\n')}</span>;
  if (!isCompared) return text;
  return (
    <div className={COLUMNS}>
      {text}
      <div className="max-md:hidden" aria-hidden="true">
        {text}
      </div>
    </div>
  );
}

function formatChanges(changes: number): string {
  if (changes === 0) return 'Same as the last good response';
  return changes === 1 ? '1 line differs' : `${changes.toLocaleString('en')} lines differ`;
}
