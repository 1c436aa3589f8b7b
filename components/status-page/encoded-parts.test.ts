import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { mapInTurns } from '@/lib/core/map-in-turns';
import type { ViewedMonitor } from '@/lib/domain/status-pages/public/read-page-view';
import { encodeDocument, insertEncoded, insertLater } from './encoded-parts';
import { MonitorRow } from './monitor-row';
import { renderView } from './testing/render-view';
import { busyView, NOW, sampleMonitor, sampleResponseTimes } from './testing/sample-view';
import { inTimeZone, translatorOf } from './translator';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const digest = (part: Uint8Array) => createHash('sha256').update(part).digest();
const react = { write: renderToStaticMarkup, digest, inTurns: mapInTurns };
const plain = { write: () => expect.unreachable(), digest, inTurns: mapInTurns };

describe('a document', () => {
  it('has the parts that were encoded before in their places', async () => {
    const [first, second] = [encode('<i>é</i>'), encode('<i>障害</i>')];
    const render = () =>
      `<p>ü${insertEncoded([first, second])}</p>${insertEncoded([first])}${insertEncoded([])}`;
    expect(decode((await encodeDocument(plain, render)).bytes)).toBe('<p>ü<i>é</i><i>障害</i></p><i>é</i>');
  });

  it('is the same as its text, in every language, when its rows are new and when they are remembered', async () => {
    for (const language of ['en', 'ja'] as const) {
      const text = renderView(busyView(), language);
      for (const _ of ['new', 'remembered']) {
        const { bytes } = await encodeDocument(react, () => renderView(busyView(), language));
        expect(decode(bytes)).toBe(text);
      }
    }
  });

  it('has another outline whenever it is another document, and the same if it is not', async () => {
    const outlineOf = async (view: ReturnType<typeof busyView>) =>
      decode((await encodeDocument(react, () => renderView(view))).outline);
    const view = busyView();
    const outline = await outlineOf(view);
    expect(await outlineOf(busyView())).toBe(outline);
    expect(outline.length).toBeLessThan(renderView(view).length / 2);
    const [first, ...others] = view.monitors;
    if (first === undefined) throw new Error('no monitors');
    const change = (changes: Partial<typeof first>) =>
      outlineOf({ ...view, monitors: [{ ...first, ...changes }, ...others] });
    const days = first.days.map((day, place) =>
      place === 40 ? { ...day, status: 'down' as const, downtime: day.downtime + 60_000 } : day,
    );
    expect(await change({ name: 'Another' })).not.toBe(outline);
    expect(await change({ uptime: { days: 90, percentage: 12.34 } })).not.toBe(outline);
    expect(await change({ days })).not.toBe(outline);
    expect(await outlineOf(busyView())).toBe(outline);
  });

  it.each<[string, Partial<ViewedMonitor>]>([
    ['name', { name: 'Another' }],
    ['state', { state: 'down' }],
    ['silence', { state: 'noData', noDataSince: NOW }],
    ['uptime', { uptime: { days: 90, percentage: 12.34 } }],
    ['uptime on phones', { recentUptime: { days: 30, percentage: 12.34 } }],
    ['measured uptime', { uptime: { days: 90, percentage: 99.89, measured: 56.78 } }],
    ['response times', { responseTimes: sampleResponseTimes(7) }],
    ['days', { days: sampleMonitor(2).days }],
  ])('shows the changed %s of a monitor whose row is remembered', async (_, changes) => {
    const t = inTimeZone(translatorOf('en'), 'UTC');
    const monitor = sampleMonitor(1);
    const show = async (shown: ViewedMonitor) => {
      const row = createElement(MonitorRow, { id: 'row', monitor: shown, t });
      return decode((await encodeDocument(react, () => renderToStaticMarkup(row))).bytes);
    };
    const before = await show(monitor);
    expect(await show({ ...monitor, lastResponseTime: 7 })).toBe(before);
    expect(await show({ ...monitor, ...changes })).not.toBe(before);
  });

  it('lets others have their turn between rows that are made later', async () => {
    let now = 0;
    const inTurns: typeof mapInTurns = (items, map) => mapInTurns(items, map, () => now);
    let turns = 0;
    let isDone = false;
    const others = async () => {
      for (; !isDone; turns += 1) await setImmediate();
    };
    const waiting = others();
    const seen: number[] = [];
    const render = () => {
      const rows = Array.from({ length: 5 }, (_, row) =>
        insertLater(() => {
          seen.push(turns);
          now += 10;
          return [encode(String(row))];
        }),
      );
      expect(seen).toEqual([]);
      return rows.join();
    };
    const { bytes } = await encodeDocument({ ...plain, inTurns }, render);
    isDone = true;
    await waiting;
    expect(decode(bytes)).toBe('0,1,2,3,4');
    expect(new Set(seen).size).toBe(5);
  });

  it('leaves nothing behind when it fails', async () => {
    const fail = () => {
      insertEncoded([encode('lost')]);
      throw new Error('not today');
    };
    await expect(encodeDocument(plain, fail)).rejects.toThrow('not today');
    expect(insertEncoded([encode('<b>text</b>')])).toBe('<b>text</b>');
  });
});
