import { describe, expect, it } from 'vitest';
import { HIDDEN } from '@/lib/schemas/hidden';
import { writeResourceFile } from './export-file';
import { planChanges, type Stored, type StoredResources } from './plan';
import { readResourceFile } from './read-file';
import { defaultOf, type ResourceFields, type SectionName, sectionOf } from './sections';

/** A resource as the API returns it: with its defaults. */
function stored(section: SectionName, id: string, fields: ResourceFields): Stored {
  const described = sectionOf(section);
  const names = Object.keys(described.schema.shape);
  const defaults = Object.fromEntries(
    names.map((name) => [name, defaultOf(described, name, fields) ?? null]),
  );
  return { ...defaults, ...fields, id, version: 1 };
}

const SHOP = stored('monitors', 'mon_1', { ref: 'shop', name: 'Shop', url: 'http://shop.example.com/' });

function plan(text: string, resources: Partial<StoredResources>, { prune = false, variables = {} } = {}) {
  const { file, problems } = readResourceFile(text);
  expect(problems).toEqual([]);
  const read = (name: string) => (variables as Record<string, string>)[name];
  const { plan: found, problems: wrong } = planChanges(file, { monitors: [], ...resources }, read, prune);
  return {
    changes: found.changes.map(({ action, key }) => `${action} ${key}`),
    fields: found.changes.flatMap((change) =>
      'changes' in change ? change.changes.map(({ field }) => field) : [],
    ),
    problems: wrong.map(({ line, message }) => `${line}: ${message}`),
  };
}

const NOTHING = { changes: [], fields: [], problems: [] };

