import './flapping.test';
