import type { ProbeResult } from '@/lib/checks/check';
import { NO_PHASES } from '@/lib/checks/phases';
import { CHECK_TYPES } from '@/lib/checks/types';
import type { DemoMonitor } from './demo-monitors';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** How much longer the way from each region is. */
const DISTANCE: Record<string, number> = { 'us-east': 1, 'eu-west': 1.35, 'ap-southeast': 2.1 };

/**
 * What a check of a demo monitor found that began at `at` (epoch milliseconds), seen at `now`: always the same for the same
 * moments, slower by day than by night, and with a long answer now and then.
 */
export function sampleCheck(monitor: DemoMonitor, region: string, at: number, now: number): ProbeResult {
  const trouble = monitor.troubles.find(({ minutesAgo, minutes, regions }) => {
    const since = now - minutesAgo * MINUTE;
    return at >= since && at < since + minutes * MINUTE && (regions?.includes(region) ?? true);
  });
  if (trouble?.kind === 'failing') return failed(monitor);
  const chance = noise(`${monitor.name} ${region} ${Math.floor(at / MINUTE)}`);
  const daylight = 1 + 0.3 * Math.sin((2 * Math.PI * (at % DAY)) / DAY - Math.PI / 2);
  const factor = (DISTANCE[region] ?? 1) * daylight * (0.85 + 0.3 * chance + 2 * chance ** 24);
  const ms = Math.max(1, Math.round(monitor.usual * factor));
  return succeeded(monitor, trouble ? 5000 + ms : ms);
}

function succeeded(monitor: DemoMonitor, ms: number): ProbeResult {
  const dns = Math.round(ms * 0.04);
  const responds = CHECK_TYPES[monitor.type].phases.includes('firstByte');
  const connect = responds ? Math.round(ms * 0.12) : ms - dns;
  const firstByte = Math.round(ms * 0.62);
  return {
    outcome: 'ok',
    responseTime: ms,
    statusCode: responds ? 200 : null,
    error: null,
    phases: {
      dns,
      connect,
      tls: null,
      firstByte: responds ? firstByte : null,
      transfer: responds ? ms - dns - connect - firstByte : null,
    },
    certificateExpiresAt: null,
    certificateIssuer: null,
    bodySize: null,
    networkFailure: false,
  };
}

function failed({ error, statusCode }: DemoMonitor): ProbeResult {
  return {
    outcome: 'failed',
    responseTime: null,
    statusCode: statusCode ?? null,
    error,
    phases: NO_PHASES,
    certificateExpiresAt: null,
    certificateIssuer: null,
    bodySize: null,
    networkFailure: statusCode === undefined,
  };
}

/** From 0 to 1, evenly, by FNV-1a and a final mix: the same text gives the same number. */
function noise(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
