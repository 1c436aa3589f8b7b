// The door of this folder: lint lets nobody in by another way.
export { openPlayground, PHAROS_SETTINGS, startDatabase, tell } from './environment';
export { type Lateness, measureLateness } from './lateness';
export { runLighthouse, type Scores } from './lighthouse';
export {
  cpuOfProcess,
  cpuOfServer,
  get,
  type Load,
  load,
  type Percentiles,
  percentiles,
  type Response,
  residentMemory,
} from './measure';
export {
  type Child,
  portOf,
  type Script,
  startNext,
  startProcess,
  startScript,
  startTargets,
  type TargetPorts,
} from './processes';
export { conclude, count, formatRows, markdownRow, type Row, readCount, reportFiles } from './report';
