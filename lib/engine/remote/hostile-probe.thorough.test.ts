import './hostile-probe.test';
