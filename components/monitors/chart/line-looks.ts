/** How lines are told apart, by their place: by weight and dashes too, so that colour is not needed. */
export const LINE_LOOKS = [
  { stroke: 'stroke-accent', fill: 'bg-accent', dash: undefined, width: 2 },
  { stroke: 'stroke-ink', fill: 'bg-ink', dash: '5 3', width: 1.25 },
  { stroke: 'stroke-muted', fill: 'bg-muted', dash: '1.5 3', width: 1.5 },
] as const;

/** The look of the line at a place. */
export function lineLook(place: number) {
  return LINE_LOOKS[place % LINE_LOOKS.length] ?? LINE_LOOKS[0];
}
