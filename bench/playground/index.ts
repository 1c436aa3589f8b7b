// The public files of this folder; lint rejects other imports.
export { log, openPlayground, PHAROS_SETTINGS, startDatabase } from './environment';
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
