// The public files of this folder; lint rejects other imports.
export { log, openPlayground, PHAROS_SETTINGS, root, startDatabase } from './environment';
export { type Lateness, measureLateness } from './lateness';
export { runLighthouse, type Scores } from './lighthouse';
export {
  cpuOfProcess,
  get,
  type Load,
  load,
  type Percentiles,
  type Pids,
  percentiles,
  type Response,
  residentMemory,
  startCpuMeter,
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
export {
  chooseOutput,
  conclude,
  count,
  findExceeded,
  formatDelays,
  formatPercentiles,
  formatRows,
  type Limit,
  markdownRow,
  type Row,
  readCount,
  readOptions,
  today,
} from './report';
