import './evaluate.test';
