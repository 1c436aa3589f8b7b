import type { Observations, ShownPage, ShownTransition, StoredResult } from '../../observations';
import type { MonitorPlan, Spell, TargetMode } from '../../plan';
import type { Received } from '../../receivers';

export const START = Date.UTC(2026, 2, 1);
export const MINUTE = 60_000;
const INTERVAL = 30_000;
export const END = 20 * MINUTE;
export const OUTAGE = { from: 5 * MINUTE, to: 10 * MINUTE };

const spells: Spell<TargetMode>[] = [
  { untilMs: OUTAGE.from, mode: 'ok' },
  { untilMs: OUTAGE.to, mode: 'error' },
  { untilMs: END, mode: 'ok' },
];

export const monitor: MonitorPlan = {
  number: 0,
  organization: 0,
  type: 'http',
  interval: 30,
  timeout: 10,
  alertThreshold: 2,
  recoveryThreshold: 1,
  confirmInterval: null,
  regions: ['us-east'],
  spells: { 'us-east': spells, 'eu-west': spells, 'ap-southeast': spells },
};

const request = (own: Partial<Received> & Pick<Received, 'deliveryId' | 'at'>): Received => ({
  endpoint: 0,
  eventId: `evt_${own.deliveryId}`,
  event: 'monitor.down',
  attempt: 1,
  respondedAt: own.at,
  bodyHash: own.deliveryId,
  body: '{}',
  mode: 'accept',
  ...own,
});

export const announce = (event: string, decidedAt: number, deliveryId: string): Received =>
  request({
    deliveryId,
    event,
    at: decidedAt + 1000,
    body: JSON.stringify({ monitor: { id: 'mon_1' }, timestamp: new Date(decidedAt).toISOString() }),
  });

/** A run in which everything is as promised: one monitor, one outage of five minutes, one endpoint. */
export function perfectRun(): Observations {
  const results = Array.from({ length: END / INTERVAL }, (_, index): StoredResult => {
    const at = index * INTERVAL + 15_000;
    const failed = OUTAGE.from <= at && at < OUTAGE.to;
    return {
      monitorId: 'mon_1',
      region: 'us-east',
      checkedAt: START + at,
      recordedAt: START + at,
      outcome: failed ? 'failed' : 'ok',
      responseTime: failed ? null : 10,
      errorCode: failed ? 'status' : null,
    };
  });
  const transition = (
    from: string | null,
    to: string,
    at: number,
    decided: number,
    ended: number | null,
  ) => ({
    monitorId: 'mon_1',
    from,
    to,
    at: START + at,
    decidedAt: START + decided,
    endedAt: ended === null ? null : START + ended,
  });
  const down = OUTAGE.from + 15_000;
  const up = OUTAGE.to + 15_000;
  const transitions: ShownTransition[] = [
    transition(null, 'pending', 0, 0, 15_000),
    transition('pending', 'operational', 15_000, 15_000, down),
    transition('operational', 'down', down, down + INTERVAL, up),
    transition('down', 'operational', up, up, null),
  ];
  return {
    plan: {
      seed: 1,
      quietMs: END,
      endMs: END,
      monitors: [monitor],
      endpoints: [{ organization: 0, spells: [] }],
      operations: [],
      faults: [],
    },
    startedAt: START,
    endedAt: START + END,
    monitors: [{ id: 'mon_1', plan: monitor, createdAt: START, deletedAt: null, changes: [] }],
    uptimes: { mon_1: Math.floor((1 - (up - down) / (END - 15_000)) * 10_000) / 100 },
    faults: [],
    seen: [],
    received: [
      announce('monitor.down', START + down + INTERVAL, 'del_1'),
      announce('monitor.up', START + up, 'del_2'),
    ],
    results,
    phases: { 'mon_1 us-east': 0 },
    transitions,
    deliveries: ['del_1', 'del_2'].map((id, index) => ({
      id,
      endpoint: 0,
      event: index === 0 ? 'monitor.down' : 'monitor.up',
      status: 'delivered',
      attempts: 1,
      createdAt: START + (index === 0 ? down + INTERVAL : up),
    })),
    incidents: [
      {
        id: 'inc_1',
        monitorIds: ['mon_1'],
        severity: 'critical',
        status: 'resolved',
        startedAt: START + down,
        createdAt: START + down + INTERVAL,
        resolvedAt: START + up,
      },
    ],
    pages: [perfectPage((1 - (up - down) / (END - 15_000)) * 100)],
    health: Array.from({ length: 100 }, (_, index) => ({
      web: 'web 1',
      at: START + index * 12_000,
      status: 200,
      down: '',
    })),
    curves: [],
    namelessErrors: [],
  };
}

/** The status page of that run: down on its only day. */
function perfectPage(share: number): ShownPage {
  const uptimePercentage = Math.floor(share * 100) / 100;
  const days = Array.from({ length: 90 }, (_, index) => ({
    date: new Date(START - (89 - index) * 24 * 60 * MINUTE).toISOString().slice(0, 10),
    ...(index < 89 ? { status: null, uptimePercentage: null } : { status: 'down', uptimePercentage }),
  }));
  return {
    organization: 0,
    readAt: START + END,
    json: { monitors: [{ id: 'mon_1', name: 'Monitor 0', uptimePercentage, days }] },
    html:
      `<li id="m0"><h3>Monitor 0</h3><span class="uptime">${uptimePercentage}% uptime</span><fieldset aria-label="days">` +
      `<i class="n89 none"><b>No data</b></i><label class=bad><input type=radio name=d><b>Down for 5 min, ${uptimePercentage}% uptime</b></label></fieldset></li>`,
  };
}
