import type { ChartBand, ChartData, ChartLine } from './chart-data';
import { BOX, barsPath, linePath, placeOf } from './geometry';
import { lineLook } from './line-looks';

const BAND_LOOKS: Record<ChartBand['state'], { wash: string; edge: string }> = {
  down: { wash: 'fill-bad-wash', edge: 'fill-bad-beat' },
  degraded: { wash: 'fill-slow-wash', edge: 'fill-slow-beat' },
  maintenance: { wash: 'fill-accent/10', edge: 'fill-accent' },
  paused: { wash: 'fill-sunken', edge: 'fill-rest-beat' },
  unknown: { wash: 'fill-sunken', edge: 'fill-rest-beat' },
};
/** Units of height. */
const EDGE = 2;
const FAILURES = 10;

type Props = { data: ChartData; lines: { line: ChartLine; place: number }[]; top: number; ticks: number[] };

/** The drawing alone, stretched over its place: bands, grid, failures and lines. It says nothing by itself. */
export function Plot({ data, lines, top, ticks }: Props) {
  const frame = { from: data.from, to: data.from + data.count * data.width };
  const shares = data.failures.map((failures, index) => failures / Math.max(1, data.checks[index] ?? 0));
  return (
    <svg
      viewBox={`0 0 ${BOX.width} ${BOX.height}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
      aria-hidden="true"
    >
      {data.bands.map((band) => {
        const place = placeOf(band, frame);
        const { wash, edge } = BAND_LOOKS[band.state];
        return place ? (
          <g key={`${band.state} ${band.from}`}>
            <rect x={place.x} y={0} width={place.width} height={BOX.height} className={wash} />
            <rect x={place.x} y={0} width={Math.max(place.width, 1.5)} height={EDGE} className={edge} />
          </g>
        ) : null;
      })}
      <path
        d={ticks.map((tick) => `M0 ${((1 - tick / top) * BOX.height).toFixed(1)}H${BOX.width}`).join('')}
        className="fill-none stroke-line"
        vectorEffect="non-scaling-stroke"
      />
      {data.incidents.map((incident) => {
        const place = placeOf(incident, frame);
        return place && incident.from >= frame.from ? (
          <path
            key={incident.id}
            d={`M${place.x} 0V${BOX.height}`}
            className="fill-none stroke-bad"
            strokeDasharray="2 3"
            vectorEffect="non-scaling-stroke"
          />
        ) : null;
      })}
      <path d={barsPath(shares, FAILURES)} className="fill-bad-beat" />
      {lines.map(({ line, place }) => {
        const { stroke, dash, width } = lineLook(place);
        return (
          <path
            key={line.key}
            d={linePath(line.values, top)}
            className={`fill-none ${stroke}`}
            strokeWidth={width}
            strokeDasharray={dash}
            strokeLinecap="round"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        );
      })}
    </svg>
  );
}
