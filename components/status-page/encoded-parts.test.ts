import { createHash } from 'node:crypto';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { ViewedMonitor } from '@/lib/domain/status-pages/public/read-page-view';
import { encodeDocument, insertEncoded } from './encoded-parts';
import { MonitorRow } from './monitor-row';
import { renderView } from './testing/render-view';
import { busyView, NOW, sampleMonitor, sampleResponseTimes } from './testing/sample-view';
import { inTimeZone, translatorOf } from './translator';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const digest = (part: Uint8Array) => createHash('sha256').update(part).digest();
const react = { write: renderToStaticMarkup, digest };
const plain = { write: () => expect.unreachable(), digest };

describe('a document', () => {
  it('has the parts that were encoded before in their places', () => {
    const [first, second] = [encode('<i>é</i>'), encode('<i>障害</i>')];
    const render = () =>
      `<p>ü${insertEncoded([first, second])}</p>${insertEncoded([first])}${insertEncoded([])}`;
    expect(decode(encodeDocument(plain, render).bytes)).toBe('<p>ü<i>é</i><i>障害</i></p><i>é</i>');
  });

  it('is the same as its text, in every language, when its rows are new and when they are remembered', () => {
    for (const language of ['en', 'ja'] as const) {
      const text = renderView(busyView(), language);
      for (const _ of ['new', 'remembered']) {
        const { bytes } = encodeDocument(react, () => renderView(busyView(), language));
        expect(decode(bytes)).toBe(text);
      }
    }
  });

  it('has another outline whenever it is another document, and the same if it is not', () => {
    const outlineOf = (view: ReturnType<typeof busyView>) =>
      decode(encodeDocument(react, () => renderView(view)).outline);
    const view = busyView();
    const outline = outlineOf(view);
    expect(outlineOf(busyView())).toBe(outline);
    expect(outline.length).toBeLessThan(renderView(view).length / 2);
    const [first, ...others] = view.monitors;
    if (first === undefined) throw new Error('no monitors');
    const change = (changes: Partial<typeof first>) =>
      outlineOf({ ...view, monitors: [{ ...first, ...changes }, ...others] });
    const days = first.days.map((day, place) =>
      place === 40 ? { ...day, downtime: day.downtime + 60_000 } : day,
    );
    expect(change({ name: 'Another' })).not.toBe(outline);
    expect(change({ uptimePercentage: 12.34 })).not.toBe(outline);
    expect(change({ days })).not.toBe(outline);
    expect(outlineOf(busyView())).toBe(outline);
  });

  it.each<[string, Partial<ViewedMonitor>]>([
    ['name', { name: 'Another' }],
    ['state', { state: 'down' }],
    ['silence', { state: 'noData', noDataSince: NOW }],
    ['uptime', { uptimePercentage: 12.34 }],
    ['measured uptime', { measuredUptimePercentage: 56.78 }],
    ['response times', { responseTimes: sampleResponseTimes(7) }],
    ['days', { days: sampleMonitor(2).days }],
  ])('shows the changed %s of a monitor whose row is remembered', (_, changes) => {
    const t = inTimeZone(translatorOf('en'), 'UTC');
    const monitor = sampleMonitor(1);
    const show = (shown: ViewedMonitor) =>
      decode(
        encodeDocument(react, () =>
          renderToStaticMarkup(createElement(MonitorRow, { id: 'row', monitor: shown, t })),
        ).bytes,
      );
    const before = show(monitor);
    expect(show({ ...monitor, lastResponseTime: 7 })).toBe(before);
    expect(show({ ...monitor, ...changes })).not.toBe(before);
  });

  it('leaves nothing behind when it fails', () => {
    const fail = () => {
      insertEncoded([encode('lost')]);
      throw new Error('not today');
    };
    expect(() => encodeDocument(plain, fail)).toThrow('not today');
    expect(insertEncoded([encode('<b>text</b>')])).toBe('<b>text</b>');
  });
});
