import './first-round.test';