describe('a plan finds no difference', () => {
  it('in the order of the events of an endpoint', () => {
    const webhook = stored('webhooks', 'whk_1', {
      ref: 'chat',
      url: 'http://chat.example.com/',
      events: ['monitor.down', 'monitor.up'],
    });
    const text = `version: 1
webhooks:
  - { ref: chat, url: "http://chat.example.com/", events: [monitor.up, monitor.down] }`;
    expect(plan(text, { webhooks: [webhook] })).toEqual(NOTHING);
  });

  it('in the rules of an endpoint, which name monitors and leave out what is no condition', () => {
    const monitor = stored('monitors', 'mon_1', {
      ref: 'shop',
      name: 'Shop',
      url: 'http://shop.example.com/',
    });
    const schedule = { days: [], from: '08:00', to: '18:00', timeZone: 'UTC' };
    const none = { tags: [], severities: [], kinds: [], monitors: [], schedule: null };
    const webhook = stored('webhooks', 'whk_1', {
      ref: 'chat',
      url: 'http://chat.example.com/',
      rules: [
        { ...none, monitors: ['mon_1'] },
        { ...none, tags: ['shop'], schedule },
      ],
    });
    const text = `version: 1
webhooks:
  - ref: chat
    url: http://chat.example.com/
    rules:
      - monitors: [shop]
      - { tags: [shop], schedule: { from: "08:00", to: "18:00" } }`;
    expect(plan(text, { monitors: [monitor], webhooks: [webhook] })).toEqual(NOTHING);
    const { problems } = plan(text.replace('[shop]', '[blog]'), { monitors: [monitor], webhooks: [webhook] });
    expect(problems).toEqual(['6: There is no monitor "blog", neither in the file nor in Pharos.']);
  });

  it('in a heartbeat without a URL and threshold, whose defaults are those of its type', () => {
    const fields = { ref: 'backup', name: 'Backup', type: 'heartbeat', period: 3600 };
    const backup = stored('monitors', 'mon_1', fields);
    expect(backup).toMatchObject({ url: '', alertThreshold: 1 });
    const text = 'version: 1\nmonitors:\n  - { ref: backup, name: Backup, type: heartbeat, period: 3600 }';
    expect(plan(text, { monitors: [backup] })).toEqual(NOTHING);
  });

  it('in translations whose texts are empty', () => {
    const times = { startsAt: '2027-01-01T10:00:00.000Z', endsAt: '2027-01-01T11:00:00.000Z' };
    const window = {
      title: 'Upgrade',
      ...times,
      monitors: ['mon_1'],
      translations: { de: { title: 'Neu' } },
    };
    const text = `version: 1
maintenance:
  - title: Upgrade
    startsAt: "${times.startsAt}"
    endsAt: "${times.endsAt}"
    monitors: [mon_1]
    translations: { de: { title: Neu, message: "" }, fr: { title: "" } }`;
    const maintenance = [stored('maintenance', 'mnt_1', window)];
    expect(plan(text, { monitors: [SHOP], maintenance })).toEqual(NOTHING);
  });

  it('in a monitor that is named by its ID although it has a ref', () => {
    const page = stored('status-pages', 'sp_1', { slug: 'shop', name: 'Shop', monitors: ['mon_1'] });
    const text = 'version: 1\nstatus-pages:\n  - { slug: shop, name: Shop, monitors: [mon_1] }';
    expect(plan(text, { monitors: [SHOP], 'status-pages': [page] })).toEqual(NOTHING);
    const logoUrl = `/status/shop/images/${'0af9'.repeat(8)}-120x40.png`;
    const uploaded = { monitors: [SHOP], 'status-pages': [{ ...page, logoUrl }] };
    expect(plan(text, uploaded), 'an uploaded logo stays').toEqual(NOTHING);
    expect(writeResourceFile(uploaded)).not.toContain('logoUrl');
    const linked = text.replace('[mon_1] }', "[mon_1], logoUrl: 'https://acme.test/logo.svg' }");
    expect(plan(linked, uploaded).fields).toEqual(['logoUrl']);
  });

  it('in sections of a page, whose monitors follow from them and whose components have IDs', () => {
    const items = [{ monitorId: 'mon_1', componentId: null, name: 'Checkout', description: null }];
    const phone = { monitorId: null, componentId: 'cmp_1', name: 'Phone', description: null };
    const sections = [{ name: 'Payments', description: null, collapsed: false, items: [...items, phone] }];
    const page = stored('status-pages', 'sp_1', {
      slug: 'shop',
      name: 'Shop',
      monitors: ['mon_1'],
      sections,
    });
    const text = `version: 1
status-pages:
  - slug: shop
    name: Shop
    sections:
      - { name: Payments, items: [{ monitorId: shop, name: Checkout }, { name: Phone }] }`;
    const resources = { monitors: [SHOP], 'status-pages': [page] };
    expect(plan(text, resources)).toEqual(NOTHING);
    expect(plan(text.replace('Phone', 'Hotline'), resources).fields).toEqual(['sections']);
    expect(plan(text.replace('monitorId: shop', 'monitorId: ship'), resources).problems).toHaveLength(1);
    const exported = writeResourceFile(resources);
    expect(exported).not.toContain('cmp_1');
    expect(plan(exported, resources)).toEqual(NOTHING);
  });

  it('in the case of the names of headers, whose secrets are kept', () => {
    const monitor = { ...SHOP, headers: { Authorization: 'hush' } };
    const text = `version: 1
monitors:
  - { ref: shop, name: Shop, url: "http://shop.example.com/", headers: { authorization: "\${KEY}" } }`;
    expect(plan(text, { monitors: [monitor] })).toEqual(NOTHING);
    expect(plan(text, { monitors: [monitor] }, { variables: { KEY: 'other' } }).fields).toEqual(['headers']);
  });

  it('in what a read-only key does not show', () => {
    const monitor = { ...SHOP, headers: { Authorization: HIDDEN, Accept: 'text/html' } };
    const webhook = stored('webhooks', 'whk_1', { ref: 'chat', url: `http://chat.example.com/${HIDDEN}` });
    const text = `version: 1
monitors:
  - { ref: shop, name: Shop, url: "http://shop.example.com/", headers: { Authorization: "\${KEY}", Accept: text/html } }
webhooks:
  - { ref: chat, url: "http://chat.example.com/\${KEY}" }`;
    const resources = { monitors: [monitor], webhooks: [webhook] };
    expect(plan(text, resources, { variables: { KEY: 'hush' } })).toEqual(NOTHING);
    const other = text.replace('text/html', 'text/plain').replace('chat.example', 'talk.example');
    expect(plan(other, resources, { variables: { KEY: 'hush' } }).fields).toEqual(['headers', 'url']);
  });
});

