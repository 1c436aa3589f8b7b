import './flapping-hour.test';
