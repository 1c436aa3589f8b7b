import { Globe, Pencil, PenLine } from 'lucide-react';
import { Markdown } from '@/components/ui/markdown';
import { ButtonLink } from '@/components/ui/navigation/button-link';
import { Section } from '@/components/ui/section';
import { formatElapsed, formatExact } from '@/lib/core/time/duration';
import type { TimelineEntry } from '@/lib/domain/timelines/timeline-entry';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { formatTimelineMarkdown } from './timeline/timeline-markdown';

const PROSE = [
  'flex max-w-[75ch] flex-col gap-3 wrap-anywhere',
  '[&_:is(h3,h4,h5)]:mt-1 [&_:is(h3,h4,h5)]:font-semibold [&_p]:whitespace-pre-line',
  '[&_ul]:list-disc [&_ol]:list-decimal [&_:is(ul,ol)]:pl-6',
  '[&_a]:text-accent [&_a]:underline [&_a]:underline-offset-2',
  '[&_code]:font-mono [&_code]:text-xs [&_blockquote]:border-l-2 [&_blockquote]:border-line-strong [&_blockquote]:pl-3 [&_blockquote]:text-muted',
  '[&_pre]:rounded-md [&_pre]:border [&_pre]:border-line [&_pre]:bg-sunken [&_pre]:p-3 [&_pre]:whitespace-pre-wrap',
].join(' ');

type Props = { incident: Incident; mayWrite: boolean };

/** The postmortem and whether it is public, or a link to write one once the incident is resolved. */
export function PostmortemSection({ incident, mayWrite }: Props) {
  const { id, postmortem, postmortemPublished, resolvedAt } = incident;
  const href = `/incidents/${id}/postmortem`;
  if (postmortem === null && (resolvedAt === null || !mayWrite)) return null;
  const aside = postmortem !== null && (
    <>
      <p className="flex items-center gap-1.5 text-xs text-muted">
        {postmortemPublished ? <Globe className="size-3.5" /> : null}
        {postmortemPublished ? 'Published on status pages' : 'Draft, not public'}
      </p>
      {mayWrite ? (
        <ButtonLink href={href} icon={<Pencil />}>
          Edit postmortem
        </ButtonLink>
      ) : null}
    </>
  );
  return (
    <Section title="Postmortem" aside={aside}>
      <div className="rounded-lg border border-line bg-surface p-4">
        {postmortem === null ? (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-muted">
              Document what happened and what will change, for your team or the public.
            </p>
            <ButtonLink href={href} icon={<PenLine />}>
              Write postmortem
            </ButtonLink>
          </div>
        ) : (
          <PostmortemText text={postmortem} />
        )}
      </div>
    </Section>
  );
}

/** A postmortem in the dashboard's style. */
export function PostmortemText({ text }: { text: string }) {
  return (
    <div className={PROSE}>
      <Markdown text={text} topLevel={3} />
    </div>
  );
}

/** A draft with the known facts, the timeline, and headings to fill in. */
export function draftPostmortem(
  { startedAt, resolvedAt, updates }: Incident,
  names: readonly string[],
  entries: readonly TimelineEntry[],
): string {
  const started = new Date(startedAt);
  const facts = [
    `**Started:** ${formatExact(started)}`,
    resolvedAt && `**Duration:** ${formatElapsed(Date.parse(resolvedAt) - started.getTime())}`,
    names.length > 0 && `**Affected:** ${names.join(', ')}`,
  ].filter(Boolean);
  const timeline = formatTimelineMarkdown(entries, updates);
  const parts = [
    '## Summary\n',
    '## Impact\n',
    `## Timeline\n\n${timeline}\n`,
    '## Root cause\n',
    '## Action items\n',
  ];
  return [facts.join('\n'), ...parts].join('\n\n');
}
