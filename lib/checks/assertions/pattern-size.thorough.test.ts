import './pattern-size.test';
