import './costs.test';