describe('a plan is refused', () => {
  it('if --prune would delete a monitor that the file names', () => {
    const page = stored('status-pages', 'sp_1', { slug: 'shop', name: 'Shop', monitors: ['mon_1'] });
    const text =
      'version: 1\nmonitors: []\nstatus-pages:\n  - slug: shop\n    name: Shop\n    monitors: [mon_1]';
    const resources = { monitors: [SHOP], 'status-pages': [page] };
    expect(plan(text, resources)).toEqual(NOTHING);
    expect(plan(text, resources, { prune: true }).problems).toEqual([
      '6: The monitor "shop" is named here, and --prune would delete it; add it to `monitors`.',
    ]);
  });

  it('if two entries are the same resource', () => {
    const entry = 'name: Shop, url: "http://shop.example.com/"';
    const text = `version: 1\nmonitors:\n  - { ref: shop, ${entry} }\n  - { id: mon_1, ${entry} }`;
    expect(plan(text, { monitors: [SHOP] }).problems).toEqual([
      '4: Another entry of the file is the same monitor as "mon_1".',
    ]);
    const repeated = text.replace('id: mon_1', 'ref: shop');
    expect(readResourceFile(repeated).problems).toEqual([
      { line: 4, message: 'Another entry of the file is the same monitor as "shop".' },
    ]);
  });

  it('for a variable that is not set once, however many rules its value then breaks', () => {
    const text = `version: 1
monitors:
  - ref: shop
    name: "\${NAME}"
    url: "\${ADDRESS}"
    interval: 61`;
    expect(plan(text, {}).problems).toEqual([
      '4: The variable NAME is not set; set it in the environment.',
      '5: The variable ADDRESS is not set; set it in the environment.',
      expect.stringMatching(/^6: `interval` must be /),
    ]);
  });

  it('once for each field, in the words of the API, with the line of the part that is wrong', () => {
    const text = `version: 1
monitors:
  - ref: shop
    name: ""
    url: http://shop.example.com/
    headers:
      Accept: text/html
      X-Key: 5
    shade: blue
  - ref: blog
    name: Blog
    url: 5`;
    expect(plan(text, {}).problems).toEqual([
      expect.stringMatching(/^4: `name` must /),
      '8: `headers.X-Key` must be a string.',
      '9: `shade` is not a recognized field.',
      '12: `url` must be a string.',
    ]);
  });

  it('once for a monitor that there is not, at the sections that name it', () => {
    const text = `version: 1
status-pages:
  - slug: shop
    name: Shop
    sections:
      - { name: One, items: [{ monitorId: gone }] }
webhooks:
  - ref: chat
    url: http://chat.example.com/
    rules: [{ monitors: [gone] }, { monitors: [gone], tags: [a] }]`;
    const message = 'There is no monitor "gone", neither in the file nor in Pharos.';
    expect(plan(text, {}).problems).toEqual([`10: ${message}`, `6: ${message}`]);
  });

  it.each([
    ['type: tcp', '`url` must be host:port with a port from 1 to 65535.'],
    ['body: hello', '`body` is not allowed with method GET.'],
  ])('if fields contradict each other: %s', (field, message) => {
    const text = `version: 1\nmonitors:\n  - { ref: shop, name: Shop, url: "http://shop.example.com/", ${field} }`;
    expect(plan(text, {}).problems).toEqual([`3: ${message}`]);
  });
});

it('a name that is there twice in a resource is a problem, at any depth', () => {
  const text = `version: 1
monitors:
  - ref: shop
    name: Shop
    name: Store
    headers:
      Accept: a
      Accept: b`;
  expect(readResourceFile(text).problems).toEqual([
    { line: 5, message: '`name` is there twice.' },
    { line: 8, message: '`Accept` is there twice.' },
  ]);
});

it('YAML that is not valid is one problem, whatever follows from it', () => {
  const { problems } = readResourceFile('version: 1\nmonitors: [{\nname: a');
  expect(problems).toEqual([{ line: 3, message: expect.stringMatching(/^The YAML is not valid: [^.]*\.$/) }]);
});

it('an ID that is no text is called that', () => {
  expect(readResourceFile('version: 1\nmonitors:\n  - { ref: shop, id: 5 }').problems).toEqual([
    { line: 3, message: 'The `id` of a monitor must be a text.' },
  ]);
});
