import { makeBadge } from 'badge-maker';
import { printable } from './markup';
import { STATUS_COLOURS } from './status-words';

type State = keyof typeof STATUS_COLOURS;

/** What a badge says: a state, or an uptime in percent, graded by a color only while there is current data. */
export type BadgeFigure = { state: State } | { uptimePercentage: number; isCurrent: boolean };

const LABEL_COLOUR = '#3f3f46';

/** A badge as SVG: label and figure in white on a plain colour, both also as its text alternative; no font is loaded. */
export function writeBadge(label: string, figure: BadgeFigure): string {
  const { message, color } = drawFigure(figure);
  return makeBadge({
    label: printable(label).replace(/\s+/g, ' ').trim(),
    message,
    color,
    labelColor: LABEL_COLOUR,
    style: 'flat-square',
  });
}

function drawFigure(figure: BadgeFigure): { message: string; color: string } {
  if ('state' in figure) {
    const { state } = figure;
    return { message: state === 'noData' ? 'no data' : state, color: STATUS_COLOURS[state] };
  }
  const { uptimePercentage, isCurrent } = figure;
  const grade = isCurrent ? gradeUptime(uptimePercentage) : 'noData';
  return { message: `${uptimePercentage}%`, color: STATUS_COLOURS[grade] };
}

/** About 43 minutes of a month, and about 7 hours. */
function gradeUptime(percentage: number): State {
  if (percentage >= 99.9) return 'operational';
  return percentage >= 99 ? 'degraded' : 'down';
}
