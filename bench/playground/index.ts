// The public files of this folder; lint rejects other imports.
export * from './bare-next';
export * from './environment';
export * from './figures';
export * from './lateness';
export * from './lighthouse';
export * from './measure';
export * from './processes';
export * from './random';
export * from './report';
export * from './requests';
