import type { ImportSource } from '@/lib/importing/plan/plan';

/** How each source is called, and what to choose. */
export const SOURCES: Record<ImportSource, { label: string; file: string; accept: string }> = {
  'uptime-kuma': {
    label: 'Uptime Kuma',
    file: 'kuma.db from its data folder, copied while Uptime Kuma is stopped, or a backup in JSON',
    accept: '.db,.sqlite,.json',
  },
  uptimerobot: {
    label: 'UptimeRobot',
    file: 'The CSV export, or the JSON response of getMonitors',
    accept: '.csv,.json',
  },
  'better-stack': {
    label: 'Better Stack',
    file: 'The JSON response of the monitors or heartbeats API',
    accept: '.json',
  },
  gatus: { label: 'Gatus', file: 'config.yaml, or all files of its folder', accept: '.yaml,.yml' },
  openstatus: {
    label: 'openstatus',
    file: 'openstatus.yaml, or the JSON response of the monitors API',
    accept: '.yaml,.yml,.json',
  },
  upptime: { label: 'Upptime', file: '.upptimerc.yml', accept: '.yaml,.yml' },
  healthchecks: { label: 'Healthchecks', file: 'The JSON response of the checks API', accept: '.json' },
  prometheus: {
    label: 'Prometheus blackbox exporter',
    file: 'prometheus.yml with static targets, with or without the modules of blackbox.yml, or a list of targets',
    accept: '.yaml,.yml,.json',
  },
  csv: {
    label: 'CSV or list of URLs',
    file: 'A CSV with a header row, or a list with one target per line',
    accept: '.csv,.txt',
  },
};
