import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Action } from '@/lib/domain/context/permissions';
import type { World } from './world';

/** A call of each verb that succeeds for those who may; each call gets a new object to work on. */
export type VerbCall = {
  action: Action;
  /** Whether it changes something that outlasts it, and so leaves an entry in the audit log. */
  writes: boolean;
  prepare(world: World): Promise<(ctx: OrganizationContext) => unknown>;
};

type Call<Subject> = (ctx: OrganizationContext, subject: Subject) => unknown;
type Prepare<Subject> = (world: World) => Promise<Subject>;

export const SEARCH = { words: ['shop'], limit: 5 };
export const PAGE = { limit: 10 };

export const aCorrectable = (world: World) => world.correctable();
export const aCorrection = (world: World) => world.correction();
export const aKey = (world: World) => world.apiKey();
export const aHeartbeat = (world: World) => world.heartbeat();
export const anEmailRecipient = (world: World) => world.emailRecipient();
export const anIncident = (world: World) => world.incident();
export const anIncidentTemplate = (world: World) => world.incidentTemplate();
export const aMarker = (world: World) => world.marker();
export const aMember = (world: World) => world.member();
export const aMonitor = (world: World) => world.monitor();
export const aMonitorRef = (world: World) => world.monitorRef();
export const aPage = (world: World) => world.statusPage();
export const aRegion = (world: World) => world.region();
export const aWebhook = (world: World) => world.webhook();
export const aWebhookRef = (world: World) => world.webhookRef();
export const aWindow = (world: World) => world.maintenance();

export function reads<Subject>(action: Action, call: Call<Subject>, prepare?: Prepare<Subject>): VerbCall {
  const prepareCall = async (world: World) => {
    const subject = (await prepare?.(world)) as Subject;
    return (ctx: OrganizationContext) => call(ctx, subject);
  };
  return { action, writes: false, prepare: prepareCall };
}

export function writes<Subject>(action: Action, call: Call<Subject>, prepare?: Prepare<Subject>): VerbCall {
  return { ...reads(action, call, prepare), writes: true };
}
