'use client';

import { type ReactNode, useId, useState } from 'react';
import { CodeBlock } from '@/components/ui/code-block';
import { SelectField } from '@/components/ui/field';
import type { MonitorName } from './page-values';

/** What `/embed` takes, in CSS pixels. */
const EMBED_HEIGHT = 44;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

type Badge = {
  address: string;
  name: string;
  /** The value of one of the choices. */
  shown: string;
  monitors: readonly MonitorName[];
};

type Props = {
  /** The address of the page, without a slash at the end. */
  address: string;
  name: string;
  /** Those on the page. */
  monitors: readonly MonitorName[];
};

/** What other places show of a page, to copy. */
export function ShareSnippets({ address, name, monitors }: Props) {
  const [shown, setShown] = useState('page');
  const badge = badgeMarkup({ address, name, shown, monitors });
  return (
    <>
      <Part title="Address">
        <CodeBlock text={address} label="Copy the address" />
      </Part>
      <Part title="Badge" text="An image of the status, for READMEs and web sites.">
        <SelectField
          name="badge"
          label="Shows"
          className="max-w-sm"
          value={shown}
          onChange={(event) => setShown(event.target.value)}
          options={badge.choices}
        />
        <Labelled label="Markdown">
          <CodeBlock text={badge.markdown} label="Copy the badge as Markdown" />
        </Labelled>
        <Labelled label="HTML">
          <CodeBlock text={badge.html} label="Copy the badge as HTML" />
        </Labelled>
      </Part>
      <Part title="Embed" text="The status as one line in the page’s colours, which keeps itself fresh.">
        <CodeBlock
          text={`<iframe src="${address}/embed" title="Status" width="320" height="${EMBED_HEIGHT}" style="border:0"></iframe>`}
          label="Copy the frame"
        />
      </Part>
      <Part title="Feeds" text="Incidents and maintenance, for feed readers and chat.">
        <Labelled label="Atom">
          <CodeBlock text={`${address}/feed.atom`} label="Copy the address of the Atom feed" />
        </Labelled>
        <Labelled label="RSS">
          <CodeBlock text={`${address}/feed.rss`} label="Copy the address of the RSS feed" />
        </Labelled>
      </Part>
      <Part title="JSON" text="Everything the page shows, for programs; any web site may read it.">
        <CodeBlock text={`${address}/status.json`} label="Copy the address of the JSON" />
      </Part>
    </>
  );
}

function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      {text ? <p className="text-muted">{text}</p> : null}
      {children}
    </section>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-xs text-muted">{label}</span>
      {children}
    </div>
  );
}

/** What a badge can show, and the one that is chosen as Markdown and as HTML. Names in it cannot break out of either. */
export function badgeMarkup({ address, name, shown, monitors }: Badge) {
  const [about = '', figure] = shown.split(' ');
  const monitor = monitors.find(({ id }) => id === about);
  const query = monitor
    ? `?${new URLSearchParams({ monitor: monitor.id, ...(figure === 'uptime' ? { show: 'uptime' } : {}) })}`
    : '';
  const image = `${address}/badge.svg${query}`;
  const alt = `Status of ${monitor?.name ?? name}`;
  return {
    choices: [
      { value: 'page', label: 'The whole page' },
      ...monitors.flatMap(({ id, name: own }) => [
        { value: id, label: `${own}: status` },
        { value: `${id} uptime`, label: `${own}: uptime of 30 days` },
      ]),
    ],
    markdown: `[![${alt.replace(/[[\]\\`]/g, '\\$&').replace(/\s+/g, ' ')}](${image})](${address})`,
    html: `<a href="${address}"><img src="${escapeHtml(image)}" alt="${escapeHtml(alt)}"></a>`,
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
