import type { ChartData } from './chart-data';

/** A chart as one text. React walks every value of an object, once to write and once to read it; a text it copies. */
export type PackedChart = string;

export function packChart({ lines: _lines, ...data }: ChartData): PackedChart {
  return JSON.stringify(data);
}

export function unpackChart(packed: PackedChart): ChartData {
  const data: Omit<ChartData, 'lines'> = JSON.parse(packed);
  // The lines of the chart are those of its lanes, also as objects.
  return { ...data, lines: data.lanes.flatMap(({ lines }) => lines) };
}
