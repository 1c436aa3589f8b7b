'use client';

import { type ReactNode, useId, useState } from 'react';
import { CodeBlock } from '@/components/ui/code-block';
import { SelectField } from '@/components/ui/forms/field';
import type { MonitorName } from './page-values';

/** Height of `/embed` in CSS pixels. */
const EMBED_HEIGHT = 44;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

type Props = {
  /** URL of the page, without a trailing slash. */
  address: string;
  name: string;
  /** Monitors on the page. */
  monitors: readonly MonitorName[];
};

/** Links, badges, embeds, and feeds of a page, ready to copy. */
export function ShareSnippets({ address, name, monitors }: Props) {
  const [shown, setShown] = useState('page');
  const badge = badgeMarkup({ address, name, shown, monitors });
  return (
    <>
      <Part title="Page URL">
        <CodeBlock text={address} label="Copy page URL" />
      </Part>
      <Part title="Badge" text="An image of the current status for READMEs and websites.">
        <SelectField
          name="badge"
          label="Shows"
          className="max-w-sm"
          value={shown}
          onChange={(event) => setShown(event.target.value)}
          options={badge.choices}
        />
        <Labeled label="Markdown">
          <CodeBlock text={badge.markdown} label="Copy badge as Markdown" />
        </Labeled>
        <Labeled label="HTML">
          <CodeBlock text={badge.html} label="Copy badge as HTML" />
        </Labeled>
      </Part>
      <Part title="Embed" text="A one-line status in the page’s colors that updates automatically.">
        <CodeBlock
          text={`<iframe src="${address}/embed" title="Status" width="320" height="${EMBED_HEIGHT}" style="border:0"></iframe>`}
          label="Copy embed code"
        />
      </Part>
      <Part title="Feeds" text="Incidents and maintenance for feed readers and chat apps.">
        <Labeled label="Atom">
          <CodeBlock text={`${address}/feed.atom`} label="Copy Atom feed URL" />
        </Labeled>
        <Labeled label="RSS">
          <CodeBlock text={`${address}/feed.rss`} label="Copy RSS feed URL" />
        </Labeled>
      </Part>
      <Part title="JSON" text="Everything the page shows, as data. Any website may read it.">
        <CodeBlock text={`${address}/status.json`} label="Copy JSON URL" />
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

function Labeled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-xs text-muted">{label}</span>
      {children}
    </div>
  );
}

/** The badge choices, and Markdown and HTML for the choice `shown`. Names are escaped. */
export function badgeMarkup({ address, name, shown, monitors }: Props & { shown: string }) {
  const [subject = '', figure] = shown.split(' ');
  const monitor = monitors.find(({ id }) => id === subject);
  const query = monitor
    ? `?${new URLSearchParams({ monitor: monitor.id, ...(figure === 'uptime' ? { show: 'uptime' } : {}) })}`
    : '';
  const image = `${address}/badge.svg${query}`;
  const alt = `Status of ${monitor?.name ?? name}`;
  return {
    choices: [
      { value: 'page', label: 'Whole page' },
      ...monitors.flatMap(({ id, name: own }) => [
        { value: id, label: `${own}: status` },
        { value: `${id} uptime`, label: `${own}: 30-day uptime` },
      ]),
    ],
    markdown: `[![${alt.replace(/[[\]\\`]/g, '\\$&').replace(/\s+/g, ' ')}](${image})](${address})`,
    html: `<a href="${address}"><img src="${escapeHtml(image)}" alt="${escapeHtml(alt)}"></a>`,
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
