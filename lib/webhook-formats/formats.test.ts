import { describe, expect, it } from 'vitest';
import { createEvent, createEvents } from '@/lib/domain/webhooks/formats/sample-events';
import { renderBody, toMessage, type WebhookEvent } from '@/lib/notify/message';
import {
  editableProduct,
  formatOf,
  hasTemplate,
  isReadByPeople,
  isSentAtOnce,
  verifiesSignatures,
  WEBHOOK_FORMATS,
  type WebhookFormat,
} from './formats';
import { createLongestEvents, WIDE } from './testing/longest-events';
import { LONGEST_URL, withLink } from './testing/with-link';

const APP_URL = 'https://pharos.example.com';
const FORMATS = WEBHOOK_FORMATS.filter((format) => formatOf(format).reader !== 'program');

function render(format: WebhookFormat, event: WebhookEvent, appUrl: string | null = APP_URL) {
  return JSON.parse(renderBody(format, event, appUrl) ?? 'null');
}

/** Every text in a body, at any depth. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

describe.each(FORMATS)('a message to %s', (format) => {
  it.each(createEvents())('for $event matches the golden file', async (event) => {
    const body = `${JSON.stringify(render(format, withLink(event)), null, 2)}\n`;
    await expect(body).toMatchFileSnapshot(`./${format}/testing/golden/${event.event}.json`);
  });

  it.each(createEvents())('for $event has no link while the URL of the dashboard is unknown', (event) => {
    expect(JSON.stringify(render(format, event, null))).not.toMatch(/pharos\.example\.com|null\/|undefined/);
  });

  it('does not contain the URL of the endpoint, which is secret', () => {
    expect(JSON.stringify(render(format, createEvent('webhook.test')))).not.toContain('hooks.example.com');
  });

  it('is byte-identical for the same event', () => {
    const event = createEvent('monitor.down');
    expect(renderBody(format, event, APP_URL)).toBe(renderBody(format, structuredClone(event), APP_URL));
  });
});

describe('what a format is for', () => {
  it.each<[WebhookFormat | 'unknown', string]>([
    ['standard', 'sent at once'],
    ['custom', 'template'],
    ['slack', 'people'],
    ['discord', 'people, edited'],
    ['teams', 'people'],
    ['mattermost', 'people'],
    ['googlechat', 'people'],
    ['ntfy', 'people'],
    ['telegram', 'people, edited'],
    ['pushover', 'people'],
    ['alertmanager', ''],
    ['pagerduty', ''],
    ['opsgenie', ''],
    ['unknown', ''],
  ])('%s: %s', (format, expected) => {
    const traits = {
      people: isReadByPeople(format),
      edited: editableProduct(format, false) !== null,
      template: hasTemplate(format),
      'sent at once': isSentAtOnce(format),
    };
    const found = Object.entries(traits).flatMap(([trait, isTrue]) => (isTrue ? [trait] : []));
    expect(found.join(', ')).toBe(expected);
  });
});

/** The relative luminance of a color such as `#4A154B`. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe.each(WEBHOOK_FORMATS)('the entry of %s in the gallery', (name) => {
  const { mark, steps, hint } = formatOf(name);

  it('has a tile whose letters fit, and can be read', () => {
    expect(mark.letters).toMatch(/^.{1,3}$/);
    expect(mark.color).toMatch(/^#[0-9A-F]{6}$/);
    expect(1.05 / (luminanceOf(mark.color) + 0.05)).toBeGreaterThanOrEqual(4.5);
  });

  it('has sentences that lead to its URL or credentials', () => {
    for (const sentence of [hint, ...steps]) expect(sentence).toMatch(/^[A-Z].*\.$/s);
  });
});

it('programs alone verify signatures: the URL or the credentials of a product are its secret', () => {
  expect(WEBHOOK_FORMATS.filter(verifiesSignatures)).toEqual(['standard', 'custom']);
});

describe('a message', () => {
  it('leaves out what a check did not measure', () => {
    const event = createEvent('monitor.down');
    if (event.event !== 'monitor.down') throw new Error(event.event);
    const details = { ...event.details, statusCode: null, responseTime: null };
    expect(toMessage({ ...event, details }, null).facts.map(({ label }) => label)).toEqual([
      'Address',
      'Region',
      'Consecutive failures',
    ]);
  });

  it('about a recovery says for how long it was down, or that it was only degraded', () => {
    const event = createEvent('monitor.up');
    if (event.event !== 'monitor.up') throw new Error(event.event);
    expect(toMessage(event, null)).toMatchObject({ title: 'Checkout API is up after 12m', text: '' });
    const degraded = { ...event, details: { ...event.details, downtime: '0s' } };
    expect(toMessage(degraded, null).title).toBe('Checkout API is no longer degraded');
    const known = { ...degraded, recoveredAfter: '14m' };
    expect(toMessage(known, null).title).toBe('Checkout API is no longer degraded after 14m');
    expect(render('slack', degraded).attachments[0].blocks).toHaveLength(2);
  });

  it('about an update names the status once if it is the same', () => {
    const event = createEvent('incident.updated');
    if (event.event !== 'incident.updated') throw new Error(event.event);
    const statusOf = (incident: typeof event.incident) =>
      toMessage({ ...event, incident }, null).facts.find(({ label }) => label === 'Status')?.value;
    expect(statusOf(event.incident)).toBe('investigating → identified');
    expect(statusOf({ ...event.incident, previousStatus: 'identified' })).toBe('identified');
  });

  it('to Discord shows values of at most 40 characters in columns', () => {
    const isInline = (length: number) => {
      const url = `http://${'x'.repeat(length - 7)}`;
      return render('discord', createEvent('monitor.down', { url })).embeds[0].fields[0].inline;
    };
    expect([isInline(40), isInline(41)]).toEqual([true, false]);
  });
});

/** PagerDuty ends an alert without a text. */
const WITH_TEXT = FORMATS.filter((format) => format !== 'pagerduty');

