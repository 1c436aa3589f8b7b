import {
  CUSTOM_DAYS,
  type ReportPage,
  type ReportQuery,
  reportQuerySchema,
} from '@/lib/schemas/reports/report';

const DAY = 86_400_000;
const DEFAULT_DAYS = 30;

/** What the screen shows as a query of the API. Days that were not entered yet are the last 30. */
export function toReportQuery({ month, from, to, ...page }: ReportPage, now: Date): ReportQuery {
  const defaults = reportQuerySchema.parse({});
  const given = Object.entries(page).filter(([, value]) => value !== undefined && value !== '');
  const query = { ...defaults, ...Object.fromEntries(given) };
  if (month !== CUSTOM_DAYS) return month === undefined ? query : { ...query, month };
  const dayBefore = (days: number) => new Date(now.getTime() - days * DAY).toISOString().slice(0, 10);
  return { ...query, from: from ?? dayBefore(DEFAULT_DAYS), to: to ?? dayBefore(1) };
}
