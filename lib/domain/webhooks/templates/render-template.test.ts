import { describe, expect, it } from 'vitest';
import { createEvent } from '../formats/sample-events';
import { renderTemplate } from './render-template';
import type { Rendered } from './rendered';
import { templateThreads } from './template-threads';

const event = createEvent('monitor.down');

function render(template: string): Rendered {
  const [rendered] = renderTemplate(template, [event]);
  return rendered ?? { text: null, problem: '' };
}

describe('a template', () => {
  it.each([
    ['{{ event }}: {{ monitor.name }}', 'monitor.down: Checkout API'],
    ['{"text": {{ details.errorMessage | json }}}', '{"text": "responded with 503, expected 200"}'],
    ['{% if incident.severity == "critical" %}!{% else %}?{% endif %}', '!'],
    ['{% for tag in monitor.tags %}#{{ tag }}{% endfor %}', '#shop'],
    ['{{ timestamp | date: "%Y-%m-%d %H:%M" }}', '2026-03-01 12:00'],
    ['{{ monitor.nothing.here }}', ''],
    ['{{ monitor.nothing | json }}', 'null'],
    ['{% assign name = monitor.name | upcase | split: " " %}{{ name[1] }}', 'API'],
  ])('%s writes %s', (template, text) => {
    expect(render(template)).toEqual({ text, problem: null });
  });

  it.each([
    ['{{ monitor.name', 'line 1, column 1: output "{{ monitor.name" not closed'],
    ['a\n  {% nope %}', 'line 2, column 3: tag "nope" not found'],
    ['a\n{{ monitor.name | shout }}', 'line 2, column 1: undefined filter: shout'],
    ['{% if event %}', 'line 1, column 1: tag {% if event %} not closed'],
  ])('%j is refused where it is wrong', (template, problem) => {
    expect(render(template)).toEqual({ text: null, problem });
  });
});

describe('a template cannot read anything but the event', () => {
  it.each([
    '{{ __proto__ }}',
    '{{ monitor.__proto__ }}',
    '{{ monitor.constructor }}',
    '{{ monitor.constructor.constructor }}',
    '{{ monitor["constructor"]["prototype"] }}',
    '{{ monitor.name.constructor }}',
    '{{ monitor.tags.constructor }}',
    '{{ monitor.toString }}',
    '{{ monitor.name.length.constructor }}',
    '{{ process.env.PATH }}',
    '{{ globalThis.process }}',
    '{{ this }}',
    '{{ self.constructor }}',
    '{{ settings }}',
    '{{ "constructor" | map: "constructor" }}',
    '{{ monitor.tags | map: "constructor" }}',
    '{% assign k = "__proto__" %}{{ monitor[k] }}',
    '{% for k in __proto__ %}{{ k }}{% endfor %}',
  ])('%s writes nothing', (template) => {
    expect(render(template).text?.trim() || '').toBe('');
  });

  it.each([
    "{% include '/etc/passwd' %}",
    "{% render 'package.json' %}",
    "{% layout 'package.json' %}",
    '{% block a %}{% endblock %}',
    '{% capture a %}{% endcapture %}',
    '{{ monitor.tags | where_exp: "a", "true" }}',
    '{{ monitor | inspect }}',
    '{{ monitor.name | strip_html }}',
    '{{ monitor.tags | shuffle }}',
  ])('%s is refused', (template) => {
    expect(render(template)).toMatchObject({ text: null, problem: expect.stringMatching(/^line 1, /) });
  });
});

describe('a template cannot run for long', () => {
  const LONG = 'x'.repeat(5000);
  /** By the time, or sooner by a limit of what it may take. */
  const STOPPED =
    /^takes longer than 250 ms$|memory alloc limit exceeded|too long for a filter|not closed|writes more than/;

  it.each([
    '{% for i in (1..1000000000) %}{% endfor %}',
    '{{ (1..1000000000) | size }}',
    '{% for a in (1..400) %}{% for b in (1..400) %}{% for c in (1..400) %}x{% endfor %}{% endfor %}{% endfor %}',
    `{% assign l = "${'a,'.repeat(900)}" | split: "," %}${'{% for i in l %}'.repeat(6)}x${'{% endfor %}'.repeat(6)}`,
    `{% assign a = "${LONG}" %}${'{% assign a = a | append: a %}'.repeat(100)}`,
    `{% assign a = "${LONG}" %}{% assign a = a | replace: "x", a %}{{ a }}`,
    `{% assign a = "${LONG}" | split: "" %}{{ a | join: "${'y'.repeat(2000)}" }}`,
    '{% assign a = 10 %}{% for i in (1..2000) %}{% assign a = a | times: a %}{% endfor %}{{ a }}',
    '{{ timestamp | date: "%999999999Y" }}',
    `${'{% if true %}'.repeat(700)}`,
    `{% assign a = "${LONG}" %}{% for i in (1..1000) %}{{ a }}{% endfor %}`,
    `{% assign l = "${'a,'.repeat(900)}" | split: "," %}${'{% assign l = l | concat: l %}'.repeat(60)}{{ l | size }}`,
    `{{ "${'a'.repeat(4000)}!" | url_encode | url_encode | url_encode | size }}`,
  ])('%.60s is stopped, or writes little', async (template) => {
    const [{ text, problem } = { text: null, problem: '' }] = await templateThreads.render(
      'org_1',
      template,
      [event],
    );
    if (text === null) expect(problem).toMatch(STOPPED);
    else expect(text.length).toBeLessThan(70_000);
  });

  it('and its first failure is the last', () => {
    const template = '{% if incident %}{% assign a = incident.id | join: 1 | nope %}{% endif %}';
    expect(renderTemplate(template, [event, event])).toHaveLength(1);
    const excessive = '{% if event == "b" %}{{ (1..1000000000) | size }}{% endif %}';
    const events = ['a', 'b', 'c'].map((name) => ({ event: name }));
    expect(renderTemplate(excessive, events)).toEqual([
      { text: '', problem: null },
      { text: null, problem: expect.stringContaining('memory alloc limit exceeded') },
    ]);
  });

  it('nor write more than 64 KiB', () => {
    const template = `{% assign a = "${'x'.repeat(5000)}" %}{% for i in (1..14) %}{{ a }}{% endfor %}`;
    expect(render(template).problem).toContain('writes more than 65536 characters');
    expect(render('{{ list }}{{ nil }}{{ 1.5 }}{{ monitor.tags }}').text).toBe('1.5shop');
  });
});