describe.each(WITH_TEXT)('to %s, the end of an incident', (format) => {
  /** What is shown of the end of an incident with this title, in any of the texts of the body. */
  const textOf = (title: string, extras: { recoveredAfter?: string }) => {
    const event = createEvent('incident.resolved', { title });
    if (event.event !== 'incident.resolved') throw new Error(event.event);
    return textsOf(render(format, { ...event, ...extras })).join('\n');
  };

  it.each([
    ['Shop is down', 'Shop is up after 1h 5m'],
    ['Shop is degraded', 'Shop is no longer degraded after 1h 5m'],
  ])('“%s” that its monitor resolved is “%s”', (title, sentence) => {
    const text = textOf(title, { recoveredAfter: '1h 5m' });
    expect(text).toContain(sentence);
    expect(text).not.toMatch(/Incident resolved|It was open/);
    expect(text).not.toContain(title);
  });

  it.each([
    ['that a person resolved', 'Shop is down', {}],
    ['whose title a person wrote', 'Payments fail', { recoveredAfter: '1h 5m' }],
  ])('%s has its title', (_, title, extras) => {
    expect(textOf(title, extras)).toContain(`Incident resolved: ${title}`);
  });
});

describe('the standard format', () => {
  it('has no separate body: the payload is sent', () => {
    for (const event of createEvents()) expect(renderBody('standard', event, APP_URL)).toBeNull();
  });
});

/** Names that are markup in some product. */
const HOSTILE = [
  '<!channel> <@U012AB3CD> <https://evil.example|Log in>',
  '@everyone @here <@&123456789012345678> <#1> <t:0:R> :fire:',
  '[Log in](https://evil.example) **bold** __under__ *it* _al_ ~~gone~~ `code` ||spoiler||',
  '# Heading',
  '- item',
  '> quote',
  '<at>Everyone</at> {{DATE(2017-02-14T06:08:39Z, SHORT)}}',
  'a &amp; b &lt;c&gt; \\ \\* " \' </script>',
  '\u202egnp.exe \u2066x',
];

