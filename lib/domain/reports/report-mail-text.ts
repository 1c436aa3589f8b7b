import { dateFormat } from '@/lib/core/time/date-format';
import { type MailContent, oneLine } from '@/lib/platform/mail/queue-mail';
import type { Report, ReportLine, ReportQuery } from '@/lib/schemas/reports/report';
import { formatBudget, formatLength, formatUptime, isMissed } from '@/lib/schemas/reports/report-texts';

/** The monitors that an email lists; the page has all of them. */
const MAX_LINES = 20;
const MAX_NAME = 100;

type Context = {
  organizationName: string;
  /** The tag or status page whose monitors it covers; null for all. */
  about: string | null;
  link: (path: string) => string | undefined;
};

/** The email with a report, or with why there is none. */
export function composeReportMail(
  report: Report | string,
  query: ReportQuery,
  { organizationName, about, link }: Context,
): MailContent {
  const name = oneLine(organizationName, MAX_NAME);
  const of = about === null ? '' : ` of ${oneLine(about, MAX_NAME)}`;
  const content = typeof report === 'string' ? composeProblem(report, of) : composeReport(report, of, link);
  return {
    ...content,
    ...button(link(reportPath(query, typeof report === 'string' ? null : report))),
    footnote: `You receive this email because you chose to receive this report of ${name} each month. Stop it on the Reports page.`,
  };
}

function composeProblem(problem: string, of: string) {
  return { subject: `No uptime report${of}`, blocks: [{ paragraph: problem }] };
}

/** The sum, and the monitors with the lowest uptime. */
function composeReport(report: Report, of: string, link: Context['link']) {
  const { total, target, monitors, from, timeZone } = report;
  const month = dateFormat('en', { month: 'long', year: 'numeric', timeZone }).format(new Date(from));
  const worst = monitors
    .toSorted((a, b) => (a.uptimePercentage ?? 101) - (b.uptimePercentage ?? 101) || b.downMs - a.downMs)
    .slice(0, MAX_LINES);
  const known = monitors.filter((line) => isMissed(line) !== null);
  const summary = formatTarget(known.filter((line) => isMissed(line)).length, known.length, target);
  const rest = monitors.length - worst.length;
  return {
    subject: `Uptime${of} in ${month}: ${total.uptimePercentage === null ? 'no data' : formatUptime(total.uptimePercentage)}`,
    preheader: summary,
    blocks: [
      { paragraph: `${summary} ${formatTotal(report)}` },
      ...(worst.length === 0
        ? []
        : [{ heading: 'Lowest uptime first' }, { list: worst.map((line) => toLine(line, link)) }]),
      ...(rest > 0 ? [{ paragraph: `And ${rest.toLocaleString('en')} more.` }] : []),
    ],
  };
}

function formatTarget(missed: number, known: number, target: number): string {
  if (known === 0) return 'No monitor has data for this month.';
  if (missed === 0)
    return known === 1
      ? `The target of ${target}% was met.`
      : `All ${known} monitors met the target of ${target}%.`;
  return `${missed} of ${known} ${known === 1 ? 'monitor' : 'monitors'} missed the target of ${target}%.`;
}

function formatTotal({ total: { outages, downMs, longestOutageMs } }: Report): string {
  if (outages === 0) return 'There were no outages.';
  const longest = outages === 1 ? '' : `, the longest ${formatLength(longestOutageMs)}`;
  return `There ${outages === 1 ? 'was 1 outage' : `were ${outages.toLocaleString('en')} outages`} with ${formatLength(downMs)} of downtime${longest}.`;
}

function toLine(line: ReportLine, link: Context['link']) {
  const { monitorId, name, uptimePercentage, outages, downMs, budgetLeftMs, measured } = line;
  const url = link(`/monitors/${monitorId}`);
  const budget = isMissed(line) ? ` Error budget: ${formatBudget(budgetLeftMs)}.` : '';
  const down =
    outages === 0
      ? 'No outages.'
      : `${formatLength(downMs)} of downtime in ${outages} ${outages === 1 ? 'outage' : 'outages'}.`;
  return {
    text: oneLine(name, MAX_NAME),
    detail:
      uptimePercentage === null
        ? 'No data.'
        : `${formatUptime(uptimePercentage)}${formatMeasured(measured)}. ${down}${budget}`,
    ...(url === undefined ? {} : { url }),
  };
}

function formatMeasured(measured: ReportLine['measured']): string {
  return measured === null ? '' : ` (corrected; ${formatUptime(measured.uptimePercentage)} measured)`;
}

/** The page that shows the same report. */
function reportPath({ timeZone, target, tag, statusPage }: ReportQuery, report: Report | null): string {
  const monthOf = dateFormat('en-CA', { year: 'numeric', month: '2-digit', timeZone });
  const parameters = {
    ...(report === null ? {} : { month: monthOf.format(new Date(report.from)) }),
    timeZone,
    target: String(target),
    ...(tag === undefined ? {} : { tag }),
    ...(statusPage === undefined ? {} : { statusPage }),
  };
  return `/reports?${new URLSearchParams(parameters)}`;
}

function button(url: string | undefined): Pick<MailContent, 'button'> {
  return url === undefined ? {} : { button: { label: 'View report', url } };
}
