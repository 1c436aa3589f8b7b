import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { listAudit } from '@/lib/domain/audit/read-audit';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { followStatus } from '@/lib/domain/incidents/follow-status';
import { deleteMonitor } from '@/lib/domain/monitors/change-selected';
import { readBadge } from '@/lib/domain/status-pages/public/badge';
import { readFeed } from '@/lib/domain/status-pages/public/read-feed';
import { readHistoryView, readIncidentView } from '@/lib/domain/status-pages/public/read-history-view';
import { readPageView } from '@/lib/domain/status-pages/public/read-page-view';
import { findPublishedPage, readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { readPageStates } from '@/lib/domain/status-pages/read-page-status';
import { readStatuspage } from '@/lib/domain/status-pages/statuspage/read-statuspage';
import { addMonitor, addPage, changePage, readPage, refusal } from '@/lib/domain/status-pages/testing/pages';
import { createIncidentSchema, updateIncidentSchema } from '@/lib/schemas/incidents/incident';
import { publicStatusPageSchema } from '@/lib/schemas/status-pages/public-status-page';
import { statuspageSchemas } from '@/lib/schemas/status-pages/statuspage';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';

const database = useSharedDatabase();
const NOW = new Date('2026-03-10T12:00:00.000Z');

/** A page with two sections: the shop under another name and a component, and email. */
async function begin() {
  const services = createTestServices({ db: database.db, clock: createManualClock(NOW) });
  const { ctx } = await createTestOrganization(services);
  const [shop, mail] = [
    await addMonitor(ctx, { name: 'shop-prod-1' }),
    await addMonitor(ctx, { name: 'Mail' }),
  ];
  for (const monitorId of [shop, mail]) {
    await database.db.monitorState.update({ where: { monitorId }, data: { status: 'operational' } });
  }
  const sections = [
    {
      name: 'Payments',
      description: 'Cards and transfers',
      items: [
        { monitorId: shop, name: 'Checkout' },
        { name: 'Phone orders', description: 'Weekdays' },
      ],
    },
    { name: 'Messages', collapsed: true, items: [{ monitorId: mail }] },
  ];
  const page = await addPage(ctx, { published: true, monitors: undefined, sections });
  const phone = page.sections[0]?.items[1]?.componentId ?? '';
  const { slug } = page;
  return {
    services,
    ctx,
    shop,
    mail,
    page,
    slug,
    phone,
    report: async (fields: object) =>
      (await createIncident(ctx, createIncidentSchema.parse({ title: 'Trouble', ...fields }))).id,
    read: async () => {
      const body = await readPublicPage(services, slug);
      expect(publicStatusPageSchema.parse(body)).toEqual(body);
      return body;
    },
    statuspage: async () => {
      const address = 'https://status.acme.test';
      const stored = await findPublishedPage(database.db, slug);
      const body = await readStatuspage(services, stored, { document: 'summary.json', address });
      expect(statuspageSchemas['summary.json'].parse(body)).toEqual(body);
      return body;
    },
  };
}

describe('a page with sections', () => {
  it('returns them with the monitors of their rows, and takes back what it returned', async () => {
    const { ctx, page, slug, shop, mail, phone } = await begin();
    expect(page.monitors).toEqual([shop, mail]);
    expect(page.sections).toEqual([
      {
        name: 'Payments',
        description: 'Cards and transfers',
        collapsed: false,
        items: [
          { monitorId: shop, componentId: null, name: 'Checkout', description: null },
          { monitorId: null, componentId: phone, name: 'Phone orders', description: 'Weekdays' },
        ],
      },
      {
        name: 'Messages',
        description: null,
        collapsed: true,
        items: [{ monitorId: mail, componentId: null, name: null, description: null }],
      },
    ]);
    const again = await changePage(ctx, slug, page);
    expect([again.sections, again.version]).toEqual([page.sections, page.version]);
  });

  it('counts a change of its sections as a version, and records it', async () => {
    const { ctx, page, slug } = await begin();
    const [payments, messages] = page.sections;
    const changed = await changePage(ctx, slug, { sections: [messages, payments] });
    expect(changed.version).toBeGreaterThan(page.version);
    expect(changed.monitors).toEqual(page.monitors.toReversed());
    const { items } = await listAudit(ctx, { limit: 1 });
    expect(items[0]?.after).toMatchObject({ sections: changed.sections });
  });

  it('loses a deleted monitor and keeps the rest', async () => {
    const { ctx, slug, shop, mail, read } = await begin();
    await deleteMonitor(ctx, shop);
    const { monitors, sections } = await readPage(ctx, slug);
    expect(monitors).toEqual([mail]);
    expect(sections.map(({ items }) => items.length)).toEqual([1, 1]);
    expect((await read()).sections[0]?.items).toHaveLength(1);
  });

  it('refuses what contradicts itself, each with its place', async () => {
    const { ctx, slug, shop, mail } = await begin();
    const other = await createTestOrganization(createTestServices({ db: database.db }));
    const foreign = await addMonitor(other.ctx);
    const change = (...items: object[]) =>
      refusal(changePage(ctx, slug, { sections: [{ name: 'A', items }] }));
    const at = (index: number, field: string) => `sections.0.items.${index}.${field}`;
    expect(await change({ monitorId: shop }, { monitorId: shop })).toEqual([
      'VALIDATION_ERROR',
      `${at(1, 'monitorId')} invalid`,
    ]);
    expect(await change({ name: null })).toEqual(['VALIDATION_ERROR', `${at(0, 'name')} invalid`]);
    expect(await change({ monitorId: shop }, { monitorId: foreign })).toEqual([
      'UNKNOWN_MONITOR',
      `${at(1, 'monitorId')} unknown_monitor`,
    ]);
    expect(await refusal(changePage(ctx, slug, { monitors: [mail, shop] }))).toEqual([
      'VALIDATION_ERROR',
      'monitors invalid',
    ]);
    const twice = [
      { name: 'A', items: [] },
      { name: 'A', items: [] },
    ];
    expect(await refusal(changePage(ctx, slug, { sections: twice }))).toEqual([
      'VALIDATION_ERROR',
      'sections.1.name invalid',
    ]);
  });
});

describe('the public data of a page with sections', () => {
  it('has its rows under their public names, and nowhere the names of monitors', async () => {
    const { services, ctx, slug, shop, phone, report, read, statuspage } = await begin();
    const id = await report({ affectedMonitors: [shop], affectedComponents: [phone] });
    const page = await findPublishedPage(database.db, slug);
    const { label } = await readBadge(services, page, { monitor: shop, show: 'status' });
    expect(label).toBe('Checkout');
    const feed = await readFeed(services, page);
    expect([...feed.names.values()]).toEqual(['Checkout', 'Phone orders', 'Mail']);
    expect((await readIncidentView(services, slug, id)).rows.map(({ name }) => name)).toContain(
      'Phone orders',
    );
    const all = [
      await read(),
      await statuspage(),
      await readPageView(services, slug),
      await readHistoryView(services, slug),
      [...feed.names],
    ];
    expect(JSON.stringify(all)).toContain('Checkout');
    expect(JSON.stringify(all)).not.toContain('shop-prod-1');
    expect(await readPageStates(ctx)).toEqual(new Map([[page.id, 'partialOutage']]));
  });

  it('has the public name in the texts of automatic incidents, but not in what people wrote', async () => {
    const { services, ctx, slug, shop, read } = await begin();
    const change = {
      organizationId: ctx.organizationId,
      monitorId: shop,
      monitorName: 'shop-prod-1',
      status: 'down' as const,
      at: NOW,
      since: NOW,
    };
    await database.db.$transaction((tx) => followStatus(tx, [change]));
    const [automatic] = (await read()).incidents;
    expect(automatic).toMatchObject({
      title: 'Checkout is down',
      updates: [{ message: 'Checkout is down.' }],
    });
    expect(
      JSON.stringify(await readFeed(services, await findPublishedPage(database.db, slug))),
    ).not.toContain('shop-prod-1 is');
    const written = { title: 'The bank is down', message: 'The bank is down.' };
    await updateIncident(ctx, automatic?.id ?? '', updateIncidentSchema.parse(written));
    const [edited] = (await read()).incidents;
    expect([edited?.title, edited?.updates[0]?.message]).toEqual([written.title, written.message]);
  });

  it('rolls the states of its rows up, and has that of a component from its incidents', async () => {
    const { ctx, slug, services, phone, report, read } = await begin();
    expect((await read()).sections.map(({ indicator }) => indicator)).toEqual(['none', 'none']);
    const id = await report({ affectedComponents: [phone], severity: 'critical' });
    const { sections, indicator, headline, incidents } = await read();
    expect([indicator, headline]).toEqual(['critical', 'Major outage: Phone orders']);
    expect(
      sections.map((section) => [section.indicator, ...section.items.map((item) => item.indicator)]),
    ).toEqual([
      ['critical', 'none', 'critical'],
      ['none', 'none'],
    ]);
    expect(incidents[0]).toMatchObject({ affectedMonitors: [], affectedComponents: [phone] });
    const view = await readPageView(services, slug);
    expect(view.sections.map(({ anchor, state }) => [anchor, state])).toEqual([
      ['section-payments', 'majorOutage'],
      ['section-messages', 'operational'],
    ]);
    await updateIncident(ctx, id, updateIncidentSchema.parse({ status: 'resolved' }));
    expect((await read()).indicator).toBe('none');
  });

  it('has component groups in the shape of Statuspage', async () => {
    const { page, shop, mail, phone, report, statuspage } = await begin();
    await report({ affectedComponents: [phone], severity: 'minor' });
    const { components, incidents } = await statuspage();
    const groupId = `${page.id}-section-payments`;
    expect(
      components.map(({ id, group, group_id, status, position }) => [id, group, group_id, status, position]),
    ).toEqual([
      [groupId, true, null, 'degraded_performance', 1],
      [shop, false, groupId, 'operational', 1],
      [phone, false, groupId, 'degraded_performance', 2],
      [`${page.id}-section-messages`, true, null, 'operational', 2],
      [mail, false, `${page.id}-section-messages`, 'operational', 1],
    ]);
    expect(components[0]).toMatchObject({ name: 'Payments', components: [shop, phone] });
    expect(incidents[0]?.components.map(({ id }) => id)).toEqual([phone]);
  });
});

describe('an incident', () => {
  it('refuses components of other organizations, and keeps one that was removed', async () => {
    const { ctx, slug, shop, mail, phone, report, read } = await begin();
    const stranger = await begin();
    const foreign = { affectedComponents: [phone, stranger.phone] };
    expect(await refusal(report(foreign))).toEqual([
      'VALIDATION_ERROR',
      'affectedComponents.1 unknown_component',
    ]);
    const id = await report({ affectedMonitors: [shop], affectedComponents: [phone] });
    await changePage(ctx, slug, {
      sections: [{ name: 'All', items: [{ monitorId: shop }, { monitorId: mail }] }],
    });
    const same = updateIncidentSchema.parse({ affectedComponents: [phone], message: 'Still' });
    expect((await updateIncident(ctx, id, same)).affectedComponents).toEqual([phone]);
    expect((await read()).incidents[0]?.affectedComponents).toEqual([]);
  });

  it('looks up the pages of its components once when it changes', async () => {
    const { ctx, phone, report } = await begin();
    const id = await report({ affectedComponents: [phone] });
    const { db, count, seen } = openCountingDatabase(database.url);
    const changes = updateIncidentSchema.parse({ affectedComponents: [phone], message: 'Still' });
    await count(() => updateIncident({ ...ctx, db }, id, changes));
    expect(seen(`SELECT item ->> 'componentId' AS id`)).toBe(1);
    await db.$disconnect();
  });
});