describe.each(HOSTILE)('a monitor named %s', (name) => {
  const event = createEvent('monitor.down', { name, errorMessage: `responded “${name}”` });

  it('is shown unchanged in Slack, where foreign text is never markup', () => {
    const body = render('slack', event);
    for (const text of [body.text, ...textsOf(body.blocks)]) {
      expect(text.replace(/&(amp|lt|gt);/g, '')).not.toMatch(/[&<>]/);
    }
    const markup = body.attachments[0].blocks.flatMap((block: { fields?: object[]; elements?: object[] }) =>
      [...(block.fields ?? []), ...(block.elements ?? [])].filter(
        (one) => 'type' in one && one.type === 'mrkdwn',
      ),
    );
    for (const { text } of markup) expect(text).toMatch(/^(\*[A-Za-z ]+\*|<[^<>]+>)$/);
    expect(unescapeSlack(body.blocks[0].text.text)).toBe(`${shown(name)} is down`);
  });

  it('is shown unchanged in Discord and mentions no one', () => {
    const body = render('discord', event);
    expect(body.allowed_mentions).toEqual({ parse: [] });
    const [{ title, description }] = body.embeds;
    for (const text of [title, description]) {
      expect(text.replace(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[\\*_~`|<>[\]@]|:\S|^[-+#]/);
    }
    expect(title.replace(/\\([!-/:-@[-`{-~])/g, '$1')).toBe(`${shown(name)} is down`);
    expect(body).not.toHaveProperty('content');
  });

  it('is shown unchanged in Mattermost and mentions no one', () => {
    const [{ fallback, title, text, fields }] = render('mattermost', event).attachments;
    for (const one of [title, text, fields[0].value]) {
      expect(one).not.toMatch(/[@~](?=\S)(?!\u200b)|:[\w+-]+:/);
      expect(one.replace(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[\\*_`|<>[\]#!]|^[-+]/);
    }
    expect(title).toBe(fallback);
    expect(title.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('\u200b', '')).toBe(
      `${shown(name)} is down`,
    );
  });

  it('is shown unchanged in Google Chat, where only cards mention nobody', () => {
    const body = render('googlechat', event);
    expect(Object.keys(body)).toEqual(['fallbackText', 'cardsV2']);
    const [{ textParagraph }] = body.cardsV2[0].card.sections[0].widgets;
    const [, title = ''] = /^<font color="#\w{6}"><b>(.*)<\/b><\/font>\n/.exec(textParagraph.text) ?? [];
    expect(title.replace(/&(amp|lt|gt);/g, '')).not.toMatch(/[&<>]/);
    expect(unescapeSlack(title)).toBe(`${shown(name)} is down`);
  });

  it('is shown unchanged in Alertmanager, which has no markup', () => {
    const [down] = render('alertmanager', event);
    expect(down.annotations.summary).toBe(`${shown(name)} is down`);
  });

  it('is shown unchanged in Teams', () => {
    const [{ content }] = render('teams', event).attachments;
    const { text } = content.body[0].items[0];
    const bare = text.replace(/\\[!-/:-@[-`{-~]|&(amp|lt|gt);/g, '');
    expect(bare).not.toMatch(/[\\*_~`[\]{<>&]|^[-+#]/);
    expect(unescapeSlack(text.replace(/\\([!-/:-@[-`{-~])/g, '$1'))).toBe(`${shown(name)} is down`);
    expect(content.msteams).not.toHaveProperty('entities');
  });
});

/** A name as shown on one line. */
function shown(name: string): string {
  return name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

function unescapeSlack(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

describe.each(WIDE)('a message of maximum length of %j', (character) => {
  const longest = createLongestEvents(character).map((event) => withLink(event, LONGEST_URL));

  it.each(longest)('stays within the limits of Slack with $event', (event) => {
    const { text, blocks, attachments } = render('slack', event);
    expect(text.length).toBeLessThanOrEqual(3000);
    expect(blocks[0].text.text.length).toBeLessThanOrEqual(150);
    for (const block of attachments[0].blocks) {
      expect(block.text?.text.length ?? 1).toBeLessThanOrEqual(3000);
      expect(block.fields?.length ?? 1).toBeLessThanOrEqual(10);
      for (const field of block.fields ?? []) expect(field.text.length).toBeLessThanOrEqual(2000);
    }
    expect(textsOf({ text, blocks, attachments })).not.toContain('');
  });

  it.each(longest)('stays within the limits of Discord with $event', (event) => {
    const [embed] = render('discord', event).embeds;
    const { title, description = '', fields } = embed;
    expect(title.length).toBeLessThanOrEqual(256);
    expect(description.length).toBeLessThanOrEqual(4096);
    expect(fields.length).toBeLessThanOrEqual(25);
    for (const { name, value } of fields) {
      expect(name.length).toBeLessThanOrEqual(256);
      expect(value.length).toBeLessThanOrEqual(1024);
    }
    const total = [title, description, ...textsOf(fields)].join('').length;
    expect(total).toBeLessThanOrEqual(6000);
    expect(textsOf(embed)).not.toContain('');
  });

  it.each(longest)('stays below the 28 KB of Teams with $event', (event) => {
    expect(Buffer.byteLength(renderBody('teams', event, APP_URL) ?? '')).toBeLessThan(28 * 1024);
  });

  it.each(longest)('stays below the limits of Mattermost with $event', (event) => {
    const { attachments } = render('mattermost', event);
    expect(JSON.stringify(attachments).length).toBeLessThan(8000);
    expect(textsOf(attachments)).not.toContain('');
  });

  it.each(longest)('stays below the 32,000 bytes of Google Chat with $event', (event) => {
    expect(Buffer.byteLength(renderBody('googlechat', event, APP_URL) ?? '')).toBeLessThan(32_000);
  });

  it('is truncated between characters and between escapes', () => {
    const halfEntity = /&[a-z]*…$/;
    const halfEscape = /(^|[^\\])(\\\\)*\\…$/;
    const broken: Partial<Record<WebhookFormat, RegExp[]>> = {
      slack: [halfEntity],
      discord: [halfEscape],
      teams: [halfEntity, halfEscape],
      mattermost: [halfEscape],
      googlechat: [halfEntity],
      telegram: [halfEntity],
    };
    for (const format of FORMATS) {
      // The fallback of a card is plain text.
      const texts = longest.flatMap((event) => textsOf({ ...render(format, event), fallbackText: '' }));
      for (const text of texts) {
        for (const pattern of [/\p{Surrogate}/u, ...(broken[format] ?? [])])
          expect(text).not.toMatch(pattern);
      }
    }
  });
});
