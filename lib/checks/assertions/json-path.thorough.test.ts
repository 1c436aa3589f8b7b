import './json-path.test';
