import { DomainError, isNotFound } from '@/lib/core/errors';
import type { Monitor } from '@/lib/schemas/monitor';
import type { Api } from '../api';

/** A monitor by its ID or ref. Throws NOT_FOUND with its name. */
export async function findMonitor(api: Api, name: string): Promise<Monitor> {
  const monitor = await findOne(api, name);
  if (monitor === null) throw noMonitors([name]);
  return monitor;
}

/** Monitors by their IDs or refs, each once, in the order given. Throws NOT_FOUND with the names of all that do not exist. */
export async function findMonitors(api: Api, names: readonly string[]): Promise<Monitor[]> {
  const found = new Map<string, Monitor>();
  const missing: string[] = [];
  for (const name of new Set(names)) {
    const monitor = await findOne(api, name);
    if (monitor === null) missing.push(name);
    else found.set(monitor.id, monitor);
  }
  if (missing.length > 0) throw noMonitors(missing);
  return [...found.values()];
}

function noMonitors(names: readonly string[]): DomainError {
  const what = names.length === 1 ? 'is no monitor' : 'are no monitors';
  const listed = new Intl.ListFormat('en').format(names.map((name) => JSON.stringify(name)));
  return new DomainError('NOT_FOUND', `There ${what} ${listed}.`);
}

async function findOne(api: Api, name: string): Promise<Monitor | null> {
  const path = name.startsWith('mon_') ? encodeURIComponent(name) : `by-ref/${encodeURIComponent(name)}`;
  try {
    return await api.call<Monitor>('GET', `/monitors/${path}`);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
