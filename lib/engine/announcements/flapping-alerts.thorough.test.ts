import './flapping-alerts.test';
